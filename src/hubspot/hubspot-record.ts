// Records of HubSpot.
import { z } from 'zod';
import { boundText, longestId } from '../base/text/bound-text.ts';
import { isRecord } from '../base/json/own-property.ts';
import { toStorableText } from '../base/text/storable.ts';

/** Objects that prospect-sync writes. */
export type ObjectType = 'companies' | 'contacts';

/** As messages name one record. */
export const singularOf = { companies: 'company', contacts: 'contact' } as const satisfies Record<ObjectType, string>;

/** Objects that prospect-sync reads. Deals are read for their companies only, notes and tasks to find those of replies. */
export type ReadableType = ObjectType | 'deals' | 'notes' | 'tasks';

/** A record as HubSpot returns it: every value is a string, or null when empty. */
export interface CrmRecord {
  readonly id: string;
  readonly properties: Readonly<Record<string, string | null>>;
}

/** Ids are strings in v3 and numbers in some answers of v4. */
export const idSchema = z.union([z.string().max(longestId), z.number()]).transform(String);

/** Whether a text can be the id of a record, a number of 64 bits; HubSpot rejects a whole batch with another one. */
export function isRecordId(id: string | null): id is string {
  return id !== null && /^\d{1,18}$/.test(id);
}

// The SDK's classes promise shapes and check nothing.
export const recordSchema = z.object({
  id: idSchema,
  properties: z.custom<Record<string, string | null>>(areProperties).transform(toReadProperties),
});

/** Half of what it takes to read a batch would be a schema for each value. */
function areProperties(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((text) => text === null || typeof text === 'string');
}

function toReadProperties(properties: Record<string, string | null>): CrmRecord['properties'] {
  for (const [name, value] of Object.entries(properties)) {
    const read = value === null ? null : readProperty(value);
    if (read !== value) properties[name] = read;
  }
  return properties;
}

/** Cut to HubSpot's own limit, with only characters that every database can store. */
function readProperty(value: string): string {
  return toStorableText(boundText(value));
}

/** A contact's secondary addresses, which come from merges and from users. */
export const ADDITIONAL_EMAILS = 'hs_additional_emails';

/** Normalized value; empty if the property was not read. */
export function secondaryEmails({ properties }: Pick<CrmRecord, 'properties'>): string[] {
  return splitList(properties[ADDITIONAL_EMAILS]).map(toComparable);
}

/** A company's further domains, which come from merges and from users. */
export const ADDITIONAL_DOMAINS = 'hs_additional_domains';

/** Normalized value; empty if the property was not read. */
export function additionalDomains({ properties }: Pick<CrmRecord, 'properties'>): string[] {
  return splitList(properties[ADDITIONAL_DOMAINS])
    .map(toComparable)
    .filter((domain) => domain !== '');
}

/** HubSpot stores a list as one text with semicolons. */
export function splitList(value: string | null | undefined): string[] {
  return (value ?? '').split(';').filter((item) => item !== '');
}

/** HubSpot stores emails and domains in lower case, and users type spaces. */
export function toComparable(value: string): string {
  return value.trim().toLowerCase();
}
