/** `service`: the address of the prospecting service, and details that its specification does not define. */
import type { Environment } from '../base/host/environment-variables.ts';
import { z } from 'zod';
import { companyFields } from '../service/contract/company-fields.ts';
import { prospectFields } from '../service/contract/prospect-fields.ts';
import { requestSettingsSchema } from '../service/contract/request-settings.ts';
import { durationSchema } from './duration.ts';
import { address, allowHttp, checkAddress, toBaseUrl } from './setting-values.ts';
import { checkVariable, serviceKeyVariable, tokenVariable, toSecret, fromEnvironment } from './environment.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { checkPart, childOf } from './partial-validation.ts';
import { getOwnProperty } from '../base/json/own-property.ts';

const path = z
  .string()
  .regex(
    /^[^\s.[\]]+(?:\[[^\s\]]+\])?(?:\.[^\s.[\]]+(?:\[[^\s\]]+\])?)*$/,
    'must be a path of field names, such as contact.email',
  )
  .nullable();

type Names<Table> = { [F in keyof Table]: Table[F] extends { specified: true } ? never : F }[keyof Table] & string;

/** One optional path for each field that the specification does not define. */
function fieldPaths<T extends Readonly<Record<string, object>>>(table: T) {
  const names = Object.keys(table).filter(
    (name): name is Names<T> => Object.hasOwn(table, name) && !('specified' in (table[name] ?? {})),
  );
  return z.partialRecord(z.enum(names), path).default({});
}

const fieldsSchema = z
  .strictObject({
    company: fieldPaths(companyFields).describe(
      'Path of each field in a company of the results; null if the service does not send the field',
    ),
    prospect: fieldPaths(prospectFields).describe(
      'Path of each field in a person of the results; null if the service does not send the field',
    ),
    order: z
      .strictObject({ order_id: path.optional().describe('Path of the order id in the response to an order') })
      .prefault({})
      .describe('Fields of the response to an order'),
  })
  .prefault({})
  .describe(
    'Names of fields that the specification does not show, if prospect-sync does not recognise them (see docs/configuration.md)',
  );

/** The specification does not show the time (A77). */
const blacklistMatchingTimes = ['at_order', 'at_publication'] as const;
export type BlacklistMatchingTime = (typeof blacklistMatchingTimes)[number];

export const serviceSchema = z
  .strictObject({
    base_url: address.describe(
      'Address of the prospecting service, for example https://api.example.com, or {env: NAME}',
    ),
    allow_http: allowHttp,
    api_key: fromEnvironment.describe('API key of the service, as {env: NAME}'),
    results_items: z
      .string()
      .min(1)
      .optional()
      .describe('Name of the array of slots on a results page, if prospect-sync does not recognise it'),
    blacklists_matched: z
      .enum(blacklistMatchingTimes)
      .default('at_publication')
      .describe('When the service matches the blacklists of an order; leaks are judged by their entries at this time'),
    timeout: durationSchema.prefault('30s').describe('Timeout of one request, for example 30s'),
    fields: fieldsSchema,
    requests: requestSettingsSchema,
  })
  .describe('The prospecting service');

export function checkService(service: unknown, env: Environment): PathProblem[] {
  return [
    ...checkAddress('service', service, env),
    ...checkPath(service, env),
    ...checkKey(childOf(service, 'api_key'), env),
  ];
}

function checkKey(key: unknown, env: Environment): PathProblem[] {
  const path = ['service', 'api_key', 'env'];
  const problems = checkVariable(path, key, tokenVariable, env);
  return problems.length > 0 ? problems : checkVariable(path, key, serviceKeyVariable, env);
}

/** Every request adds the path itself, and would ask for /api/v1/api/v1. */
function checkPath(service: unknown, env: Environment): readonly PathProblem[] {
  return checkPart(z.object({ base_url: address.optional() }), service, ({ base_url: value = '' }) => {
    const name = typeof value === 'string' ? null : value.env;
    const text = typeof value === 'string' ? value : (getOwnProperty(env, value.env) ?? '');
    if (!/\/api\/v1\/*$/.test(text)) return [];
    const path = ['service', 'base_url', ...(name === null ? [] : ['env'])];
    const subject = name === null ? '' : `environment variable ${name} `;
    return [problemAt(path, `${subject}must not end with /api/v1, which every request adds`, 'Remove /api/v1')];
  });
}

export function toService(service: z.infer<typeof serviceSchema>, env: Environment) {
  return {
    /** URL without a slash at the end. */
    baseUrl: toBaseUrl(service.base_url, env),
    apiKey: toSecret(service.api_key, env),
    /** Name of the array of slots on a results page; null: prospect-sync recognises it. */
    resultsItems: service.results_items ?? null,
    blacklistsMatched: service.blacklists_matched,
    timeoutMilliseconds: service.timeout,
    fields: service.fields,
    requests: service.requests,
  };
}

export const serviceTemplate = `# The prospecting service.
service:
  base_url: https://api.example.com       # or {env: NAME}
  api_key: {env: PROSPECTING_API_KEY}     # service dashboard: Settings, Developer, API Keys
  # allow_http: true                      # allow plain http to another machine, on a trusted network only
  # timeout: 30s                          # of one request
  # blacklists_matched: at_publication    # or at_order: when the service matches the blacklists of an order
  # results_items: items                  # name of the array of slots on a results page, if it is not recognised
  # fields:                               # fields that are not recognised; null: the service does not send the field
  #   company:                            # \`npx prospect-sync service learn\` finds and writes them: docs/configuration.md
  #     prospects: team.members           # a path that starts at the company
  #     name: firmenname
  #   prospect:
  #     email: mail
  #   order:
  #     order_id: reference               # in the response to an order
  # requests:                             # how an order is written, where the specification does not show it
  #   profile_reference: profile_id       # the field with the profile id; profile.id nests it
  #   enrichment_order_type: ENRICHMENT
  #   company_row:                        # names in a submitted row; null: not sent; a name with "domain" gets the bare domain
  #     company_name: company_name
  #     website_url: website_url
  #     city: city
  #     country: country
  #   features: send                      # send, omit or "null"
  #   ideal_customer_profile: send        # default omit; send repeats order or profile of the run, as do the next two
  #   seller_offering: send
  #   target_countries: send
`;
