import { z } from 'zod';
import { fileSchema } from './file-schema.ts';
import { ownValue } from '../json/own-value.ts';

/** Where `init` writes the schema, and where the template's first line looks for it. */
export const configSchemaFile = 'prospect-sync.schema.json';

/** The profile is the contract's own schema, which carries no words for editors. */
const profileDescriptions: Readonly<Record<string, string>> = {
  profile_name: 'Name of the search profile',
  ideal_customer_profile: 'Who the ideal customer is, in plain words',
  target_countries: 'Countries to look in, at least one',
  seller_offering: 'What you sell',
  seller_industry: 'Your own industry',
  target_cities: 'Cities to look in',
  target_industries: 'Industries to look in',
  excluded_industries: 'Industries to leave out',
  contact_roles: 'Roles of the people to find',
  output_language: 'Language of the texts, for example en',
  company_size_min: 'Smallest number of employees, a whole number above 0',
  company_size_max: 'Largest number of employees, a whole number above 0',
};

/** JSON Schema (draft 7, which YAML editors read best) of prospect-sync.yaml as a person writes it. */
export function configJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(fileSchema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema, path }) => {
      // Marks of the contract that mean nothing to an editor.
      delete jsonSchema['x-assumed'];
      const description = path.at(-3) === 'profile' && ownValue(profileDescriptions, String(path.at(-1)));
      if (description) jsonSchema.description = description;
    },
  });
}

let written: z.core.JSONSchema.BaseSchema | undefined;

/** The part of the schema that a place in the file falls under; null where there is none. */
export function schemaAt(
  path: readonly PropertyKey[],
  file: unknown,
  schema: z.core.JSONSchema._JSONSchema = (written ??= configJsonSchema()),
): z.core.JSONSchema.BaseSchema | null {
  if (typeof schema === 'boolean') return null;
  const [key, ...rest] = path;
  if (schema.oneOf) {
    const kind = childOf(file, 'kind');
    const variant = schema.oneOf.find((option) => kindOf(option) === kind);
    return variant === undefined ? null : schemaAt(path, file, variant);
  }
  // A setting with a short form: what stands in a map belongs to the long one.
  const long = typeof file === 'object' && schema.anyOf?.find((form) => childOf(form, 'type') === 'object');
  if (long) return schemaAt(path, file, long);
  if (key === undefined) return schema;
  const items = Array.isArray(schema.items) ? undefined : schema.items;
  const next =
    ownValue(schema.properties ?? {}, String(key)) ?? (typeof key === 'number' ? items : schema.additionalProperties);
  return next === undefined ? null : schemaAt(rest, childOf(file, key), next);
}

export function childOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function kindOf(schema: z.core.JSONSchema._JSONSchema): unknown {
  return typeof schema === 'boolean' ? undefined : childOf(schema.properties?.['kind'], 'const');
}
