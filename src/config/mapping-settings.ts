/** `mapping`: which HubSpot property gets which field of a result. The settings change the defaults. */
import { z } from 'zod';
import {
  partialPolicies,
  policies,
  type CrmMapping,
  type FieldMapping,
  type PathMapping,
} from '../delivery/mapping/crm-plan.ts';
import { defaultMapping } from '../delivery/mapping/default-mapping.ts';
import { reasonCodes } from '../service/contract/reason-codes.ts';
import { transformNames } from '../delivery/mapping/transforms.ts';
import { getOwnProperty } from '../base/json/own-property.ts';
import { filledText } from './setting-values.ts';

/** Removes a property from the mapping; written in place of a path or of a policy. */
export const never = 'never';

const propertyName = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9_]*$/, 'must be the internal name of a HubSpot property: a-z, 0-9 and _, a letter first');

const path = z.string().min(1);

/** A number or yes/no is written as its text. */
const text = z
  .union([filledText.max(1_000), z.number(), z.boolean()], {
    error: 'must be a text of 1 to 1000 characters that is not blank, a number, or true or false',
  })
  .transform(String);

const longSchema = z.strictObject({
  from: path.optional().describe('Path of the field in the result, for example company.name'),
  value: text
    .optional()
    .describe('A text instead of a field; fields may be in it, for example "{order.title} {slot.delivered_at|date}"'),
  round_robin: z
    .array(text)
    .min(1)
    .max(100)
    .optional()
    .describe('Values assigned round-robin by row position: for example owner ids, to share companies among people'),
  transform: z.enum(transformNames).optional().describe('How the value is converted (see docs/mapping.md)'),
  policy: z
    .enum([...policies, never])
    .optional()
    .describe('When the property is written: always, fill-empty (the default), only-if-ours or never'),
});

const fieldSchema = z.union([path, longSchema], {
  error: 'must be a path such as company.name, a map of from, value or round_robin, transform and policy, or never',
});

const fieldsSchema = z.record(propertyName, fieldSchema).default({});

/** Codes of PARTIAL rows. Codes that later versions of the service add have the default. */
export const partialReasons = Object.entries(reasonCodes).flatMap(([code, reason]) =>
  reason.status === 'PARTIAL' && !('discoveryOnly' in reason) ? [code] : [],
);

/** Maximum length of a property value. */
const companyTextsSchema = z.record(z.string(), text).optional();

const partialSchema = z.record(z.string(), z.enum(partialPolicies)).optional();

export const mappingSchema = z
  .strictObject({
    companies: fieldsSchema.describe('Company properties by internal name; they change or extend the defaults'),
    contacts: fieldsSchema.describe('Contact properties by internal name; they change or extend the defaults'),
    partial_companies: partialSchema.describe(
      'Whether the company of a PARTIAL row fills empty properties of the submitted HubSpot record: fill-empty or never, by reason code; default: for the other codes (fill-empty unless set)',
    ),
    company_notes: companyTextsSchema.describe(
      'Notes on the companies of rows with these reason codes: reason code and text, which may contain fields as {company.name}',
    ),
    company_tasks: companyTextsSchema.describe(
      'Tasks for the owners of the companies of rows with these reason codes: reason code and subject, which may contain fields',
    ),
  })
  .prefault({})
  .transform(({ partial_companies: partial, company_notes: notes, company_tasks: tasks, ...fields }): CrmMapping => ({
    companies: mergeFields(defaultMapping.companies, fields.companies),
    contacts: mergeFields(defaultMapping.contacts, fields.contacts),
    // Its digest is the version of the mapping: what is not set stays absent.
    ...(partial === undefined ? {} : { partialCompanies: partial }),
    ...(notes === undefined ? {} : { companyNotes: notes }),
    ...(tasks === undefined ? {} : { companyTasks: tasks }),
  }))
  .describe('Which HubSpot property gets which field of the result');

type Fields = Readonly<Record<string, z.infer<typeof fieldSchema>>>;
type FieldMappings = Readonly<Record<string, FieldMapping>>;

/** A setting with `from`, `value` or `round_robin` replaces the default; one without changes it. */
function mergeFields(defaults: Readonly<Record<string, PathMapping>>, settings: Fields): FieldMappings {
  const changed = Object.entries(settings).map(([property, field]): [string, FieldMapping | null] => {
    const {
      from,
      value,
      round_robin: roundRobin,
      transform,
      policy,
    } = typeof field === 'string' ? toLongForm(field) : field;
    if (policy === never) return [property, null];
    if (value !== undefined) return [property, { value, policy: policy ?? 'fill-empty' }];
    if (roundRobin !== undefined) return [property, { roundRobin, policy: policy ?? 'fill-empty' }];
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

export function toLongForm(text: string): z.infer<typeof longSchema> {
  return text === never ? { policy: never } : { from: text };
}

/** An invalid transform or policy is the schema's complaint; the rest of the field is checked here. */
export const fieldPart = z.union([
  z.string(),
  z.object({
    from: z.string().optional(),
    value: text.optional().catch(''),
    round_robin: longSchema.shape.round_robin.catch([]),
    transform: longSchema.shape.transform.catch(undefined),
    policy: longSchema.shape.policy.catch(undefined),
  }),
]);

export const mappingTemplate = `# Which HubSpot property gets which field of a result. docs/mapping.md lists the defaults, the fields and the transforms.
# mapping:
#   companies:
#     industry_text: company.industry     # a property that you created, by its internal name
#     description: never                  # removes a default
#     numberofemployees:
#       policy: always                    # when it is written: fill-empty (the default), always, only-if-ours, never
#     hubspot_owner_id:
#       round_robin: [111, 222]           # by turns, by the position of the row
#   contacts:
#     prospect_score:
#       from: prospect.qualification_score
#       transform: integer
#       policy: only-if-ours
#     lifecyclestage:
#       value: lead                       # the same text in every record; may contain fields: "{order.title} {slot.delivered_at|date}"
#     hubspot_owner_id:
#       from: company_record.hubspot_owner_id   # the owner of the company's HubSpot record
#   partial_companies:                    # whether companies of PARTIAL rows fill empty properties of submitted records
#     default: fill-empty                 # or never
#     WEBSITE_MOVED: never                # by reason code
#   company_notes:                        # a note on the companies of rows with a reason code
#     WEBSITE_MOVED: "Its website is now {company.domain} ({order.title})"
#   company_tasks:                        # a task for the owner of the company, due after a day
#     NO_PEOPLE_FOUND: "Find people at {company.name} by hand"
`;
