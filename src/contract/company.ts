import { z } from 'zod';
import { assumed, guessed, record, uuid } from './schema.ts';

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
