import { z } from 'zod';
import { limits } from './limits.ts';
import { assumed, count, record, timestamp, uuid } from './schema.ts';
import {
  idInPath,
  invalid,
  missing,
  missingOrNoBlacklist,
  noBlacklist,
  page,
  searchId,
  type Operation,
} from './operation.ts';

/** "website_url must start with http://, https:// or www."; lower case only (A46). */
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

const blacklistInputSchema = z.strictObject({ name, description: description.optional() });
/** Omitted fields stay unchanged; a null description clears it; a null name is refused. */
const blacklistPatchSchema = z.strictObject({ name: name.optional(), description: description.nullish() });

const blacklistsSchema = record({ blacklists: z.array(blacklistSchema) });

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

/** POST entries returns a plain array. */
const entriesCreatedSchema = z.array(entrySchema);

export const entriesPageSchema = record({
  entries: z.array(entrySchema),
  total: count(),
  limit: count(),
  offset: count(),
});

const entryIdsSchema = z.strictObject({
  entry_ids: z.array(uuid()).min(limits.entryIdsPerRemove.min).max(limits.entryIdsPerRemove.max),
});

const assignmentSchema = z.strictObject({
  blacklist_ids: assumed('A48', z.array(uuid()).max(limits.blacklistIdsPerAssignment.max)),
});

const blacklistId = z.object({ blacklist_id: idInPath() });

export const blacklistOperations = {
  createBlacklist: {
    method: 'post',
    path: '/api/v1/blacklists',
    summary: 'Create a blacklist',
    scopes: ['blacklists:write'],
    idempotency: 'none',
    params: null,
    query: null,
    body: blacklistInputSchema,
    responses: { 201: blacklistSchema, ...invalid },
  },
  listBlacklists: {
    method: 'get',
    path: '/api/v1/blacklists',
    summary: 'List all blacklists',
    scopes: ['blacklists:read'],
    idempotency: 'none',
    params: null,
    query: null,
    body: null,
    responses: { 200: blacklistsSchema, ...invalid },
  },
  getBlacklist: {
    method: 'get',
    path: '/api/v1/blacklists/{blacklist_id}',
    summary: 'Read a blacklist',
    scopes: ['blacklists:read'],
    idempotency: 'none',
    params: blacklistId,
    query: null,
    body: null,
    responses: { 200: blacklistSchema, ...noBlacklist },
  },
  updateBlacklist: {
    method: 'patch',
    path: '/api/v1/blacklists/{blacklist_id}',
    summary: 'Change name or description; omitted fields stay',
    scopes: ['blacklists:write'],
    idempotency: 'none',
    params: blacklistId,
    query: null,
    body: blacklistPatchSchema,
    responses: { 200: blacklistSchema, ...noBlacklist },
  },
  deleteBlacklist: {
    method: 'delete',
    path: '/api/v1/blacklists/{blacklist_id}',
    summary: 'Delete a blacklist with its entries and assignments',
    scopes: ['blacklists:write'],
    idempotency: 'none',
    params: blacklistId,
    query: null,
    body: null,
    responses: { 204: null, ...noBlacklist },
  },
  addEntries: {
    method: 'post',
    path: '/api/v1/blacklists/{blacklist_id}/entries',
    summary: 'Add 1 to 10,000 entries',
    scopes: ['blacklists:write'],
    idempotency: 'none',
    params: blacklistId,
    query: null,
    body: entriesInputSchema,
    responses: { 201: entriesCreatedSchema, ...noBlacklist },
  },
  listEntries: {
    method: 'get',
    path: '/api/v1/blacklists/{blacklist_id}/entries',
    summary: 'Page through entries; more exist while offset + limit < total',
    scopes: ['blacklists:read'],
    idempotency: 'none',
    params: blacklistId,
    query: page(limits.entriesPage.default, limits.entriesPage.max),
    body: null,
    responses: { 200: entriesPageSchema, ...noBlacklist },
  },
  removeEntries: {
    method: 'delete',
    path: '/api/v1/blacklists/{blacklist_id}/entries',
    summary: 'Remove 1 to 1,000 entries',
    scopes: ['blacklists:write'],
    idempotency: 'none',
    params: blacklistId,
    query: null,
    body: entryIdsSchema,
    responses: { 204: null, ...noBlacklist },
  },
  listAssignedBlacklists: {
    method: 'get',
    path: '/api/v1/prospect-searches/{prospect_search_id}/blacklists',
    summary: 'List the blacklists of a prospect search',
    scopes: ['blacklists:read'],
    idempotency: 'none',
    params: searchId,
    query: null,
    body: null,
    responses: { 200: blacklistsSchema, ...missing },
  },
  assignBlacklists: {
    method: 'put',
    path: '/api/v1/prospect-searches/{prospect_search_id}/blacklists',
    summary: 'Replace all assignments of a prospect search',
    scopes: ['blacklists:write'],
    idempotency: 'none',
    params: searchId,
    query: null,
    body: assignmentSchema,
    responses: { 204: null, ...missingOrNoBlacklist },
  },
} as const satisfies Record<string, Operation>;
