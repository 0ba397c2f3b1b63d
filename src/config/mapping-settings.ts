/** `mapping`: which HubSpot property gets which field of a result. The settings change the defaults. */
import { z } from 'zod';
import { isManagedProperty } from '../mapping/crm-properties.ts';
import { policies, type CrmMapping, type FieldMapping } from '../mapping/crm-plan.ts';
import { defaultMapping, identityProperties } from '../mapping/default-mapping.ts';
import { isRawPath, sourcePaths } from '../mapping/source-paths.ts';
import { transformNames, transforms, type SourceKind, type TransformName } from '../mapping/transforms.ts';
import { getOwnProperty } from '../json/own-property.ts';
import { toPrintableKey } from '../text/printable-text.ts';
import { suggestions } from '../text/suggestions.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { childOf, validEntries } from './partial-validation.ts';

/** Removes a property from the mapping; written in place of a path or of a policy. */
const never = 'never';

const propertyName = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9_]*$/, 'must be the internal name of a HubSpot property: a-z, 0-9 and _, a letter first');

const path = z.string().min(1);

const longSchema = z.strictObject({
  from: path.optional().describe('Path of the field in the result, for example company.name'),
  transform: z.enum(transformNames).optional().describe('How the value is converted (see docs/mapping.md)'),
  policy: z
    .enum([...policies, never])
    .optional()
    .describe('When the property is written: always, fill-empty (the default), only-if-ours or never'),
});

const fieldSchema = z.union([path, longSchema], {
  error: 'must be a path such as company.name, a map of from, transform and policy, or never',
});

const fieldsSchema = z.record(propertyName, fieldSchema).default({});

export const mappingSchema = z
  .strictObject({
    companies: fieldsSchema.describe('Company properties by internal name; they change or extend the defaults'),
    contacts: fieldsSchema.describe('Contact properties by internal name; they change or extend the defaults'),
  })
  .prefault({})
  .describe('Which HubSpot property gets which field of the result');

type Fields = Readonly<Record<string, z.infer<typeof fieldSchema>>>;
type FieldMappings = Readonly<Record<string, FieldMapping>>;

export function toMapping({ companies, contacts }: z.infer<typeof mappingSchema>): CrmMapping {
  return {
    companies: mergeFields(defaultMapping.companies, companies),
    contacts: mergeFields(defaultMapping.contacts, contacts),
  };
}

/** A setting with `from` replaces the default; one without changes it. */
function mergeFields(defaults: FieldMappings, settings: Fields): FieldMappings {
  const changed = Object.entries(settings).map(([property, field]): [string, FieldMapping | null] => {
    const { from, transform, policy } = typeof field === 'string' ? toLongForm(field) : field;
    if (policy === never) return [property, null];
    const base =
      from === undefined
        ? getOwnProperty(defaults, property)
        : { from, transform: null, policy: 'fill-empty' as const };
    if (base === undefined) return [property, null];
    return [property, { from: base.from, transform: transform ?? base.transform, policy: policy ?? base.policy }];
  });
  const merged = { ...defaults, ...Object.fromEntries(changed) };
  return Object.fromEntries(Object.entries(merged).flatMap(([name, field]) => (field === null ? [] : [[name, field]])));
}

function toLongForm(text: string): z.infer<typeof longSchema> {
  return text === never ? { policy: never } : { from: text };
}

type ObjectName = keyof typeof identityProperties;

/** One property in its long form. */
interface MappedField {
  readonly object: ObjectName;
  readonly property: string;
  readonly path: readonly PropertyKey[];
  readonly isShort: boolean;
  readonly isNever: boolean;
  readonly from: string | null;
  readonly transform: TransformName | null;
}

/** An invalid transform or policy is the schema's complaint; the rest of the field is checked here. */
const fieldPart = z.union([
  z.string(),
  z.object({
    from: z.string().optional(),
    transform: longSchema.shape.transform.catch(undefined),
    policy: longSchema.shape.policy.catch(undefined),
  }),
]);

export function checkMapping(mapping: unknown): PathProblem[] {
  return (['companies', 'contacts'] as const).flatMap((object) =>
    validEntries(fieldPart, childOf(mapping, object)).flatMap(([property, field]) => {
      const { from = null, transform = null, policy } = typeof field === 'string' ? toLongForm(field) : field;
      const path = ['mapping', object, property];
      const isShort = typeof field === 'string';
      return checkField({ object, property, path, isShort, isNever: policy === never, from, transform });
    }),
  );
}

function checkField(field: MappedField): PathProblem[] {
  const { object, property, path, isNever, from } = field;
  if (isManagedProperty(property))
    return [problemAt(path, 'is written by prospect-sync and cannot be mapped', 'Remove it', 'key')];
  if (property === identityProperties[object]) return checkIdentity(field);
  const defaults: Readonly<Record<string, unknown>> = defaultMapping[object];
  const hasDefault = Object.hasOwn(defaults, property);
  if (isNever) {
    const remedy = `The defaults are ${Object.keys(defaults).join(', ')}`;
    return hasDefault ? [] : [problemAt(path, 'is not in the default mapping, so never has no effect', remedy, 'key')];
  }
  if (from !== null) return checkSource(field, from);
  if (!hasDefault) return [problemAt(path, 'has no source field', 'Add from, for example from: company.name', 'key')];
  return checkSource(field, defaultMapping[object][property]?.from ?? '');
}

/** Records are matched by these properties, so their source must stay the same. */
function checkIdentity({ object, property, path, isShort, isNever, from, transform }: MappedField): PathProblem[] {
  const source = defaultMapping[object][property]?.from;
  const reason = `${object} are matched by it`;
  if (isNever) return [problemAt(path, `cannot be removed: ${reason}`, 'You can change its policy')];
  if (from !== null && from !== source) {
    const at = isShort ? path : [...path, 'from'];
    return [problemAt(at, `is always filled from ${source}: ${reason}`, 'You can change its policy')];
  }
  if (transform !== null)
    return [problemAt([...path, 'transform'], `takes no transform: ${reason}`, 'You can change its policy')];
  return [];
}

function checkSource({ object, path, isShort, transform, ...field }: MappedField, from: string): PathProblem[] {
  const at = isShort || field.from === null ? path : [...path, 'from'];
  // A field outside the specification may have any type.
  if (isRawPath(from) && !(object === 'companies' && from.startsWith('raw.prospect.'))) return [];
  const kind = sourcePaths.get(from);
  if (object === 'companies' && /^(?:raw\.)?prospect\./.test(from))
    return [
      problemAt(
        at,
        'a company has many prospects, not one',
        'For their number, use company.prospects with transform count',
      ),
    ];
  if (kind === undefined)
    return [problemAt(at, `there is no field "${toPrintableKey(from)}"`, () => similarPaths(from, object))];
  if (transform === null)
    return isList(kind) ? [problemAt(at, `is ${kinds[kind]} and needs a transform`, transformsFor(kind))] : [];
  return transforms[transform].takes.includes(kind)
    ? []
    : [
        problemAt(
          [...path, 'transform'],
          `${transform} does not accept ${kinds[kind]}: ${from} is one`,
          transformsFor(kind),
        ),
      ];
}

function isList(kind: SourceKind): boolean {
  return kind === 'list' || kind === 'records';
}

const kinds: Readonly<Record<SourceKind, string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'a yes or no',
  list: 'a list',
  records: 'a list of records',
};

function transformsFor(kind: SourceKind): string {
  const names = transformNames.filter((name) => transforms[name].takes.includes(kind));
  if (names.length === 0) return 'Remove transform: this field takes none';
  const fields = kind === 'records' ? '; or name a field of the records' : isList(kind) ? '' : ', or none';
  return `Transforms for ${kinds[kind]}: ${names.join(', ')}${fields}`;
}

function similarPaths(from: string, object: ObjectName): string {
  const known = [...sourcePaths.keys()].filter((path) => object === 'contacts' || !path.startsWith('prospect.'));
  const found = known.filter((path) => path.endsWith(`.${from}`));
  const suggested = found.length > 0 ? found : suggestions(from, known);
  if (suggested.length > 0) return `Did you mean ${suggested.join(' or ')}?`;
  const fields = known.filter((path) => path.startsWith(`${from.split('.')[0]}.`));
  if (fields.length > 0) return `Known there: ${fields.join(', ')}`;
  return `A path begins with ${object === 'contacts' ? 'slot, order, company, prospect or raw' : 'slot, order, company or raw'}`;
}

export const mappingTemplate = `# Which HubSpot property gets which field of a result. docs/mapping.md lists the defaults, the fields and the transforms.
# mapping:
#   companies:
#     industry_text: company.industry     # a property that you created, by its internal name
#     description: never                  # removes a default
#     numberofemployees:
#       policy: always                    # when it is written: fill-empty (the default), always, only-if-ours, never
#   contacts:
#     prospect_score:
#       from: prospect.qualification_score
#       transform: integer
#       policy: only-if-ours
`;
