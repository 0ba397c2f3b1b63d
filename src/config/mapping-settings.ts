/** Which CRM property gets which field: what is written, laid over the defaults, and what the program runs on. */
import { z } from 'zod';
import { policies, type CrmMapping, type FieldMapping } from '../mapping/crm-plan.ts';
import { defaultMapping } from '../mapping/default-mapping.ts';
import { transformNames } from '../mapping/transforms.ts';
import { ownValue } from '../json/own-value.ts';

/** Takes a property out of the mapping; stands in place of a path or of a policy. */
export const never = 'never';

const propertyName = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9_]*$/, 'must be the internal name of a HubSpot property: a-z, 0-9 and _, a letter first');

const path = z.string().min(1);

const longSchema = z.strictObject({
  from: path.optional().describe('Path of the field in the result, for example company.name'),
  transform: z.enum(transformNames).optional().describe('How the value is rewritten: see docs/mapping.md'),
  policy: z
    .enum([...policies, never])
    .optional()
    .describe('When it is written: always, fill-empty (the default), only-if-ours, never'),
});

const fieldSchema = z.union([path, longSchema], {
  error: 'must be a path such as company.name, a map of from, transform and policy, or never',
});

const fieldsSchema = z.record(propertyName, fieldSchema).default({});

export const mappingSchema = z
  .strictObject({
    companies: fieldsSchema.describe('Properties of companies, by internal name, beside the defaults'),
    contacts: fieldsSchema.describe('Properties of contacts, by internal name, beside the defaults'),
  })
  .prefault({})
  .describe('Which HubSpot property gets which field of the result');

type Fields = Readonly<Record<string, z.infer<typeof fieldSchema>>>;
type FieldMappings = Readonly<Record<string, FieldMapping>>;

export function toMapping({ companies, contacts }: z.infer<typeof mappingSchema>): CrmMapping {
  return {
    companies: layOver(defaultMapping.companies, companies),
    contacts: layOver(defaultMapping.contacts, contacts),
  };
}

/** A new `from` starts afresh; without one, what is written changes the default. */
function layOver(defaults: FieldMappings, written: Fields): FieldMappings {
  const changed = Object.entries(written).map(([property, field]): [string, FieldMapping | null] => {
    const { from, transform, policy } = typeof field === 'string' ? unfold(field) : field;
    if (policy === never) return [property, null];
    const base =
      from === undefined ? ownValue(defaults, property) : { from, transform: null, policy: 'fill-empty' as const };
    if (base === undefined) return [property, null];
    return [property, { from: base.from, transform: transform ?? base.transform, policy: policy ?? base.policy }];
  });
  const merged = { ...defaults, ...Object.fromEntries(changed) };
  return Object.fromEntries(Object.entries(merged).flatMap(([name, field]) => (field === null ? [] : [[name, field]])));
}

function unfold(written: string): z.infer<typeof longSchema> {
  return written === never ? { policy: never } : { from: written };
}
