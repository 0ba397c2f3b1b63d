/** `profile` of a run: the body that the service takes, hence in its own spelling. */
import { profileInputSchema } from '../contract/index.ts';

export const profileSchema = profileInputSchema.describe(
  'Search profile: which companies to look for and how to qualify them',
);

/** The contract's schema has no descriptions for editors. */
export const profileDescriptions: Readonly<Record<string, string>> = {
  profile_name: 'Name of the search profile',
  ideal_customer_profile: 'Description of the ideal customer',
  target_countries: 'Countries to search, at least one',
  seller_offering: 'What you sell',
  seller_industry: 'Your own industry',
  target_cities: 'Cities to search',
  target_industries: 'Industries to search',
  excluded_industries: 'Industries to leave out',
  contact_roles: 'Roles of the people to find',
  output_language: 'Language of the texts, for example en',
  company_size_min: 'Smallest number of employees, a whole number above 0',
  company_size_max: 'Largest number of employees, not below company_size_min',
};

export const profileTemplate = `    profile: &dach                        # the anchor &dach lets another run use the same profile
      profile_name: DACH machine builders
      ideal_customer_profile: >-
        Family-owned machine builders with their own engineering department
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
