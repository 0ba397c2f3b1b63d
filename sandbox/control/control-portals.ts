/** HubSpot portals, their settings and service keys. With one portal per test, parallel tests need no reset. */
import { z } from 'zod';
import { maxIncreases, plans, type Rates } from '../hubspot/limits/subscription-plans.ts';
import { offsetMs } from '../hubspot/limits/time-zone.ts';
import { objectTypes } from '../hubspot/object-types.ts';
import { accountTypes } from '../hubspot/portal/portal.ts';
import type { HubSpotSandbox, PortalChange, PortalState } from '../hubspot/hubspot-sandbox.ts';
import {
  operationDefaults,
  refusalSchema,
  notFoundResponse,
  type ControlOperation,
  route,
  type ControlRoute,
} from './control-operation.ts';

const rate = z.int().positive().nullable();
const ratesSchema = z.strictObject({
  burst: rate,
  daily: rate,
  search: rate,
  association_burst: rate,
  association_daily: rate,
});
const otherRates = z.strictObject({
  burst: rate.exactOptional(),
  daily: rate.exactOptional(),
  search: rate.exactOptional(),
  association_burst: rate.exactOptional(),
  association_daily: rate.exactOptional(),
});

const namesByType = z
  .record(z.string(), z.array(z.string().min(1)).readonly())
  .refine((byType) => Object.keys(byType).every((type) => objectTypes.some(({ plural }) => plural === type)), {
    message: `must name object types: ${objectTypes.map(({ plural }) => plural).join(', ')}`,
  })
  .meta({ propertyNames: { enum: objectTypes.map(({ plural }) => plural) } });

const settings = {
  /** `none` counts nothing. */
  plan: z.enum(plans),
  /** Purchased API limit increases. */
  increases: z.int().min(0).max(maxIncreases),
  time_zone: z.string().refine(isTimeZone, 'must be an IANA name such as Europe/Berlin'),
  /** Properties that dated paths require. */
  required_properties: namesByType,
  /** Properties that a workflow, form or list uses; they cannot be archived. */
  properties_in_use: namesByType,
  search_lag_ms: z.int().min(0),
};

/** `rates` overrides limits of the plan; null means no limit. */
const settingsSchema = z.strictObject({ ...settings, rates: otherRates }).partial();

const portalSchema = z.strictObject({
  portal_id: z.int(),
  name: z.string(),
  account_type: z.enum(accountTypes),
  ...settings,
  /** Limits in use: calls of a key in ten seconds, of all keys in a day, searches in a second, association calls in both times. */
  rates: ratesSchema,
  daily_used: z.int(),
});

const portalParams = z.object({ portal_id: z.coerce.number().int() });

export const portalOperations = {
  createPortal: {
    ...operationDefaults,
    method: 'post',
    path: '/portals',
    summary: 'Create an empty HubSpot portal with a token that has every scope; no rate limits unless a plan is given',
    body: settingsSchema.extend({ name: z.string().min(1), account_type: z.enum(accountTypes).optional() }),
    responses: { 201: z.strictObject({ portal_id: z.int(), token: z.string() }) },
  },
  listPortals: {
    ...operationDefaults,
    method: 'get',
    path: '/portals',
    summary: 'List the HubSpot portals, oldest first, with their settings and rate limits',
    responses: { 200: z.strictObject({ portals: z.array(portalSchema) }) },
  },
  changePortal: {
    ...operationDefaults,
    method: 'patch',
    path: '/portals/{portal_id}',
    summary: 'Change the settings of a portal, or the number of calls used today',
    params: portalParams,
    body: settingsSchema.extend({ daily_used: z.int().min(0).optional() }),
    responses: { 200: portalSchema, ...notFoundResponse },
  },
  createPortalToken: {
    ...operationDefaults,
    method: 'post',
    path: '/portals/{portal_id}/tokens',
    summary: 'Issue a service key with exactly these scopes',
    params: portalParams,
    body: z.strictObject({ scopes: z.array(z.string().min(1)) }),
    responses: { 201: z.strictObject({ token: z.string() }), ...notFoundResponse },
  },
  resetPortal: {
    ...operationDefaults,
    method: 'post',
    path: '/portals/{portal_id}/reset',
    summary: 'Empty one portal and clear its faults, journal and call counts; its settings and tokens stay',
    params: portalParams,
    responses: { 204: null, 404: refusalSchema },
  },
} as const satisfies Record<string, ControlOperation>;

export function portalRoutes(hubspot: HubSpotSandbox): ControlRoute[] {
  return [
    route(portalOperations.createPortal, ({ body: { name, account_type: accountType, ...given } }) => {
      const known = accountType === undefined ? { name } : { name, accountType };
      const { portalId, token } = hubspot.createPortal({ ...known, ...toChange(given) });
      return { portal_id: portalId, token };
    }),
    route(portalOperations.listPortals, () => ({ portals: hubspot.portals().map(toBody) })),
    route(portalOperations.changePortal, ({ params, body }) =>
      toBody(hubspot.configure(params.portal_id, toChange(body))),
    ),
    route(portalOperations.createPortalToken, ({ params, body }) => ({
      token: hubspot.createToken({ portalId: params.portal_id, scopes: body.scopes }),
    })),
    route(portalOperations.resetPortal, ({ params }) => hubspot.reset(params.portal_id)),
  ];
}

type PortalSettingsInput = z.infer<typeof settingsSchema> & { readonly daily_used?: number | undefined };

/** Contains only the given settings. */
function toChange(given: PortalSettingsInput): PortalChange {
  const { plan, increases, rates, daily_used, time_zone, required_properties, properties_in_use, search_lag_ms } =
    given;
  return {
    ...(plan !== undefined && { plan }),
    ...(increases !== undefined && { increases }),
    ...(rates !== undefined && { rates: toRates(rates) }),
    ...(daily_used !== undefined && { dailyUsed: daily_used }),
    ...(time_zone !== undefined && { timeZone: time_zone }),
    ...(required_properties !== undefined && { requiredProperties: required_properties }),
    ...(properties_in_use !== undefined && { propertiesInUse: properties_in_use }),
    ...(search_lag_ms !== undefined && { searchLagMs: search_lag_ms }),
  };
}

function toBody({ portalId, name, accountType, settings: known, rates, dailyUsed }: PortalState) {
  return {
    portal_id: portalId,
    name,
    account_type: accountType,
    plan: known.plan,
    increases: known.increases,
    rates: fromRates(rates),
    daily_used: dailyUsed,
    time_zone: known.timeZone,
    required_properties: { ...known.requiredProperties },
    properties_in_use: { ...known.propertiesInUse },
    search_lag_ms: known.searchLagMs,
  };
}

function toRates({ association_burst, association_daily, ...rates }: z.infer<typeof otherRates>): Partial<Rates> {
  return {
    ...rates,
    ...(association_burst !== undefined && { associationBurst: association_burst }),
    ...(association_daily !== undefined && { associationDaily: association_daily }),
  };
}

function fromRates({ associationBurst, associationDaily, ...rates }: Rates): z.infer<typeof ratesSchema> {
  return { ...rates, association_burst: associationBurst, association_daily: associationDaily };
}

function isTimeZone(name: string): boolean {
  try {
    offsetMs(0, name);
    return true;
  } catch {
    return false;
  }
}
