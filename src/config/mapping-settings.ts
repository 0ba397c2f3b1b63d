/** `mapping`: which HubSpot property gets which field of a result. The settings change the defaults. */
import { z } from 'zod';
import { isManagedProperty } from '../mapping/crm-properties.ts';
import {
  partialPolicies,
  policies,
  type CrmMapping,
  type FieldMapping,
  type PathMapping,
} from '../mapping/crm-plan.ts';
import { defaultMapping, identityProperties } from '../mapping/default-mapping.ts';
import { parseTemplate } from '../mapping/templates.ts';
import { reasonCodes } from '../contract/reason-codes.ts';
import { transformNames, type TransformName } from '../mapping/transforms.ts';
import { getOwnProperty } from '../json/own-property.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { childOf, validEntries } from './partial-validation.ts';
import { findSourceProblem } from './mapping-sources.ts';

/** Removes a property from the mapping; written in place of a path or of a policy. */
const never = 'never';

const propertyName = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9_]*$/, 'must be the internal name of a HubSpot property: a-z, 0-9 and _, a letter first');

const path = z.string().min(1);

/** A number or yes/no is written as its text. */
const text = z
  .union([z.string().min(1).max(1_000), z.number(), z.boolean()], {
    error: 'must be a text of 1 to 1000 characters, a number, or true or false',
  })
  .transform(String);

const longSchema = z.strictObject({
  from: path.optional().describe('Path of the field in the result, for example company.name'),
  value: text
    .optional()
    .describe('A text instead of a field; fields may be in it, for example "{order.title} {slot.delivered_at|date}"'),
  transform: z.enum(transformNames).optional().describe('How the value is converted (see docs/mapping.md)'),
  policy: z
    .enum([...policies, never])
    .optional()
    .describe('When the property is written: always, fill-empty (the default), only-if-ours or never'),
});

const fieldSchema = z.union([path, longSchema], {
  error: 'must be a path such as company.name, a map of from or value, transform and policy, or never',
});

const fieldsSchema = z.record(propertyName, fieldSchema).default({});

/** Codes of PARTIAL rows. Codes that later versions of the service add have the default. */
const partialReasons = Object.entries(reasonCodes).flatMap(([code, reason]) =>
  reason.status === 'PARTIAL' && !('discoveryOnly' in reason) ? [code] : [],
);

const partialSchema = z.record(z.string(), z.enum(partialPolicies)).optional();

export const mappingSchema = z
  .strictObject({
    companies: fieldsSchema.describe('Company properties by internal name; they change or extend the defaults'),
    contacts: fieldsSchema.describe('Contact properties by internal name; they change or extend the defaults'),
    partial_companies: partialSchema.describe(
      'Whether the company of a PARTIAL row fills empty properties of the submitted HubSpot record: fill-empty or never, by reason code; default: for the other codes (fill-empty unless set)',
    ),
  })
  .prefault({})
  .describe('Which HubSpot property gets which field of the result');

type Fields = Readonly<Record<string, z.infer<typeof fieldSchema>>>;
type FieldMappings = Readonly<Record<string, FieldMapping>>;

export function toMapping({
  companies,
  contacts,
  partial_companies: partial,
}: z.infer<typeof mappingSchema>): CrmMapping {
  return {
    companies: mergeFields(defaultMapping.companies, companies),
    contacts: mergeFields(defaultMapping.contacts, contacts),
    ...(partial === undefined ? {} : { partialCompanies: partial }),
  };
}

/** A setting with `from` or `value` replaces the default; one without changes it. */
function mergeFields(defaults: Readonly<Record<string, PathMapping>>, settings: Fields): FieldMappings {
  const changed = Object.entries(settings).map(([property, field]): [string, FieldMapping | null] => {
    const { from, value, transform, policy } = typeof field === 'string' ? toLongForm(field) : field;
    if (policy === never) return [property, null];
    if (value !== undefined) return [property, { value, policy: policy ?? 'fill-empty' }];
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
  readonly value: string | null;
  readonly transform: TransformName | null;
}

/** An invalid transform or policy is the schema's complaint; the rest of the field is checked here. */
const fieldPart = z.union([
  z.string(),
  z.object({
    from: z.string().optional(),
    value: text.optional().catch(''),
    transform: longSchema.shape.transform.catch(undefined),
    policy: longSchema.shape.policy.catch(undefined),
  }),
]);

export function checkMapping(mapping: unknown): PathProblem[] {
  return [...checkPartial(mapping), ...checkFields(mapping)];
}

function checkPartial(mapping: unknown): PathProblem[] {
  const codes = ['default', ...partialReasons];
  return validEntries(z.unknown(), childOf(mapping, 'partial_companies')).flatMap(([code]) => {
    const path = ['mapping', 'partial_companies', code];
    return codes.includes(code)
      ? []
      : [
          problemAt(
            path,
            'is no reason of PARTIAL rows',
            `Write default, or one of ${partialReasons.join(', ')}`,
            'key',
          ),
        ];
  });
}

function checkFields(mapping: unknown): PathProblem[] {
  return (['companies', 'contacts'] as const).flatMap((object) =>
    validEntries(fieldPart, childOf(mapping, object)).flatMap(([property, field]) => {
      const {
        from = null,
        value = null,
        transform = null,
        policy,
      } = typeof field === 'string' ? toLongForm(field) : field;
      const path = ['mapping', object, property];
      const isShort = typeof field === 'string';
      return checkField({ object, property, path, isShort, isNever: policy === never, from, value, transform });
    }),
  );
}

function checkField(field: MappedField): PathProblem[] {
  const { object, property, path, isNever, from, value } = field;
  if (isManagedProperty(property))
    return [problemAt(path, 'is written by prospect-sync and cannot be mapped', 'Remove it', 'key')];
  if (property === identityProperties[object]) return checkIdentity(field);
  const defaults: Readonly<Record<string, unknown>> = defaultMapping[object];
  const hasDefault = Object.hasOwn(defaults, property);
  if (isNever) {
    const remedy = `The defaults are ${Object.keys(defaults).join(', ')}`;
    return hasDefault ? [] : [problemAt(path, 'is not in the default mapping, so never has no effect', remedy, 'key')];
  }
  if (value !== null) return checkValue(field, value);
  if (from !== null) return checkSource(field, from);
  if (!hasDefault)
    return [
      problemAt(path, 'has no source field', 'Add from, for example from: company.name, or value with a text', 'key'),
    ];
  return checkSource(field, defaultMapping[object][property]?.from ?? '');
}

/** Records are matched by these properties, so their source must stay the same. */
function checkIdentity({
  object,
  property,
  path,
  isShort,
  isNever,
  from,
  value,
  transform,
}: MappedField): PathProblem[] {
  const source = defaultMapping[object][property]?.from;
  const reason = `${object} are matched by it`;
  if (isNever) return [problemAt(path, `cannot be removed: ${reason}`, 'You can change its policy')];
  if (value !== null)
    return [problemAt([...path, 'value'], `is always filled from ${source}: ${reason}`, 'You can change its policy')];
  if (from !== null && from !== source) {
    const at = isShort ? path : [...path, 'from'];
    return [problemAt(at, `is always filled from ${source}: ${reason}`, 'You can change its policy')];
  }
  if (transform !== null)
    return [problemAt([...path, 'transform'], `takes no transform: ${reason}`, 'You can change its policy')];
  return [];
}

function checkSource({ object, path, isShort, transform, ...field }: MappedField, from: string): PathProblem[] {
  const problem = findSourceProblem(object, { from, transform });
  if (problem === null) return [];
  const at = isShort || field.from === null ? path : [...path, 'from'];
  return [problemAt(problem.concerns === 'transform' ? [...path, 'transform'] : at, problem.rule, problem.remedy)];
}

function checkValue({ object, path, from, transform }: MappedField, value: string): PathProblem[] {
  if (from !== null) return [problemAt([...path, 'value'], 'cannot be used together with from', 'Remove one of them')];
  if (transform !== null) {
    const remedy = 'Write the transform behind the field, for example {slot.delivered_at|date}';
    return [problemAt([...path, 'transform'], 'has no effect on a value', remedy)];
  }
  const template = parseTemplate(value);
  const at = [...path, 'value'];
  if ('problem' in template) {
    const remedy = `Write fields as {company.name} or {slot.delivered_at|date}, and a brace itself as {{ or }}. Transforms: ${transformNames.join(', ')}`;
    return [problemAt(at, template.problem, remedy)];
  }
  return template.parts.flatMap((part) => {
    const problem = typeof part === 'string' ? null : findSourceProblem(object, part);
    if (typeof part === 'string' || problem === null) return [];
    return [problemAt(at, `{${part.from}}: ${problem.rule}`, problem.remedy)];
  });
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
#     lifecyclestage:
#       value: lead                       # the same text in every record; may contain fields: "{order.title} {slot.delivered_at|date}"
#   partial_companies:                    # whether companies of PARTIAL rows fill empty properties of submitted records
#     default: fill-empty                 # or never
#     WEBSITE_MOVED: never                # by reason code
`;
