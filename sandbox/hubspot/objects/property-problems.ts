import type { ErrorBody } from '../api-error.ts';
import { dealType } from '../object-types.ts';
import { stageProblem } from '../portal/calculated-values.ts';
import type { Portal } from '../portal/portal.ts';
import { lifecycleStages } from '../built-in/property-options.ts';
import { checkValue } from '../properties/property-values.ts';
import type { ObjectStore } from '../portal/object-store.ts';
import { valueOf, type StoredRecord } from '../portal/crm-record.ts';

export type RawProperties = Readonly<Record<string, string | number | boolean | null>>;

/** Why one property of a row cannot be written. */
export interface Problem {
  readonly name: string;
  readonly error: string;
  readonly message: string;
  readonly errorTokens?: Readonly<Record<string, string[]>>;
}

/** The valid values of a row, and the problems of the others. `record`: the existing record; undefined for a new one. */
export function checkProperties(
  portal: Portal,
  store: ObjectStore,
  raw: RawProperties,
  record: StoredRecord | undefined,
): { values: Record<string, string>; problems: Problem[] } {
  const values: Record<string, string> = {};
  const problems: Problem[] = [];
  const checked = (name: string, text: string) => {
    const property = store.properties.get(name);
    if (!property) return { error: 'PROPERTY_DOESNT_EXIST', message: `Property "${name}" does not exist` };
    if (property.modificationMetadata?.readOnlyValue) {
      return { error: 'READ_ONLY_VALUE', message: `"${name}" is a read only property; its value cannot be set.` };
    }
    return text === '' ? { value: '' } : checkValue(property, text, portal.assumed.reservedTopLevelDomains);
  };

  for (const [name, value] of Object.entries(raw)) {
    const text = value === null ? '' : String(value);
    const result = checked(name, text);
    if ('error' in result) problems.push({ name, ...result });
    else if (name !== 'lifecyclestage' || !movesBackwards(record, result.value)) values[name] = result.value;
    else if (portal.assumed.backwardLifecycle === 'refused') problems.push({ name, ...backward(text) });
  }
  const stage = store.type === dealType && stageProblem(portal.pipelines, record?.properties ?? {}, values);
  if (stage && problems.length === 0) problems.push(stage);
  problems.push(...missingValues(portal, store, values, record));
  return { values, problems };
}

/** A new record needs every required property, and an existing record cannot clear one. */
function missingValues(
  portal: Portal,
  store: ObjectStore,
  values: Readonly<Record<string, string>>,
  record: StoredRecord | undefined,
): Problem[] {
  return portal
    .required(store.type)
    .filter((name) => store.properties.get(name) && (record ? valueOf(values, name) === '' : !valueOf(values, name)))
    .map((name) => ({ name, error: 'MISSING_REQUIRED_PROPERTY', message: `Property "${name}" is required` }));
}

/** The body that HubSpot answers for bad values: the details are JSON inside the message. */
export function problemsBody(portal: Portal, problems: readonly Problem[]): ErrorBody {
  const details = problems.map(({ name, error, message, errorTokens }) => ({
    isValid: false,
    message,
    error,
    name,
    localizedErrorMessage: message,
    portalId: portal.id,
    ...(errorTokens && { errorTokens }),
  }));
  return {
    message: `Property values were not valid: ${JSON.stringify(details)}`,
    errors: problems.map(({ name, error, message }) => ({ message, code: error, context: { propertyName: [name] } })),
    category: 'VALIDATION_ERROR',
  };
}

// The stage only moves forward; clearing it first allows any stage.
function movesBackwards(record: StoredRecord | undefined, stage: string): boolean {
  const current = rank(record?.properties['lifecyclestage'] ?? '');
  const next = rank(stage);
  return current !== -1 && next !== -1 && next < current;
}

function rank(stage: string): number {
  return lifecycleStages.findIndex(({ value }) => value === stage);
}

function backward(stage: string): { error: string; message: string } {
  return { error: 'INVALID_LIFECYCLE_STAGE', message: `The lifecycle stage cannot move back to ${stage}` };
}
