import { z } from 'zod';
import { reasonCodes } from './reason-codes.ts';
import { assumed, count, guessed, mayBeMissing, openEnum, record, timestamp, uuid } from './schema.ts';
import { slotStatuses } from './enum-values.ts';

const text = () => z.string();
const assumedOfProspect = <S extends z.ZodType>(schema: S) => guessed('A12', schema);
const assumedOfCompany = <S extends z.ZodType>(schema: S) => guessed('A11', schema);

/** The specification names the four fields about email only. The rest, and that each may be null, is assumed (A12). */
export const prospectSchema = record({
  id: assumedOfProspect(uuid()),
  first_name: assumedOfProspect(text()),
  last_name: assumedOfProspect(text()),
  full_name: assumedOfProspect(text()),
  job_title: assumedOfProspect(text()),
  email: assumedOfProspect(text()),
  phone: assumedOfProspect(text()),
  linkedin_url: assumedOfProspect(text()),
  qualification_score: assumedOfProspect(z.number()),
  email_status: assumedOfProspect(text()),
  email_client_deliverable: assumedOfProspect(z.boolean()),
  email_delivery_quality: assumedOfProspect(text()),
  email_delivery_quality_reason: assumedOfProspect(text()),
});
export type Prospect = z.infer<typeof prospectSchema>;

/** The specification names `source_id` only (the submitted external_id of enrichment orders). The rest is assumed. */
export const companySchema = assumed(
  'A11',
  record({
    id: assumedOfCompany(uuid()),
    source_id: guessed('A37', text()),
    name: assumedOfCompany(text()),
    website_url: assumedOfCompany(text()),
    domain: assumedOfCompany(text()),
    description: assumedOfCompany(text()),
    industry: assumedOfCompany(text()),
    employee_count: assumedOfCompany(z.int()),
    founded_year: assumedOfCompany(z.int()),
    phone: assumedOfCompany(text()),
    email: assumedOfCompany(text()),
    street: assumedOfCompany(text()),
    postal_code: assumedOfCompany(text()),
    city: assumedOfCompany(text()),
    country: assumedOfCompany(text()),
    linkedin_url: assumedOfCompany(text()),
    fit_score: assumedOfCompany(z.number()),
    prospects: guessed('A02', z.array(prospectSchema)),
  }),
);
export type Company = z.infer<typeof companySchema>;

const reasonCode = () => openEnum(Object.keys(reasonCodes));

const detail = mayBeMissing(z.string()).describe(
  'There only when a fact stands behind the reason; what it is, x-reason-codes says for each code.',
);
const reasonSchema = record({ code: reasonCode(), message: z.string(), detail });

export const slotSchema = record({
  input_position: count(),
  external_id: mayBeMissing(z.string()),
  status: openEnum(slotStatuses),
  reason_codes: z.array(reasonCode()),
  reasons: z.array(reasonSchema),
  duplicate_of_input_position: mayBeMissing(count()),
  company: companySchema.nullable(),
  delivered_at: timestamp(),
});
export type Slot = z.infer<typeof slotSchema>;

export const resultSummarySchema = record({
  requested_count: count(),
  fully_enriched_count: count(),
  annotated_count: count(),
  reasons: z.array(
    record({ code: reasonCode(), message: z.string(), label: guessed('A56', z.string()), count: count() }),
  ),
});
export type ResultSummary = z.infer<typeof resultSummarySchema>;

export const resultsPageSchema = record({
  summary: resultSummarySchema,
  total: count(),
  has_more: z.boolean(),
  items: assumed('A01', z.array(slotSchema)),
});
