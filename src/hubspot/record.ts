import { z } from 'zod';

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
export const idSchema = z.union([z.string(), z.number()]).transform(String);

// The SDK's classes promise shapes and check nothing.
export const recordSchema = z.object({ id: idSchema, properties: z.record(z.string(), z.string().nullable()) });

/** Values and keys compare so: HubSpot lower-cases emails and domains, and people type spaces. */
export function toComparable(value: string): string {
  return value.trim().toLowerCase();
}
