import { z } from 'zod';
import { boundText, longestId } from '../text/bound-text.ts';
import { toStorableText } from '../text/storable.ts';

/** What is written. */
export type ObjectType = 'companies' | 'contacts';

/** What is read; deals only to learn whose they are. */
export type ReadableType = ObjectType | 'deals';

/** A record as HubSpot keeps it: every value a string, null when empty. */
export interface CrmRecord {
  readonly id: string;
  readonly properties: Readonly<Record<string, string | null>>;
}

/** Ids are strings in v3 and numbers in some answers of v4. */
export const idSchema = z.union([z.string().max(longestId), z.number()]).transform(String);

// The SDK's classes promise shapes and check nothing.
export const recordSchema = z.object({
  id: idSchema,
  properties: z.record(z.string(), z.string().transform(readProperty).nullable()),
});

/** Values of people and of other programs: as long as HubSpot's own limit, and of characters that every database holds. */
function readProperty(value: string): string {
  return toStorableText(boundText(value));
}

/** A contact's secondary addresses, made so by a merge or a person. */
export const ADDITIONAL_EMAILS = 'hs_additional_emails';

/** Comparable; none where the property was not asked for. */
export function secondaryEmails({ properties }: Pick<CrmRecord, 'properties'>): string[] {
  return listOf(properties[ADDITIONAL_EMAILS]).map(toComparable);
}

/** HubSpot keeps lists in one text. */
export function listOf(value: string | null | undefined): string[] {
  return (value ?? '').split(';').filter((item) => item !== '');
}

/** Values and keys compare so: HubSpot lower-cases emails and domains, and people type spaces. */
export function toComparable(value: string): string {
  return value.trim().toLowerCase();
}
