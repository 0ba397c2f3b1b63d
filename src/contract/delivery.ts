import { z } from 'zod';
import { companySchema } from './company.ts';
import { assumed, count, record, timestamp } from './schema.ts';

/** Legacy, profile-wide: it can include companies of other orders and must never serve to reconcile one. */
export const deliveriesPageSchema = assumed(
  'A24',
  record({
    companies: assumed('A44', z.array(companySchema)),
    total: count(),
    limit: count(),
    offset: count(),
    has_more: z.boolean(),
  }),
);

export const websiteMarkdownSchema = assumed(
  'A25',
  record({
    markdown: z.string(),
    observed_at: timestamp(),
    urls: z.array(z.string()),
    content_fingerprint: assumed('A45', z.string()),
  }),
);
