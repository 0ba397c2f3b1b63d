import { z } from 'zod';
import { orderTypes } from './assumed.ts';
import { websiteUrl } from './blacklist.ts';
import { limits } from './limits.ts';
import { resultSummarySchema } from './result.ts';
import { assumed, count, guessed, openEnum, record, timestamp, uuid } from './schema.ts';
import { features, orderStatuses } from './vocabulary.ts';

const texts = z.array(z.string().min(1));

export const companyRowSchema = assumed(
  'A09',
  z.strictObject({
    company_name: z.string().min(1).max(limits.entry.companyName),
    website_url: websiteUrl.nullish(),
    city: z.string().max(limits.entry.city).nullish(),
    country: z.string().max(limits.entry.country).nullish(),
    external_id: z.string().min(1).max(limits.entry.externalId).nullish(),
  }),
);
export type CompanyRow = z.infer<typeof companyRowSchema>;

export const orderInputSchema = z
  .strictObject({
    order_type: assumed('A07', z.enum(orderTypes)),
    profile_id: assumed('A08', uuid()),
    title: z.string().min(1).optional(),
    features: z.array(z.enum(features)).min(1).optional(),
    ideal_customer_profile: z.string().min(1).optional(),
    seller_offering: z.string().optional(),
    target_countries: texts.min(1).optional(),
    blacklist_ids: z.array(uuid()).max(limits.blacklistIdsPerAssignment.max).optional(),
    briefing_quantity: z.int().positive().optional(),
    companies: z.array(companyRowSchema).min(1).optional(),
    webhook_url: z.url({ protocol: /^https$/ }).optional(),
  })
  .superRefine((order, context) => {
    const discovery = order.order_type === 'DISCOVERY';
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (discovery && order.briefing_quantity === undefined)
      refuse('briefing_quantity', 'is required for a discovery order');
    if (discovery && order.companies !== undefined) refuse('companies', 'belongs to enrichment orders only');
    if (!discovery && order.companies === undefined) refuse('companies', 'is required for an enrichment order');
    if (!discovery && order.briefing_quantity !== undefined)
      refuse('briefing_quantity', 'is derived from companies in an enrichment order');
    if (!discovery && order.blacklist_ids !== undefined) refuse('blacklist_ids', 'belongs to discovery orders only');
  });
export type OrderInput = z.infer<typeof orderInputSchema>;

export const orderSchema = record({
  order_id: uuid(),
  status: openEnum(orderStatuses),
  briefing_quantity: count(),
  available_briefing_quantity: count(),
  results_published: z.boolean(),
  result_summary: resultSummarySchema.nullable(),
  order_type: guessed('A10', openEnum(orderTypes)),
  profile_id: guessed('A10', uuid()),
  title: guessed('A10', z.string()),
  features: guessed('A10', z.array(openEnum(features))),
  created_at: guessed('A10', timestamp()),
  updated_at: guessed('A10', timestamp()),
});
/** All that a client needs of the answer to an order: its id. The rest is read afterwards (A03). */
export const orderReferenceSchema = record({ order_id: uuid() });
export type OrderReference = z.infer<typeof orderReferenceSchema>;

export type Order = z.infer<typeof orderSchema>;
