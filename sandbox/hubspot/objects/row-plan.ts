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

export function createPlanner(portal: Portal, store: ObjectStore): Planner {
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
    if (conflict) return { failure: conflictFailure(portal, store, conflict, record) };
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

function conflictFailure(
  portal: Portal,
  store: ObjectStore,
  conflict: { property: string; value: string; owner: string | undefined },
  record: StoredRecord | undefined,
): RowFailure {
  const { property, value, owner } = conflict;
  const isOwnProperty = store.properties.get(property)?.hasUniqueValue === true;
  if (!isOwnProperty || portal.assumed.customUniqueConflict === 'conflict') return emailConflict(portal, store, owner);
  const target = record?.id ?? 'new';
  const place = `portalId=${portal.id}, objectTypeId=${store.type.typeId}, objectId=${target}, propertyName=${property}, value=${value}`;
  const problem: Problem = {
    name: property,
    error: 'UNIQUE_VALUE_CONFLICT',
    message: `Cannot set PropertyValueCoordinates{${place}} on ${target}. ${owner ?? 'Another row'} already has that value.`,
    ...(owner !== undefined && { errorTokens: { existingObjectId: [owner] } }),
  };
  return badRow(problemsBody(portal, [problem]));
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
