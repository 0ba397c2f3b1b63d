import { inlineLink } from '../associations/inline-associations.ts';
import type { InlineAssociation } from '../associations/association-bodies.ts';
import type { ErrorBody } from '../api-error.ts';
import type { ObjectType } from '../object-types.ts';
import type { Portal } from '../portal/portal.ts';
import type { ObjectStore } from '../portal/object-store.ts';
import { checkProperties, problemsBody, type Problem, type RawProperties } from './property-problems.ts';
import type { PropertyValues, StoredRecord } from '../portal/crm-record.ts';

/** Which rows a failure also stops: the whole batch, a batch without trace ids, or no other row. */
type Reach = 'batch' | 'untraced-batch' | 'row';

export interface RowFailure {
  readonly reach: Reach;
  readonly status: number;
  readonly body: ErrorBody;
}

export interface PlannedWrite {
  /** The record to change; absent for a new one. */
  readonly record?: StoredRecord;
  readonly values: PropertyValues;
  readonly associations: readonly InlineAssociation[];
}

export type RowPlan = { readonly write: PlannedWrite } | { readonly failure: RowFailure };

/** Plans the rows of one request: nothing is written, but rows see the unique values that earlier rows claim. */
export interface Planner {
  create(properties: RawProperties, associations?: readonly InlineAssociation[]): RowPlan;
  change(record: StoredRecord, properties: RawProperties): RowPlan;
}

/** HubSpot words some conflicts of a single write otherwise than those of a batch. */
export type Sender = 'single' | 'batch';

export function createPlanner(portal: Portal, store: ObjectStore, sender: Sender): Planner {
  const claimed = new Map<string, StoredRecord | undefined>();

  const conflictOf = (values: PropertyValues, record: StoredRecord | undefined) => {
    for (const { property, value } of store.unique.keysOf(values)) {
      const key = `${property}\n${value}`;
      const owner = store.unique.owner(property, value);
      if (owner !== undefined && owner !== record?.id) return { property, value, owner };
      const isClaimed = claimed.has(key) && (!record || claimed.get(key) !== record);
      if (isClaimed) return { property, value, owner: claimed.get(key)?.id };
    }
    return undefined;
  };

  const plan = (
    raw: RawProperties,
    record: StoredRecord | undefined,
    associations: readonly InlineAssociation[],
  ): RowPlan => {
    const { values, problems } = checkProperties(portal, store, raw, record);
    if (problems.length > 0) return { failure: badRow(problemsBody(portal, problems)) };
    const missing = record ? [] : missingNames(store.type, values);
    if (missing.length > 0) return { failure: badRow(required(store.type, missing)) };
    // Inline associations work for records that exist already.
    const stranger = associations.find((association) => !inlineLink(portal, store.type, association));
    if (stranger) return { failure: badRow(unknownTarget(stranger)) };
    const conflict = conflictOf(values, record);
    if (conflict) return { failure: conflictFailure({ portal, store, sender, record }, conflict) };
    for (const { property, value } of store.unique.keysOf(values)) claimed.set(`${property}\n${value}`, record);
    return { write: { ...(record && { record }), values, associations } };
  };

  return {
    create: (properties, associations = []) => plan(properties, undefined, associations),
    change: (record, properties) => plan(properties, record, []),
  };
}

function badRow(body: ErrorBody): RowFailure {
  return { reach: 'untraced-batch', status: 400, body };
}

export function emailConflict(portal: Portal, store: ObjectStore, existing: string | undefined): RowFailure {
  const name = store.type.singular.charAt(0).toUpperCase() + store.type.singular.slice(1);
  // A conflict between rows of one batch has no existing record id.
  const message = `${name} already exists.${existing === undefined ? '' : ` Existing ID: ${existing}`}`;
  const reach = portal.assumed.uniqueConflict === 'whole-batch' ? 'batch' : 'untraced-batch';
  return { reach, status: 409, body: { message, category: 'CONFLICT' } };
}

interface WriteContext {
  readonly portal: Portal;
  readonly store: ObjectStore;
  readonly sender: Sender;
  readonly record: StoredRecord | undefined;
}

interface UniqueConflict {
  readonly property: string;
  readonly value: string;
  /** undefined: an earlier row of the batch, whose record does not exist yet. */
  readonly owner: string | undefined;
}

function conflictFailure(context: WriteContext, conflict: UniqueConflict): RowFailure {
  const { portal, store } = context;
  const { property, owner } = conflict;
  const isEmail = store.properties.get(property)?.hasUniqueValue !== true;
  const { customUniqueConflict } = portal.assumed;
  const wording = isEmail ? emailWording(context, conflict) : customUniqueConflict;
  if (wording === 'conflict') return emailConflict(portal, store, owner);
  const message = takenValue(context, conflict);
  if (wording === 'value') return badRow({ message, category: 'VALIDATION_ERROR' });
  const problem: Problem = {
    name: property,
    error: 'UNIQUE_VALUE_CONFLICT',
    message,
    ...(owner !== undefined && { errorTokens: { existingObjectId: [owner] } }),
  };
  return badRow(problemsBody(portal, [problem]));
}

/** The 409 is documented for new contacts with another one's primary address. */
function emailWording({ portal, store, sender, record }: WriteContext, { value, owner }: UniqueConflict) {
  const isPrimary = owner !== undefined && store.get(owner)?.properties['email'] === value;
  if (sender === 'batch') return portal.assumed.batchEmailConflict;
  return !record && isPrimary ? 'conflict' : portal.assumed.singleEmailConflict;
}

/** Seen verbatim. A new record is named by the id that it would have had, which is not the record that has the value. */
function takenValue({ portal, store, record }: WriteContext, { property, value, owner }: UniqueConflict): string {
  const target = record?.id ?? String(portal.newId());
  const type = `ObjectTypeId{legacyObjectType=${store.type.singular.toUpperCase()}}`;
  const place = `portalId=${portal.id}, objectTypeId=${type}, propertyName=${property}, value=${value}`;
  return `Cannot set PropertyValueCoordinates{${place}} on ${target}. ${owner ?? 'Another row'} already has that value.`;
}

function missingNames({ requiredAnyOf, requiredAll }: ObjectType, values: PropertyValues): readonly string[] {
  const hasOne = requiredAnyOf.length === 0 || requiredAnyOf.some((name) => values[name]);
  return hasOne ? requiredAll.filter((name) => !values[name]) : requiredAnyOf;
}

function required(type: ObjectType, missing: readonly string[]): ErrorBody {
  return {
    message: `Error creating ${type.singular.toUpperCase()}. Some required properties were not set.`,
    context: { properties: [...missing] },
    category: 'VALIDATION_ERROR',
  };
}

function unknownTarget({ to }: InlineAssociation): ErrorBody {
  return { message: `The record ${to.id} to associate with does not exist.`, category: 'VALIDATION_ERROR' };
}
