/** `service`: where the prospecting service is, and what it does where the specification does not show it. */
import { z } from 'zod';
import { companyFields, prospectFields } from '../contract/field-table.ts';
import { requestSettingsSchema, type RequestSettings } from '../contract/request-settings.ts';
import type { FieldSettings } from '../shape/shape.ts';
import { durationSchema } from './duration.ts';
import { toBaseUrl, toSecret, type Environment } from './environment.ts';
import type { Secret } from './secret.ts';
import { address, allowHttp, fromEnvironment } from './setting-values.ts';

const path = z
  .string()
  .regex(
    /^[^\s.[\]]+(?:\[[^\s\]]+\])?(?:\.[^\s.[\]]+(?:\[[^\s\]]+\])?)*$/,
    'must be a path of field names, such as contact.email',
  )
  .nullable();

type Names<Table> = { [F in keyof Table]: Table[F] extends { specified: true } ? never : F }[keyof Table] & string;

/** One optional path a field that the specification does not name. */
function fieldPaths<T extends Readonly<Record<string, object>>>(table: T) {
  const names = Object.keys(table).filter(
    (name): name is Names<T> => Object.hasOwn(table, name) && !('specified' in (table[name] ?? {})),
  );
  return z.partialRecord(z.enum(names), path).default({});
}

const fieldsSchema = z
  .strictObject({
    company: fieldPaths(companyFields).describe(
      'Where a company of the results carries a field: its path there, or null where the service has none',
    ),
    prospect: fieldPaths(prospectFields).describe(
      'Where a person of the results carries a field: its path there, or null where the service has none',
    ),
    order: z
      .strictObject({ order_id: path.optional().describe('Path of the order id in the answer to an order') })
      .prefault({})
      .describe('Fields of the answer to an order'),
  })
  .prefault({})
  .describe(
    'Names of fields that the specification does not show, where they are not recognised (docs/configuration.md)',
  );

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
      .describe('Name of the array of slots on a results page, where it is not recognised'),
    timeout: durationSchema.prefault('30s').describe('How long one request may take, for example 30s'),
    fields: fieldsSchema,
    requests: requestSettingsSchema,
  })
  .describe('The prospecting service');

export interface ServiceConfig {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: Secret;
  /** Name of the array of slots on a results page; null: it is recognised. */
  readonly resultsItems: string | null;
  readonly timeoutMilliseconds: number;
  readonly fields: FieldSettings;
  readonly requests: RequestSettings;
}

export function toService(service: z.infer<typeof serviceSchema>, env: Environment): ServiceConfig {
  return {
    baseUrl: toBaseUrl(service.base_url, env),
    apiKey: toSecret(service.api_key, env),
    resultsItems: service.results_items ?? null,
    timeoutMilliseconds: service.timeout,
    fields: service.fields,
    requests: service.requests,
  };
}
