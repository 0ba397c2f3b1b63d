import { z } from 'zod';
import { ownValue } from '../json/own-value.ts';
import { fileSchema } from './file-schema.ts';
import { profileDescriptions } from './profile-settings.ts';
import { childOf } from './valid-parts.ts';

/** `init` writes the schema to it, and the first line of the template refers to it. */
export const configSchemaFile = 'prospect-sync.schema.json';

/** JSON Schema (draft 7, which YAML editors read best) of prospect-sync.yaml as a user writes it. */
export function configJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(fileSchema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema, path }) => {
      // A mark of the contract that editors do not know.
      delete jsonSchema['x-assumed'];
      const description = path.at(-3) === 'profile' && ownValue(profileDescriptions, String(path.at(-1)));
      if (description) jsonSchema.description = description;
    },
  });
}

let cached: z.core.JSONSchema.BaseSchema | undefined;

/** The part of the schema that describes the value at a path; null if there is none. */
export function schemaAt(
  path: readonly PropertyKey[],
  file: unknown,
  schema: z.core.JSONSchema._JSONSchema = (cached ??= configJsonSchema()),
): z.core.JSONSchema.BaseSchema | null {
  if (typeof schema === 'boolean') return null;
  const [key, ...rest] = path;
  if (schema.oneOf) {
    const kind = childOf(file, 'kind');
    const variant = schema.oneOf.find((option) => kindOf(option) === kind);
    return variant === undefined ? null : schemaAt(path, file, variant);
  }
  // A setting with a short form: a map is its long form.
  const long = typeof file === 'object' && schema.anyOf?.find((form) => childOf(form, 'type') === 'object');
  if (long) return schemaAt(path, file, long);
  if (key === undefined) return schema;
  const items = Array.isArray(schema.items) ? undefined : schema.items;
  const next =
    ownValue(schema.properties ?? {}, String(key)) ?? (typeof key === 'number' ? items : schema.additionalProperties);
  return next === undefined ? null : schemaAt(rest, childOf(file, key), next);
}

function kindOf(schema: z.core.JSONSchema._JSONSchema): unknown {
  return typeof schema === 'boolean' ? undefined : childOf(schema.properties?.['kind'], 'const');
}
