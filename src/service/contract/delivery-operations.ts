import { idInPath, missing, page, searchId, type Operation } from './operation.ts';
import { assumed, count, record, timestamp } from './schema.ts';
import { z } from 'zod';
import { companySchema } from './result.ts';

/** Legacy listing of a whole profile: it can include companies of other orders, so orders are not reconciled by it. */
const deliveriesPageSchema = assumed(
  'A24',
  record({
    companies: assumed('A44', z.array(companySchema)),
    total: count(),
    limit: count(),
    offset: count(),
    has_more: z.boolean(),
  }),
);

/** Text of the website of a delivered company, with its provenance. */
export const websiteMarkdownSchema = assumed(
  'A25',
  record({
    markdown: z.string(),
    observed_at: timestamp(),
    urls: z.array(z.string()),
    content_fingerprint: assumed('A45', z.string()),
  }),
);

/** The most companies of a page of the legacy listing. */
export const listingPageSize = 200;

export const deliveryOperations = {
  listDeliveredCompanies: {
    method: 'get',
    path: '/api/v1/deliveries/{prospect_search_id}/companies',
    summary: 'Legacy profile-wide listing; never reconcile by it',
    scopes: ['delivery:read'],
    idempotency: 'none',
    params: searchId,
    query: assumed('A24', page(50, listingPageSize)),
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
    params: searchId.extend({ company_id: idInPath() }),
    query: null,
    body: null,
    responses: { 200: websiteMarkdownSchema, ...missing },
    assumed: 'A25',
  },
} as const satisfies Record<string, Operation>;
