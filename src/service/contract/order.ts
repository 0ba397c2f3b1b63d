import { z } from 'zod';
import { orderTypes } from './assumptions.ts';
import { websiteUrl } from './blacklist.ts';
import { limits } from './limits.ts';
import { resultSummarySchema } from './result.ts';
import { assumed, count, guessed, openEnum, record, timestamp, uuid } from './schema.ts';
import { features, orderStatuses } from './enum-values.ts';

const text = () => assumed('A51', z.string().min(1));

export const companyRowSchema = assumed(
  'A09',
  z.strictObject({
    company_name: text().max(limits.entry.companyName),
    website_url: websiteUrl.nullish(),
    city: z.string().max(limits.entry.city).nullish(),
    country: z.string().max(limits.entry.country).nullish(),
    external_id: text().max(limits.entry.externalId).nullish(),
  }),
);
export type CompanyRow = z.infer<typeof companyRowSchema>;

/** A JSON schema that no value satisfies. */
const absent = { not: {} } as const;

/** The schema accepts any http address: which ones are allowed depends on the configuration of the server. */
const receiverRule = 'Notified of the order status. A public https address; any other is refused with 422.';

export const orderInputSchema = z
  .strictObject({
    order_type: assumed('A07', z.enum(orderTypes)),
    profile_id: assumed('A08', uuid()),
    title: text().optional(),
    features: assumed('A51', z.array(z.enum(features)).min(1)).optional(),
    ideal_customer_profile: text().optional(),
    seller_offering: z.string().optional(),
    target_countries: assumed('A51', z.array(text()).min(1)).optional(),
    blacklist_ids: assumed('A47', z.array(uuid()).max(limits.blacklistIdsPerAssignment.max)).optional(),
    briefing_quantity: assumed('A51', z.int().positive()).optional(),
    companies: assumed('A51', z.array(companyRowSchema).min(1)).optional(),
    webhook_url: assumed('A54', z.url({ protocol: /^https?$/ }).describe(receiverRule)).optional(),
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
  })
  .meta({
    oneOf: [
      {
        properties: { order_type: { const: 'DISCOVERY' }, companies: absent },
        required: ['order_type', 'briefing_quantity'],
      },
      {
        properties: { order_type: { const: 'ENRICHMENT' }, briefing_quantity: absent, blacklist_ids: absent },
        required: ['order_type', 'companies'],
      },
    ],
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
export const ordersPageSchema = assumed(
  'A79',
  record({ orders: z.array(orderSchema), total: count(), limit: count(), offset: count(), has_more: z.boolean() }),
);

export type Order = z.infer<typeof orderSchema>;
