import { z } from 'zod';
import { assumed, record, uuid } from './schema.ts';

const text = () => z.string().nullable();
const guess = <S extends z.ZodType>(schema: S) => assumed('A12', schema);

/** The four email fields are named by the specification; the rest is assumed (A12). */
export const prospectSchema = record({
  id: guess(uuid()),
  first_name: guess(text()),
  last_name: guess(text()),
  full_name: guess(text()),
  job_title: guess(text()),
  email: guess(text()),
  phone: guess(text()),
  linkedin_url: guess(text()),
  qualification_score: guess(z.number().nullable()),
  email_status: text(),
  email_client_deliverable: z.boolean().nullable(),
  email_delivery_quality: text(),
  email_delivery_quality_reason: text(),
});
export type Prospect = z.infer<typeof prospectSchema>;

/** `source_id` is named by the specification (the submitted external_id of enrichment orders); the rest is assumed. */
export const companySchema = assumed(
  'A11',
  record({
    id: uuid(),
    source_id: z.string().nullable(),
    name: z.string(),
    website_url: text(),
    domain: text(),
    description: text(),
    industry: text(),
    employee_count: z.int().nullable(),
    founded_year: z.int().nullable(),
    phone: text(),
    email: text(),
    street: text(),
    postal_code: text(),
    city: text(),
    country: text(),
    linkedin_url: text(),
    fit_score: z.number().nullable(),
    prospects: assumed('A02', z.array(prospectSchema)),
  }),
);
export type Company = z.infer<typeof companySchema>;
