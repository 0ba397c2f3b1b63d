/** Describes every member of a certificate for docs/certificate.md, from its schema. */
import { z } from 'zod';
import { certificateSchema } from '../src/proof/certificate/certificate-document.ts';
import { signatureSchema } from '../src/proof/certificate/signature.ts';

/** `name`: dotted; `[]` for each item of a list. */
export interface MemberDescription {
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** In the order of the document; an object comes before its members. */
export function describeCertificate(): MemberDescription[] {
  return describeMembers(
    '',
    z.toJSONSchema(
      certificateSchema.extend({ signature: signatureSchema.describe('The signature of all other members') }),
    ),
  );
}

function describeMembers(parent: string, schema: JsonSchema): MemberDescription[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
    if (typeof member === 'boolean') return [];
    const name = `${parent}${key}`;
    const { schema: inner, isNullable } = withoutNull(member);
    const items = inner.type === 'array' && isSchema(inner.items) ? inner.items : null;
    const type = `${toType(inner)}${isNullable ? ' or null' : ''}`;
    const nested = items === null ? describeMembers(`${name}.`, inner) : describeMembers(`${name}[].`, items);
    return [{ name, type, description: member.description ?? inner.description ?? '' }, ...nested];
  });
}

function withoutNull(schema: JsonSchema): { readonly schema: JsonSchema; readonly isNullable: boolean } {
  const forms = (schema.anyOf ?? []).filter(isSchema);
  const other = forms.find(({ type }) => type !== 'null');
  return { schema: other ?? schema, isNullable: forms.some(({ type }) => type === 'null') };
}

function toType(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(' or ');
  if (schema.type === 'array') return isSchema(schema.items) ? `list of ${toType(schema.items)}` : 'list';
  if (schema.type === 'integer') return 'count';
  if (schema.type === 'object')
    return isSchema(schema.additionalProperties) && schema.properties === undefined ? 'counts by name' : 'object';
  return schema.format === 'date-time' ? 'time' : 'text';
}

function isSchema(schema: unknown): schema is JsonSchema {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema);
}
