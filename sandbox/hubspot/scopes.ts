import { ApiError } from './api-error.ts';
import type { ObjectType } from './object-types.ts';

type Access = 'read' | 'write';

export const allScopes: readonly string[] = [
  ...['companies', 'contacts', 'deals', 'leads'].flatMap((name) => [
    `crm.objects.${name}.read`,
    `crm.objects.${name}.write`,
  ]),
  ...['companies', 'contacts', 'deals'].flatMap((name) => [`crm.schemas.${name}.read`, `crm.schemas.${name}.write`]),
  'crm.objects.owners.read',
  'crm.lists.read',
  'crm.lists.write',
  'crm.export',
  'communication_preferences.read',
  'communication_preferences.write',
  'communication_preferences.read_write',
  'sales-email-read',
];

export function objectScopes(type: ObjectType, access: Access): string[] {
  return [`crm.objects.${type.scopedAs}.${access}`];
}

/** Definitions may be read with a scope of the records as well; changing them needs the schema scope. */
export function schemaScopes(type: ObjectType, access: Access): string[] {
  const schema = `crm.schemas.${type.scopedAs}.${access}`;
  return access === 'write' ? [schema] : [schema, `crm.objects.${type.scopedAs}.read`];
}

/** The scopes of records do not allow reading whole schemas. */
export function objectSchemaScope(type: ObjectType): string {
  return `crm.schemas.${type.scopedAs}.read`;
}

/** Answers 403 if the token has none of the scopes `anyOf`. */
export function requireScope(held: ReadonlySet<string>, anyOf: readonly string[]): void {
  if (anyOf.some((scope) => held.has(scope))) return;
  throw new ApiError(403, {
    message:
      "This app hasn't been granted all required scopes to make this call. Read more about required scopes here: https://developers.hubspot.com/scopes.",
    errors: [
      {
        message: 'One or more of the following scopes are required.',
        context: { requiredGranularScopes: [...anyOf] },
      },
    ],
    links: { scopes: 'https://developers.hubspot.com/scopes' },
    category: 'MISSING_SCOPES',
  });
}
