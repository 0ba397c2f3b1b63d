import { z } from 'zod';
import { reasonCodes } from './reason-codes.ts';
import { assumed, count, guessed, mayBeMissing, openEnum, record, timestamp, uuid } from './schema.ts';
import { slotStatuses } from './vocabulary.ts';

const text = () => z.string();
const ofProspect = <S extends z.ZodType>(schema: S) => guessed('A12', schema);
const ofCompany = <S extends z.ZodType>(schema: S) => guessed('A11', schema);

/** The four email fields are named by the specification; the rest is assumed, and that each may be null (A12). */
export const prospectSchema = record({
  id: ofProspect(uuid()),
  first_name: ofProspect(text()),
  last_name: ofProspect(text()),
  full_name: ofProspect(text()),
  job_title: ofProspect(text()),
  email: ofProspect(text()),
  phone: ofProspect(text()),
  linkedin_url: ofProspect(text()),
  qualification_score: ofProspect(z.number()),
  email_status: ofProspect(text()),
  email_client_deliverable: ofProspect(z.boolean()),
  email_delivery_quality: ofProspect(text()),
  email_delivery_quality_reason: ofProspect(text()),
});
export type Prospect = z.infer<typeof prospectSchema>;

/** `source_id` is named by the specification (the submitted external_id of enrichment orders); the rest is assumed. */
export const companySchema = assumed(
  'A11',
  record({
    id: ofCompany(uuid()),
    source_id: guessed('A37', text()),
    name: ofCompany(text()),
    website_url: ofCompany(text()),
    domain: ofCompany(text()),
    description: ofCompany(text()),
    industry: ofCompany(text()),
    employee_count: ofCompany(z.int()),
    founded_year: ofCompany(z.int()),
    phone: ofCompany(text()),
    email: ofCompany(text()),
    street: ofCompany(text()),
    postal_code: ofCompany(text()),
    city: ofCompany(text()),
    country: ofCompany(text()),
    linkedin_url: ofCompany(text()),
    fit_score: ofCompany(z.number()),
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
