/** `profile`, `profile_id` and `order` of a run. `profile` is the body that the service takes, hence in its own spelling. */
import { digest } from '../base/json/canonical-json.ts';
import { z } from 'zod';
import { orderInputSchema, profileInputSchema, type ProfileInput } from '../service/contract/index.ts';
import { defaultRequestSettings } from '../service/contract/request-settings.ts';
import { childOf, namedEntries } from './partial-validation.ts';
import { problemAt, type PathProblem } from './problems.ts';

export const profileSchema = profileInputSchema.describe(
  'Search profile: which companies to look for and how to qualify them',
);

export const profileIdSchema = z
  .guid({ error: 'must be the UUID of a search profile; `prospect-sync profiles` shows those of the configured runs' })
  .optional()
  .describe(
    'Id of an existing search profile, instead of `profile`. It is used as it is: never created, never changed, and not checked before the order, because the service has no operation that reads a profile',
  );

const {
  ideal_customer_profile: customer,
  seller_offering: offering,
  target_countries: countries,
} = orderInputSchema.shape;

export const orderTextsSchema = z
  .strictObject({
    ideal_customer_profile: customer.describe('Description of the ideal customer, for the orders of this run'),
    seller_offering: offering.describe('What you sell, for the orders of this run'),
    target_countries: countries.describe(
      'Countries to search, for the orders of this run: the name of one country in each text',
    ),
  })
  .optional()
  .describe(
    'Texts of the orders of this run, instead of those of its profile. Each of them needs `send` in `service.requests`, because the specification does not show whether an order may carry it',
  );

/** A search profile of the service that prospect-sync did not create. */
export interface ExistingProfile {
  readonly profile_id: string;
}

export type RunProfile = ProfileInput | ExistingProfile;

export function isExistingProfile(profile: RunProfile): profile is ExistingProfile {
  return 'profile_id' in profile;
}

/** Equal for profiles that search the same, under whatever name. */
export function searchDigest(profile: RunProfile): string {
  if (isExistingProfile(profile)) return digest(profile);
  const { profile_name: _, ...search } = profile;
  return digest(search);
}

export type OrderTexts = NonNullable<z.infer<typeof orderTextsSchema>>;

/** Fields that an order repeats when `service.requests` maps them: those of `order`, otherwise those of a profile to create. */
export function toOrderTexts({
  profile,
  orderTexts,
}: {
  profile: RunProfile;
  orderTexts: OrderTexts | null;
}): OrderTexts {
  const texts = isExistingProfile(profile) ? (orderTexts ?? {}) : { ...profile, ...orderTexts };
  const { ideal_customer_profile, seller_offering, target_countries } = texts;
  return {
    ...(ideal_customer_profile === undefined ? {} : { ideal_customer_profile }),
    ...(target_countries === undefined ? {} : { target_countries }),
    ...(seller_offering === undefined ? {} : { seller_offering }),
  };
}

export function checkProfile(path: readonly PropertyKey[], run: unknown): PathProblem[] {
  return [...checkBlankTexts(path, run), ...checkProfileSource(path, run)];
}

/** The specification allows them, and the service could search for nothing by them. */
function checkBlankTexts(path: readonly PropertyKey[], run: unknown): PathProblem[] {
  return ['profile', 'order'].flatMap((section) =>
    namedEntries(childOf(run, section)).flatMap(([field, value]) => {
      const texts = Array.isArray(value)
        ? value.map((text, index) => ({ at: [field, index], text }))
        : [{ at: [field], text: value }];
      return texts.flatMap(({ at, text }) =>
        typeof text === 'string' && /^\s+$/.test(text)
          ? [problemAt([...path, section, ...at], 'must not be blank', 'Write a text, or remove it')]
          : [],
      );
    }),
  );
}

function checkProfileSource(path: readonly PropertyKey[], run: unknown): PathProblem[] {
  const isSet = (key: string) => childOf(run, key) !== undefined;
  // A run of an unknown kind has a problem of its own.
  const isRun = ['discovery', 'enrichment'].some((kind) => kind === childOf(run, 'kind'));
  if (!isRun || isSet('profile') !== isSet('profile_id')) return [];
  const remedy =
    'Write the profile to create, or the profile_id of an existing one; `prospect-sync profiles` lists them';
  return isSet('profile')
    ? [problemAt([...path, 'profile_id'], 'cannot be combined with profile', remedy)]
    : [problemAt([...path, 'profile'], 'is missing', remedy, 'key')];
}

/** An order without a text that the file sets searches by the profile alone, and is paid. */
export function checkOrderTexts(path: readonly PropertyKey[], run: unknown, service: unknown): PathProblem[] {
  const requests = childOf(service, 'requests');
  const order = childOf(run, 'order');
  return orderTextsSchema
    .unwrap()
    .keyof()
    .options.flatMap((field) => {
      const sending = childOf(requests, field) ?? defaultRequestSettings[field];
      if (childOf(order, field) === undefined || (sending !== 'omit' && sending !== 'null')) return [];
      const setting = `service.requests.${field}`;
      const rule = `is not sent: ${setting} is ${sending}`;
      const remedy = `Set ${setting}: send if the service accepts ${field} in an order, or move the text to the profile`;
      return [problemAt([...path, 'order', field], rule, remedy, 'key')];
    });
}

/** The contract's schema has no descriptions for editors. */
export const profileDescriptions: Readonly<Record<string, string>> = {
  profile_name: 'Name of the search profile',
  ideal_customer_profile: 'Description of the ideal customer',
  target_countries: 'Countries to search, at least one: the name of one country in each text',
  seller_offering: 'What you sell',
  seller_industry: 'Your own industry',
  target_cities: 'Cities to search',
  target_industries: 'Industries to search',
  excluded_industries: 'Industries to leave out',
  contact_roles: 'Roles of the people to find',
  output_language: 'Language of the texts: a code such as en or de',
  company_size_min: 'Smallest number of employees, a whole number above 0',
  company_size_max: 'Largest number of employees, not below company_size_min',
};

/** In the template of `init`. */
export const exampleCustomer = 'Family-owned machine builders with their own engineering department';

export const profileTemplate = `    # profile_id: 0d5f3c9e-4a3e-4b55-9c0a-1f1f8d5a7b11   # an existing search profile, instead of profile
    # order:                              # instead of the texts of the profile; each needs send in service.requests
    #   ideal_customer_profile: Machine builders that replace their ERP system
    #   seller_offering: Simulation software
    #   target_countries: [Germany]
    profile: &dach                        # the anchor &dach lets another run use the same profile
      profile_name: DACH machine builders
      ideal_customer_profile: >-
        ${exampleCustomer}
        that sell to the automotive industry.
      target_countries: [Germany, Austria, Switzerland]   # at least one
      # seller_offering: Simulation software
      # seller_industry: Software
      # target_cities: [Stuttgart, Linz]
      # target_industries: [Mechanical engineering]
      # excluded_industries: [Retail]
      # contact_roles: [Head of Engineering, Managing Director]
      # output_language: en
      # company_size_min: 50
      # company_size_max: 2000            # not below company_size_min
`;
