/** Lines of `breach-table.ts` that differ in a field or a code only. */
import { reasonCodes } from '../../../src/service/contract/index.ts';

const profileTexts = [
  'profile_name',
  'ideal_customer_profile',
  'seller_offering',
  'seller_industry',
  'output_language',
];
const profileLists = ['target_cities', 'target_industries', 'excluded_industries', 'contact_roles'];
/** By field, a value that a service could take by mistake. */
const wrongProfileValues = [
  ...[...profileTexts, ...profileLists].map((field) => [field, '7'] as const),
  ['target_countries', '"Germany"'],
  ['company_size_min', '1.5'],
  ['company_size_max', '1.5'],
] as const;

const entryTexts = ['website_url', 'city', 'country', 'external_id', 'reason'];

/** Codes that `results.reason-codes` does not see, because another check sees them. */
const otherCodes = ['POLICY_ELIGIBLE', 'DUPLICATE_OF_SLOT', 'RESULT_LIMIT_EXCEEDED', 'HISTORICAL_DELIVERY_CONFIRMED'];
const codesOfRows = Object.keys(reasonCodes).filter((code) => !otherCodes.includes(code));

/** Whether the company is excluded, in the orders that `blacklists.matching` places after the first. */
const exclusions = [true, false, false, false, true, true, true, false, false, true, false, true, false];

export const computedBreachTable = [
  ...wrongProfileValues.flatMap(([field, wrong]) => [
    `profiles.input | createProfile 422 sent.${field}=${wrong} | answer 202 {} | ${field} ${wrong} must be refused with 422`,
    `profiles.input | createProfile sent.${field} | answer 422 invalidBody | search-profile-creations: must answer 202`,
  ]),
  ...entryTexts.map((field) => {
    const entries = `[{"company_name":"A","${field}":7}]`;
    return `entries.values | addEntries 422 sent.entries=${entries} | answer 201 [] | ${field} 7 must be refused with 422`;
  }),
  ...exclusions.map((isExcluded, index) => {
    const finding = `expected ${isExcluded}, found ${!isExcluded}`;
    return `blacklists.matching | listResults #${index + 2} | matchWrongly items[0].company foreignCompany | ${finding}`;
  }),
  ...codesOfRows.flatMap((code) => [
    `results.reason-codes | listResults | set items[reason_codes=${code}].reason_codes ["OTHER"] | ${code}: expected`,
    `results.reason-codes | listResults | set items[reason_codes=${code}].status "ENRICHED" | ${code}: expected`,
    `results.reason-codes | listResults | set items[reason_codes=${code}].reasons[].message "${code}" | ${code}: message must`,
    `results.reason-codes | listResults | set summary.reasons[code=${code}].count 2 | ${code}: summary`,
  ]),
].join('\n');
