import { z } from 'zod';
import { limits } from './limits.ts';
import { assumed, count, record, timestamp, uuid } from './schema.ts';

/** "website_url must start with http://, https:// or www.", in lower case (A46) */
export const websiteUrlPattern = /^(?:https?:\/\/|www\.)/;

export const websiteUrl = assumed(
  'A46',
  z.string().max(limits.entry.websiteUrl).regex(websiteUrlPattern, 'must start with http://, https:// or www.'),
);

export const blacklistSchema = record({
  id: uuid(),
  name: z.string(),
  description: z.string().nullable(),
  entry_count: count(),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Blacklist = z.infer<typeof blacklistSchema>;

const name = z.string().min(limits.blacklistName.min).max(limits.blacklistName.max);
const description = z.string().max(limits.blacklistDescription.max);

export const blacklistInputSchema = z.strictObject({ name, description: description.optional() });
/** Omitted fields stay unchanged; a null description clears it; a null name is refused. */
export const blacklistPatchSchema = z.strictObject({ name: name.optional(), description: description.nullish() });

export const blacklistsSchema = record({ blacklists: z.array(blacklistSchema) });

export const entryInputSchema = z.strictObject({
  company_name: assumed('A51', z.string().min(1).max(limits.entry.companyName)),
  website_url: websiteUrl.nullish(),
  city: z.string().max(limits.entry.city).nullish(),
  country: z.string().max(limits.entry.country).nullish(),
  external_id: z.string().max(limits.entry.externalId).nullish(),
  reason: z.string().max(limits.entry.reason).nullish(),
});
export type EntryInput = z.infer<typeof entryInputSchema>;

export const entriesInputSchema = z.strictObject({
  entries: z.array(entryInputSchema).min(limits.entriesPerAdd.min).max(limits.entriesPerAdd.max),
});

export const entrySchema = record({
  id: uuid(),
  company_name: z.string(),
  website_url: z.string().nullable(),
  city: z.string().nullable(),
  country: z.string().nullable(),
  external_id: z.string().nullable(),
  reason: z.string().nullable(),
  created_at: timestamp(),
});
export type Entry = z.infer<typeof entrySchema>;

/** POST entries answers a bare array. */
export const entriesCreatedSchema = z.array(entrySchema);

export const entriesPageSchema = record({
  entries: z.array(entrySchema),
  total: count(),
  limit: count(),
  offset: count(),
});

export const entryIdsSchema = z.strictObject({
  entry_ids: z.array(uuid()).min(limits.entryIdsPerRemove.min).max(limits.entryIdsPerRemove.max),
});

export const assignmentSchema = z.strictObject({
  blacklist_ids: assumed('A48', z.array(uuid()).max(limits.blacklistIdsPerAssignment.max)),
});
