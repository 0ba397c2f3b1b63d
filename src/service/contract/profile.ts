import { z } from 'zod';
import { assumed, openEnum, record, timestamp, uuid } from './schema.ts';
import { profileCreationStatuses } from './enum-values.ts';
import { conflictSchema } from './errors.ts';
import { idInPath, invalid, missing, type Operation } from './operation.ts';

const text = () => assumed('A51', z.string().min(1));
const texts = z.array(text());
const companySize = z.int().positive();

export const profileInputSchema = z
  .strictObject({
    profile_name: text(),
    ideal_customer_profile: text(),
    target_countries: texts.min(1),
    seller_offering: z.string().optional(),
    seller_industry: z.string().optional(),
    target_cities: texts.optional(),
    target_industries: texts.optional(),
    excluded_industries: texts.optional(),
    contact_roles: texts.optional(),
    output_language: text().default('en').optional(),
    company_size_min: companySize.optional(),
    company_size_max: companySize.optional(),
  })
  .refine((profile) => (profile.company_size_min ?? 1) <= (profile.company_size_max ?? Infinity), {
    path: ['company_size_min'],
    message: 'must not be above company_size_max',
  })
  .meta({ 'x-assumed': 'A32', description: 'company_size_min must not be above company_size_max.' });
export type ProfileInput = z.infer<typeof profileInputSchema>;

export const profileCreationSchema = record({
  profile_creation_id: uuid(),
  status: openEnum(profileCreationStatuses),
  profile_id: uuid().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  created_at: timestamp(),
  started_at: timestamp().nullable(),
  finished_at: timestamp().nullable(),
});
export type ProfileCreation = z.infer<typeof profileCreationSchema>;

/** `message` is on the 202 answer only. */
const profileCreationAcceptedSchema = profileCreationSchema.extend({ message: z.string() });

export const profileOperations = {
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
    params: z.object({ profile_creation_id: idInPath() }),
    query: null,
    body: null,
    responses: { 200: profileCreationSchema, ...missing },
  },
} as const satisfies Record<string, Operation>;
