// Checks a portal for `doctor`: account, scopes, properties, limits. Creates missing prospect_sync properties if that is allowed.
import { type Account, assertPortal, type ExpectedPortal } from './portal-account.ts';
import type { RateLimitSettings } from './rate-limiter.ts';
import type { HubSpotClient } from './hubspot-client.ts';
import { checkLimits, checkRequired, checkScopes, checkVersions, type Check } from './portal-checks.ts';
import type { NamedProperty } from './ensure-properties.ts';
import { HubSpotError } from './hubspot-error.ts';
import type { ObjectType } from './hubspot-record.ts';
import type { ApiVersions } from './hubspot-api-versions.ts';
import { managedProperties, propertyGroup, type PropertyDefinition } from './managed-properties.ts';
import { findIncompatibility, findDifference, type Property } from './crm-property.ts';

export interface Examination {
  readonly portal: ExpectedPortal;
  readonly versions: ApiVersions;
  readonly budget: RateLimitSettings;
  readonly createProperties: boolean;
  /** Properties that the configuration names; those of the mapping with the values that are written. */
  readonly mustExist: readonly NamedProperty[];
  /** Mapped properties of new records. */
  readonly filled: Readonly<Record<ObjectType, readonly string[]>>;
  /** Ids of the lists that exclusions read. */
  readonly lists: readonly string[];
  readonly readsDeals: boolean;
  readonly writesLists: boolean;
  readonly now: Date;
}

const types = ['companies', 'contacts'] as const satisfies ObjectType[];

/** Writes nothing except missing prospect_sync properties. @returns one entry for each check, in order */
export async function examinePortal(hubspot: HubSpotClient, examination: Examination): Promise<Check[]> {
  let account: Account;
  try {
    account = await hubspot.account();
  } catch (error) {
    return [toProblem('HubSpot', error)];
  }
  const { portalId, accountType, timeZone } = account;
  const checks: Check[] = [
    { check: 'HubSpot', state: 'ok', says: `portal ${portalId}, ${accountType}${timeZone ? `, ${timeZone}` : ''}` },
  ];
  try {
    assertPortal(account, examination.portal);
  } catch (error) {
    // Further checks of the wrong portal would be misleading.
    return [...checks, toProblem('portal', error)];
  }
  checks.push(await examineScopes(hubspot, examination));
  for (const type of types) {
    const found = await examineProperties(hubspot, type, examination).catch((error: unknown) => {
      const problem = toProblem(`${type}: properties`, error);
      return [error instanceof HubSpotError && isLimit(error) ? { ...problem, state: 'warning' as const } : problem];
    });
    checks.push(...found);
    if (examination.versions.objects !== 'legacy') checks.push(await examineRequired(hubspot, type, examination));
  }
  return [...checks, ...checkLimits(hubspot.limits(), examination.budget), ...checkVersions(examination)];
}

interface Probe {
  /** The scope that the call needs, in case HubSpot does not name it. */
  readonly scope: string;
  readonly run: () => Promise<unknown>;
}

async function examineScopes(hubspot: HubSpotClient, { lists, readsDeals, writesLists }: Examination): Promise<Check> {
  const missingRecord = { ids: ['1'], properties: [] };
  const probes: Probe[] = [
    ...types.flatMap((type): Probe[] => [
      { scope: `crm.objects.${type}.read`, run: () => hubspot.objects.read(type, missingRecord) },
      { scope: `crm.objects.${type}.write`, run: () => hubspot.objects.requireWriteScope(type) },
      { scope: `crm.schemas.${type}.read`, run: () => hubspot.properties.list(type) },
    ]),
    ...lists.map((id): Probe => ({ scope: 'crm.lists.read', run: () => hubspot.lists.get(id).then(assertList(id)) })),
    ...(writesLists ? [{ scope: 'crm.lists.write', run: () => hubspot.lists.requireWriteScope() }] : []),
    ...(readsDeals
      ? [{ scope: 'crm.objects.deals.read', run: () => hubspot.objects.read('deals', missingRecord) }]
      : []),
  ];
  const missing = new Set<string>();
  const [problems, unchecked]: [string[], string[]] = [[], []];
  for (const { scope, run } of probes) {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof HubSpotError)) throw error;
      if (error.status === 403) missing.add(error.requiredScopes.join(' or ') || scope);
      else (isLimit(error) ? unchecked : problems).push(error.message);
    }
  }
  return checkScopes({ missing: [...missing], problems, unchecked });
}

/** An exceeded limit is not a missing scope. */
function isLimit({ kind, status }: HubSpotError): boolean {
  return kind === 'held' || status === 429;
}

function assertList(id: string) {
  return (list: object | undefined): void => {
    if (list !== undefined) return;
    const request = { method: 'GET', path: `/crm/v3/lists/${id}` };
    throw new HubSpotError({ ...request, kind: 'answer', status: 404, code: 'LIST_MISSING' });
  };
}

async function examineRequired(hubspot: HubSpotClient, type: ObjectType, { filled }: Examination): Promise<Check> {
  try {
    return checkRequired(type, await hubspot.properties.required(type), filled[type]);
  } catch (error) {
    if (!(error instanceof HubSpotError)) throw error;
    return { check: `${type}: required properties`, state: 'warning', says: `cannot be read: ${error.message}` };
  }
}

function toProblem(check: string, error: unknown): Check {
  if (!(error instanceof HubSpotError)) throw error;
  const { kind, status, message } = error;
  if (status === 401) return { check, state: 'problem', says: `${message}. HubSpot rejects the token` };
  const unreachable = kind === 'connection' || kind === 'timeout';
  return { check, state: 'problem', says: unreachable ? `${message}. Check the address and the network` : message };
}

interface Wanted {
  readonly createProperties: boolean;
  readonly mustExist: readonly NamedProperty[];
}

/** HubSpot's limit for each object type. */
const UNIQUE_PROPERTIES = 10;

/** Checks the prospect_sync properties, those of the configuration, and the limit for unique properties. Creates missing ones if allowed. */
async function examineProperties(hubspot: HubSpotClient, type: ObjectType, wanted: Wanted): Promise<Check[]> {
  const found = await hubspot.properties.list(type);
  const managed: readonly PropertyDefinition[] = managedProperties[type];
  const missing = managed.filter(({ name }) => !found.has(name));
  const used = [...found.values()].filter(({ hasUniqueValue, hubspotDefined }) => hasUniqueValue && !hubspotDefined);
  const lacksUnique = missing.some(({ hasUniqueValue }) => hasUniqueValue === true);
  const isFull = lacksUnique && used.length >= UNIQUE_PROPERTIES;
  const differences = managed.flatMap((property) => toDifference(property, found.get(property.name)));
  const mayCreate = wanted.createProperties && !isFull && !differences.some(({ state }) => state === 'problem');
  const created =
    missing.length > 0 && mayCreate
      ? (await hubspot.properties.ensure(type, { group: propertyGroup, properties: managed, create: true })).created
      : [];
  const stillMissing = missing.filter(({ name }) => !created.includes(name));
  const createdUnique = missing.filter(({ name, hasUniqueValue }) => hasUniqueValue === true && created.includes(name));
  const now = used.length + createdUnique.length;
  return [
    checkManaged(type, { created, missing: mayCreate ? [] : stillMissing, differences }),
    checkMapped(type, wanted.mustExist, { found, managed: managed.map(({ name }) => name) }),
    {
      check: `${type}: unique properties`,
      state: isFull ? 'problem' : 'ok',
      says: `${now} of ${UNIQUE_PROPERTIES} used${isFull ? ', and one more is needed' : ''}`,
    },
  ];
}

interface PropertyProblem {
  readonly state: 'warning' | 'problem';
  readonly says: string;
}

function toDifference(wanted: PropertyDefinition, found: Property | undefined): PropertyProblem[] {
  const difference = found && findDifference(wanted, found);
  if (difference === undefined) return [];
  const state = difference === 'FIELD_TYPE_DIFFERS' ? 'warning' : 'problem';
  return [{ state, says: `${wanted.name} should be ${describe(wanted)} (${difference})` }];
}

interface ManagedState {
  readonly created: readonly string[];
  readonly missing: readonly PropertyDefinition[];
  readonly differences: readonly PropertyProblem[];
}

function checkManaged(type: ObjectType, { created, missing, differences }: ManagedState): Check {
  const says = [
    ...differences.map((difference) => difference.says),
    ...(missing.length === 0
      ? []
      : [`missing: ${missing.map((property) => `${property.name} (${describe(property)})`).join(', ')}`]),
    ...(created.length === 0 ? [] : [`created ${created.join(', ')}`]),
  ];
  const isProblem = missing.length > 0 || differences.some(({ state }) => state === 'problem');
  const state = isProblem ? 'problem' : differences.length > 0 ? 'warning' : 'ok';
  return { check: `${type}: own properties`, state, says: says.join('; ') || 'all exist' };
}

interface KnownProperties {
  readonly found: ReadonlyMap<string, Property>;
  readonly managed: readonly string[];
}

function checkMapped(
  type: ObjectType,
  mustExist: readonly NamedProperty[],
  { found, managed }: KnownProperties,
): Check {
  const check = `${type}: mapped properties`;
  const named = mustExist.filter((property) => property.type === type);
  const absent = named.filter(({ name }) => !found.has(name) && !managed.includes(name)).map(({ name }) => name);
  const incompatible = named.flatMap(({ name, holds }) => {
    const property = found.get(name);
    return (property && holds && findIncompatibility(property, holds)) ?? [];
  });
  const says = [
    ...(absent.length === 0
      ? []
      : [`not in the portal: ${absent.join(', ')}. Create them, or remove them from the mapping`]),
    ...incompatible.map((incompatibility) => incompatibility.says),
  ].join('; ');
  const isProblem = absent.length > 0 || incompatible.some(({ state }) => state === 'problem');
  return { check, state: isProblem ? 'problem' : says === '' ? 'ok' : 'warning', says: says || 'all exist' };
}

function describe({ type, fieldType, options, hasUniqueValue }: PropertyDefinition): string {
  const values = options === undefined ? '' : ` with ${options.map(({ value }) => value).join(' and ')}`;
  return `${type} as ${fieldType}${values}${hasUniqueValue === true ? ', unique' : ''}`;
}
