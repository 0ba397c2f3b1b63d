/** The 22 operations of the interface, once. openapi.json, the client's types and the stand-in's checks come from this table. */
import { z } from 'zod';
import {
  assignmentSchema,
  blacklistInputSchema,
  blacklistPatchSchema,
  blacklistSchema,
  blacklistsSchema,
  entriesCreatedSchema,
  entriesInputSchema,
  entriesPageSchema,
  entryIdsSchema,
} from './blacklist.ts';
import { deliveriesPageSchema, websiteMarkdownSchema } from './delivery.ts';
import { blacklistNotFoundSchema, conflictSchema, notFoundSchema, validationErrorSchema } from './errors.ts';
import { limits } from './limits.ts';
import { orderInputSchema, orderSchema } from './order.ts';
import { exportInputSchema, outputInputSchema, outputSchema, outputsPageSchema } from './output.ts';
import { profileCreationAcceptedSchema, profileCreationSchema, profileInputSchema } from './profile.ts';
import { resultsPageSchema } from './result.ts';
import { assumed, uuid } from './schema.ts';
import type { Scope } from './vocabulary.ts';

interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: `/api/v1/${string}`;
  readonly summary: string;
  readonly scopes: readonly Scope[];
  /** `required` and `optional`: an Idempotency-Key header; `replay`: keyed by the server when the header is absent. */
  readonly idempotency: 'none' | 'required' | 'optional' | 'replay';
  readonly params: z.ZodObject | null;
  readonly query: z.ZodObject | null;
  readonly body: z.ZodType | null;
  /** Answers of its own; 401, 403, 429 and 500 can come from every operation (`commonErrors` in openapi.ts). */
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
  /** What carries the decision when the specification leaves the operation open. */
  readonly assumed?: string;
}

const blacklistId = z.object({ blacklist_id: uuid() });
const searchId = z.object({ prospect_search_id: uuid() });
const orderId = z.object({ order_id: uuid() });
const outputId = orderId.extend({ output_id: z.string().min(1) });

/** Query values arrive as text: `z.coerce` reads both text and numbers. */
const offset = z.coerce.number().int().min(0).default(0).optional();
const page = (fallback: number, max: number) =>
  z.strictObject({ limit: z.coerce.number().int().min(1).max(max).default(fallback).optional(), offset });

const invalid = { 422: validationErrorSchema } as const;
const noBlacklist = { 404: blacklistNotFoundSchema, ...invalid } as const;
const missing = { 404: notFoundSchema, ...invalid } as const;
/** Rule 4 of "Blacklists" holds for blacklist ids in a body too, beside another unknown id. */
const missingOrNoBlacklist = { 404: z.union([blacklistNotFoundSchema, notFoundSchema]), ...invalid } as const;
const keyed = { 409: conflictSchema, ...missing } as const;

export const operations = {
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
  createProfile: {
    method: 'post',
    path: '/api/v1/search-profile-creations',
    summary: 'Ask for a search profile',
    scopes: ['orders:write'],
    idempotency: 'required',
    params: null,
    query: null,
    body: profileInputSchema,
    responses: { 202: profileCreationAcceptedSchema, 409: conflictSchema, ...invalid },
  },
  getProfileCreation: {
    method: 'get',
    path: '/api/v1/search-profile-creations/{profile_creation_id}',
    summary: 'Poll a profile creation',
    scopes: ['orders:read'],
    idempotency: 'none',
    params: z.object({ profile_creation_id: uuid() }),
    query: null,
    body: null,
    responses: { 200: profileCreationSchema, ...missing },
  },
  createOrder: {
    method: 'post',
    path: '/api/v1/orders',
    summary: 'Place a discovery or enrichment order',
    scopes: ['orders:write'],
    idempotency: 'optional',
    params: null,
    query: null,
    body: orderInputSchema,
    responses: { 201: orderSchema, 409: conflictSchema, ...missingOrNoBlacklist },
    assumed: 'A03',
  },
  getOrder: {
    method: 'get',
    path: '/api/v1/orders/{order_id}',
    summary: 'Read an order and its status',
    scopes: ['orders:read'],
    idempotency: 'none',
    params: orderId,
    query: null,
    body: null,
    responses: { 200: orderSchema, ...missing },
    assumed: 'A13',
  },
  listResults: {
    method: 'get',
    path: '/api/v1/orders/{order_id}/results',
    summary: 'Page through the immutable published result set',
    scopes: ['orders:read'],
    idempotency: 'none',
    params: orderId,
    query: page(limits.resultsPage.default, limits.resultsPage.max),
    body: null,
    responses: { 200: resultsPageSchema, ...keyed },
    assumed: 'A01',
  },
  createExport: {
    method: 'post',
    path: '/api/v1/orders/{order_id}/export',
    summary: 'Create a CSV or XLSX export',
    scopes: ['orders:write'],
    idempotency: 'replay',
    params: orderId,
    query: null,
    body: exportInputSchema,
    responses: { 202: outputSchema, ...keyed },
    assumed: 'A22',
  },
  createOutput: {
    method: 'post',
    path: '/api/v1/orders/{order_id}/outputs',
    summary: 'Create a durable file or Google Sheets output',
    scopes: ['orders:write'],
    idempotency: 'replay',
    params: orderId,
    query: null,
    body: outputInputSchema,
    responses: { 202: outputSchema, ...keyed },
    assumed: 'A23',
  },
  listOutputs: {
    method: 'get',
    path: '/api/v1/orders/{order_id}/outputs',
    summary: 'Page through output attempts',
    scopes: ['orders:read'],
    idempotency: 'none',
    params: orderId,
    query: assumed('A26', page(limits.outputsPage.default, 100)),
    body: null,
    responses: { 200: outputsPageSchema, ...missing },
    assumed: 'A23',
  },
  getOutput: {
    method: 'get',
    path: '/api/v1/orders/{order_id}/outputs/{output_id}',
    summary: 'Read one output receipt',
    scopes: ['orders:read'],
    idempotency: 'none',
    params: outputId,
    query: null,
    body: null,
    responses: { 200: outputSchema, ...missing },
    assumed: 'A23',
  },
  downloadExport: {
    method: 'get',
    path: '/api/v1/exports/jobs/{export_job_id}/download',
    summary: 'Download the file of a completed output; follow redirects',
    scopes: ['orders:read'],
    idempotency: 'none',
    params: z.object({ export_job_id: z.string().min(1) }),
    query: null,
    body: null,
    responses: { 200: null, 302: null, ...keyed },
    assumed: 'A23',
  },
  listDeliveredCompanies: {
    method: 'get',
    path: '/api/v1/deliveries/{prospect_search_id}/companies',
    summary: 'Legacy profile-wide listing; never reconcile by it',
    scopes: ['delivery:read'],
    idempotency: 'none',
    params: searchId,
    query: assumed('A24', page(50, 200)),
    body: null,
    responses: { 200: deliveriesPageSchema, ...missing },
    assumed: 'A24',
  },
  getWebsiteMarkdown: {
    method: 'get',
    path: '/api/v1/deliveries/{prospect_search_id}/companies/{company_id}/website-markdown',
    summary: 'Website markdown of a delivered company, with provenance',
    scopes: ['delivery:read'],
    idempotency: 'none',
    params: searchId.extend({ company_id: uuid() }),
    query: null,
    body: null,
    responses: { 200: websiteMarkdownSchema, ...missing },
    assumed: 'A25',
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
