/** Checks a portal before a run uses it: account, scopes, properties, owners. Changes nothing. */
import { withSentence } from '../base/text/normalize-text.ts';
import { type Account, assertPortal, type ExpectedPortal } from './portal-account.ts';
import type { HubSpotClient } from './hubspot-client.ts';
import { checkManaged, checkMapped, checkRequired, checkScopes, toDifference, type Check } from './portal-checks.ts';
import { HubSpotError } from './hubspot-error.ts';
import { findAdvice } from './address-advice.ts';
import type { ObjectType } from './hubspot-record.ts';
import type { ApiVersions } from './hubspot-api-versions.ts';
import { managedProperties, type PropertyDefinition } from './managed-properties.ts';
import type { NamedProperty, Property } from './crm-property.ts';

export interface Examination {
  readonly portal: ExpectedPortal;
  readonly versions: ApiVersions;
  /** Whether runs create the missing properties of prospect-sync. */
  readonly createProperties: boolean;
  /** Whether records are written; otherwise companies are only read. */
  readonly writes: boolean;
  /** Properties that the configuration names; those of the mapping with the values that are written. */
  readonly mustExist: readonly NamedProperty[];
  /** Mapped properties of new records. */
  readonly filled: Readonly<Record<ObjectType, readonly string[]>>;
  /** Ids of owners that the mapping assigns. */
  readonly owners: readonly string[];
  readonly readsDeals: boolean;
  readonly readsLists: boolean;
  readonly writesLists: boolean;
  readonly unsubscribes: boolean;
}

const types = ['companies', 'contacts'] as const satisfies ObjectType[];

/** @returns one entry for each check, in order */
export async function examinePortal(hubspot: HubSpotClient, examination: Examination): Promise<Check[]> {
  let account: Account;
  try {
    // After an exceeded limit, the client waits until the next call may be sent.
    account = await hubspot.account().catch((error: unknown) => {
      if (!(error instanceof HubSpotError) || !isLimit(error)) throw error;
      return hubspot.account();
    });
  } catch (error) {
    return [toProblem('HubSpot', error)];
  }
  const { portalId, accountType, timeZone } = account;
  const checks: Check[] = [
    { check: 'HubSpot', state: 'ok', message: `portal ${portalId}, ${accountType}${timeZone ? `, ${timeZone}` : ''}` },
  ];
  try {
    assertPortal(account, examination.portal);
  } catch (error) {
    // Further checks of the wrong portal would be misleading.
    return [...checks, toProblem('portal', error)];
  }
  const portal: Portal = { hubspot, properties: readOnce((type) => hubspot.properties.list(type)) };
  checks.push(await examineScopes(portal, examination));
  if (!examination.writes) return checks;
  for (const type of types) {
    const found = examineProperties(portal, type, examination);
    checks.push(...(await found.catch((error: unknown) => [toProblem(`${type}: properties`, error)])));
    if (examination.versions.objects !== 'legacy') checks.push(await examineRequired(hubspot, type, examination));
  }
  return [...checks, ...(await examineOwners(hubspot, examination.owners))];
}

/** The properties of a type are a large answer, which several checks need. */
interface Portal {
  readonly hubspot: HubSpotClient;
  readonly properties: (type: ObjectType) => Promise<ReadonlyMap<string, Property>>;
}

function readOnce<T>(read: (type: ObjectType) => Promise<T>): (type: ObjectType) => Promise<T> {
  const answers = new Map<ObjectType, Promise<T>>();
  return (type) => {
    const answer = answers.get(type) ?? read(type);
    answers.set(type, answer);
    return answer;
  };
}

interface Probe {
  /** The scope that the call needs, in case HubSpot does not name it. */
  readonly scope: string;
  readonly run: () => Promise<unknown>;
}

async function examineScopes({ hubspot, properties }: Portal, examination: Examination): Promise<Check> {
  const { writes, createProperties, readsDeals, readsLists, writesLists, unsubscribes } = examination;
  const noRecord = { ids: ['1'], properties: [] };
  const probe = (isNeeded: boolean, scope: string, run: Probe['run']) => (isNeeded ? [{ scope, run }] : []);
  const probes: Probe[] = [
    ...types.flatMap((type) => [
      ...probe(writes || type === 'companies', `crm.objects.${type}.read`, () => hubspot.objects.read(type, noRecord)),
      ...probe(writes, `crm.objects.${type}.write`, () => hubspot.objects.requireWriteScope(type)),
      ...probe(writes || type === 'companies', `crm.schemas.${type}.read`, () => properties(type)),
      ...probe(writes && createProperties, `crm.schemas.${type}.write`, () =>
        requireCreation({ hubspot, properties }, type),
      ),
    ]),
    ...probe(readsLists || writesLists, 'crm.lists.read', () => hubspot.lists.get('0')),
    ...probe(writesLists, 'crm.lists.write', () => hubspot.lists.requireWriteScope()),
    ...probe(readsDeals, 'crm.objects.deals.read', () => hubspot.objects.read('deals', noRecord)),
    ...probe(unsubscribes, 'communication_preferences.write', () => hubspot.subscriptions.requireWriteScope()),
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
  return kind === 'postponed' || status === 429;
}

/** The scope is needed only while properties of prospect-sync are missing. */
async function requireCreation({ hubspot, properties }: Portal, type: ObjectType): Promise<void> {
  const found = await properties(type).catch(() => null);
  if (found === null || managedProperties[type].every(({ name }) => found.has(name))) return;
  await hubspot.properties.requireWriteScope(type);
}

/** Empty when the mapping assigns no owner. */
async function examineOwners(hubspot: HubSpotClient, owners: readonly string[]): Promise<Check[]> {
  const check = 'owners';
  if (owners.length === 0) return [];
  try {
    const unknown: string[] = [];
    for (const id of owners) if (!(await hubspot.owners.exists(id))) unknown.push(id);
    if (unknown.length === 0) return [{ check, state: 'ok', message: owners.join(', ') }];
    const message = `the mapping assigns ${unknown.join(', ')}, and no active owner has this id. Owner ids are in the settings of HubSpot, under Users`;
    return [{ check, state: 'problem', message }];
  } catch (error) {
    // The scope is needed for this check only.
    if (!(error instanceof HubSpotError)) throw error;
    return [{ check, state: 'warning', message: `the owners of the mapping cannot be checked: ${error.message}` }];
  }
}

async function examineRequired(hubspot: HubSpotClient, type: ObjectType, { filled }: Examination): Promise<Check> {
  try {
    return checkRequired(type, await hubspot.properties.required(type), filled[type]);
  } catch (error) {
    if (!(error instanceof HubSpotError)) throw error;
    return { check: `${type}: required properties`, state: 'warning', message: `cannot be read: ${error.message}` };
  }
}

function toProblem(check: string, error: unknown): Check {
  if (!(error instanceof HubSpotError)) throw error;
  const { kind, message } = error;
  const unreachable = kind === 'connection' || kind === 'timeout';
  const advice = unreachable ? 'Check the address and the network' : findAdvice(error);
  const state = isLimit(error) ? 'warning' : 'problem';
  return { check, state, message: advice === null ? message : withSentence(message, advice) };
}

/** HubSpot's limit for each object type. */
const UNIQUE_PROPERTIES = 10;

/** Checks the prospect_sync properties, those of the configuration, and the limit for unique properties. */
async function examineProperties(
  { properties }: Portal,
  type: ObjectType,
  { createProperties, mustExist }: Examination,
): Promise<Check[]> {
  const found = await properties(type);
  const managed: readonly PropertyDefinition[] = managedProperties[type];
  const missing = managed.filter(({ name }) => !found.has(name));
  const used = [...found.values()].filter(({ hasUniqueValue, hubspotDefined }) => hasUniqueValue && !hubspotDefined);
  const isFull = used.length >= UNIQUE_PROPERTIES && missing.some(({ hasUniqueValue }) => hasUniqueValue === true);
  const differences = managed.flatMap((property) => toDifference(property, found.get(property.name)));
  return [
    checkManaged(type, { missing, differences, mayCreate: createProperties && !isFull }),
    checkMapped(type, mustExist, { found, managed: managed.map(({ name }) => name) }),
    {
      check: `${type}: unique properties`,
      state: isFull ? 'problem' : 'ok',
      message: `${used.length} of ${UNIQUE_PROPERTIES} used${isFull ? ', and one more is needed' : ''}`,
    },
  ];
}
