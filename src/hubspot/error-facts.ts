// Reads HubSpot's error bodies: of a rejected call, or of a row in `errors[]`. All fields are optional, and texts quote property values,
// so only words that look like identifiers are kept.
import { z } from 'zod';

import { boundText } from '../base/text/bound-text.ts';
import type { HubSpotErrorFacts } from './hubspot-error.ts';

type BodyFacts = Pick<
  HubSpotErrorFacts,
  'category' | 'code' | 'policyName' | 'property' | 'traceIds' | 'correlationId' | 'existingId' | 'requiredScopes'
> & {
  /** Record ids or key values that HubSpot names; for correlation only, they may be email addresses. */
  readonly ids: readonly string[];
};

const wordSchema = z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/);
const word = wordSchema.optional().catch(undefined);
/** Limit of scopes, properties and ids that are read of one error. */
const mostNamed = 20;
const words = z
  .array(wordSchema)
  .transform((named) => named.slice(0, mostNamed))
  .catch([]);
/** Trace ids of callers may consist of several words. */
const traceIds = z.array(z.string().regex(/^[A-Za-z0-9][\w.:/#-]{0,199}$/)).catch([]);
/** One id or several, as texts or numbers. Only the first one is kept. */
const recordId = z
  .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])
  .transform((id) => toRecordId([id].flat()[0]))
  .optional()
  .catch(undefined);
/** Cut, because patterns are slower on longer texts. */
const text = z.string().transform(boundText).catch('');
const texts = z.array(z.string()).catch([]);

const contextSchema = z
  .object({
    objectWriteTraceId: traceIds,
    propertyName: words,
    ids: texts,
    existingObjectId: recordId,
    requiredGranularScopes: words,
    requiredScopes: words,
  })
  .partial()
  .catch({});
const tokensSchema = z.object({ existingObjectId: recordId }).partial().catch({});

const bodySchema = z
  .object({
    message: text,
    category: word,
    subCategory: word,
    errorType: word,
    error: word,
    policyName: word,
    correlationId: word,
    context: contextSchema,
    errorTokens: tokensSchema,
    errors: z
      .array(z.object({ code: word, context: contextSchema, errorTokens: tokensSchema }).partial().catch({}))
      .catch([]),
  })
  .partial()
  .catch({});

const invalidValuesSchema = z.array(z.object({ error: word, name: word }).partial().catch({})).catch([]);

/** @param body a parsed error body, or one element of `errors` in the answer to a batch */
export function toErrorFacts(body: unknown): BodyFacts {
  const { message = '', context = {}, errorTokens = {}, errors = [], ...known } = bodySchema.parse(body);
  const existing = [{ context, errorTokens }, ...errors].flatMap((part) => [
    part.errorTokens?.existingObjectId,
    part.context?.existingObjectId,
  ]);
  const detail = errors.find((error) => error.code !== undefined || error.context?.propertyName !== undefined);
  const invalid = toInvalidValue(message);
  const nonUnique = toNonUniqueProperty(message);
  const taken = toTakenValue(message);
  return {
    category: known.category ?? known.errorType,
    code: detail?.code ?? invalid?.error ?? nonUnique?.code ?? taken?.code ?? known.error ?? known.subCategory,
    policyName: known.policyName ?? toPolicyName(message),
    property:
      detail?.context?.propertyName?.[0] ??
      context.propertyName?.[0] ??
      invalid?.name ??
      nonUnique?.property ??
      taken?.property,
    traceIds: context.objectWriteTraceId ?? [],
    correlationId: known.correlationId,
    existingId: existing.find((id) => id !== undefined) ?? toNamedRecord(message),
    requiredScopes: [context, ...errors.map((error) => error.context)].flatMap((part) => [
      ...(part?.requiredGranularScopes ?? []),
      ...(part?.requiredScopes ?? []),
    ]),
    ids: context.ids ?? [],
  };
}

const invalidValues = 'Property values were not valid: [';

/** The detail of a validation error is JSON inside the message: `Property values were not valid: [{"error": …, "name": …}]`. */
function toInvalidValue(message: string): z.infer<typeof invalidValuesSchema>[number] | undefined {
  const start = message.indexOf(invalidValues);
  const end = message.lastIndexOf(']');
  if (start < 0 || end < start) return undefined;
  try {
    return invalidValuesSchema.parse(JSON.parse(message.slice(start + invalidValues.length - 1, end + 1)))[0];
  } catch {
    return undefined;
  }
}

/**
 * `Contact already exists. Existing ID: 123`, and `Cannot set … on 4. 123 already has that value.` The second quotes the value, which
 * may contain the same words; the record stands at the end.
 */
function toNamedRecord(message: string): string | undefined {
  const taken = [...message.matchAll(/(?:^|[\s.])(\d{1,20}) already has that value/gi)].at(-1);
  return toRecordId((taken ?? /Existing ID: (\d+)/i.exec(message))?.[1]);
}

const takenValue = 'Cannot set PropertyValueCoordinates{';

/** `Cannot set PropertyValueCoordinates{portalId=…, objectTypeId=…, propertyName=…, value=…} on 4. 123 already has that value.` has no code. */
function toTakenValue(message: string): { code: string; property: string | undefined } | undefined {
  const start = message.indexOf(takenValue);
  if (start < 0) return undefined;
  // The property stands before the value, whose text is anybody's.
  const match = /propertyName=(\w{1,100})/.exec(message.slice(start, start + 300));
  return { code: 'UNIQUE_VALUE_CONFLICT', property: match?.[1] };
}

/** Record ids are digits. Any other text could be personal data. */
function toRecordId(id: string | number | undefined): string | undefined {
  return /^\d{1,20}$/.test(`${id}`) ? `${id}` : undefined;
}

const nonUnique = 'by non-unique ';

/** `Unable to perform update/upsert by non-unique 0-2 property domain` has no code, and no row causes it. */
function toNonUniqueProperty(message: string): { code: string; property: string | undefined } | undefined {
  const start = message.indexOf(nonUnique);
  if (start < 0) return undefined;
  const match = /^\S+ property(?: (\w+))?/.exec(message.slice(start + nonUnique.length));
  return match === null ? undefined : { code: NON_UNIQUE_ID_PROPERTY, property: match[1] };
}

/** A 429 of search may lack policyName. Then its message contains the window: `You have reached your secondly limit.` */
function toPolicyName(message: string): string | undefined {
  return /^You have reached your (\w{1,40}) limit/.exec(message)?.[1]?.toUpperCase();
}

/** Code of prospect-sync for an idProperty whose values are not unique in this portal. */
export const NON_UNIQUE_ID_PROPERTY = 'NON_UNIQUE_ID_PROPERTY';
