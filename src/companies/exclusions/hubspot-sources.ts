/** Finds the CRM companies to exclude, by deals, lists, lifecycle stages and the do-not-contact property. */
import { exclusionProperties } from '../sources/blacklist-entry.ts';
import {
  assertCompanyList,
  assertLifecycleStages,
  assertYesNoProperty,
  noCompanyInStages,
} from '../sources/crm-companies.ts';
import type { ExclusionSources } from '../../config/exclusion-settings.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import type { CrmRecord } from '../../hubspot/hubspot-record.ts';
import { getOwnProperty } from '../../base/json/own-property.ts';
import type { FoundCompany } from '../../ledger/wanted-exclusions.ts';
import { toSourceTag, type SourceTag } from './exclusion-candidate.ts';
import type { ActivityContext } from '../sources/company-source.ts';
import type { ExclusionDependencies, SourceCounts } from './scan-plan.ts';
import { dayMs } from '../../base/day-milliseconds.ts';

export interface CrmScan {
  readonly syncId: string;
  readonly source: ExclusionSources;
  readonly startedAt: Date;
  /** Start of the changes to read; null: read everything. */
  readonly since: Date | null;
}

type Company = Omit<FoundCompany, 'source'>;

interface SourcePage {
  readonly tag: SourceTag;
  readonly companies: readonly Company[];
}

const dealsPerRead = 1_000;
const isTrue = { operator: 'EQ', value: 'true' } as const;
const isFalse = { operator: 'EQ', value: 'false' } as const;

/** Stages the companies in the ledger. @returns the count of each configured source, including 0 */
export async function stageHubSpotSources(
  { hubspot, ledger }: Pick<ExclusionDependencies, 'hubspot' | 'ledger'>,
  scan: CrmScan,
  { signal, recordProgress }: ActivityContext,
): Promise<SourceCounts> {
  const counts: SourceCounts = {};
  let found = 0;
  for await (const { tag, companies } of readSources(hubspot, scan, signal)) {
    counts[tag] = (counts[tag] ?? 0) + companies.length;
    const rows = companies.map((company) => ({ ...company, source: tag }));
    if (rows.length > 0) await ledger.exclusions.addFound(scan.syncId, rows);
    recordProgress((found += rows.length));
  }
  return counts;
}

/** Each source begins with an empty page, so that it is counted even without companies. */
async function* readSources(hubspot: HubSpotClient, scan: CrmScan, signal: AbortSignal): AsyncGenerator<SourcePage> {
  const { source, startedAt, since } = scan;
  // A changed association need not change the deal's modified date: the next full scan finds it.
  const changed = since === null ? [] : [changedSince(since)];
  if (source.openDeals) {
    yield* readDealSource(hubspot, 'open_deals', [{ propertyName: 'hs_is_closed', ...isFalse }, ...changed], signal);
  }
  if (source.closedWonWithinDays !== null) {
    const from = String(startedAt.getTime() - source.closedWonWithinDays * dayMs);
    const isWon = { propertyName: 'hs_is_closed_won', ...isTrue };
    const isRecent = { propertyName: 'closedate', operator: 'GTE', value: from } as const;
    yield* readDealSource(hubspot, 'closed_won', [isWon, isRecent, ...changed], signal);
  }
  for (const list of source.lists) yield* readListSource(hubspot, list, signal);
  yield* readCompanySources(hubspot, scan, signal);
}

type Filters = Parameters<HubSpotClient['objects']['search']>[1]['filterGroups'][number];

/** The companies of all deals that match the filters, read for 1,000 deals at a time. */
async function* readDealSource(
  hubspot: HubSpotClient,
  tag: SourceTag,
  filters: Filters,
  signal: AbortSignal,
): AsyncGenerator<SourcePage> {
  yield { tag, companies: [] };
  let deals: string[] = [];
  const readCompanies = async (): Promise<SourcePage> => {
    const linked = await hubspot.associations.read('deals', 'companies', deals.splice(0, dealsPerRead), signal);
    const ids = new Set([...linked.values()].flatMap((records) => records.map(({ id }) => id)));
    return { tag, companies: [...ids].map(withoutProperties) };
  };
  for await (const records of hubspot.objects.search('deals', { filterGroups: [filters], properties: [], signal })) {
    deals = [...deals, ...records.map(({ id }) => id)];
    if (deals.length >= dealsPerRead) yield await readCompanies();
  }
  if (deals.length > 0) yield await readCompanies();
}

/** Reads all members, also in a delta scan, because memberships have no modified date. */
async function* readListSource(hubspot: HubSpotClient, list: string, signal: AbortSignal): AsyncGenerator<SourcePage> {
  const tag = toSourceTag('lists', list);
  yield { tag, companies: [] };
  await assertCompanyList(hubspot, list, signal);
  for await (const ids of hubspot.lists.members(list, signal)) yield { tag, companies: ids.map(withoutProperties) };
}

/** One pass over the companies serves the lifecycle stages and the do-not-contact property. */
async function* readCompanySources(
  hubspot: HubSpotClient,
  { source, since }: CrmScan,
  signal: AbortSignal,
): AsyncGenerator<SourcePage> {
  const { doNotContact } = source;
  const lifecycleStages = [...new Set(source.lifecycleStages)];
  if (lifecycleStages.length === 0 && doNotContact === null) return;
  await assertLifecycleStages(hubspot, lifecycleStages, signal);
  for (const stage of lifecycleStages) yield { tag: toSourceTag('lifecycle_stages', stage), companies: [] };
  if (doNotContact !== null) {
    yield { tag: 'do_not_contact', companies: [] };
    await assertYesNoProperty(hubspot, doNotContact, signal);
  }
  let hasStages = false;
  for await (const records of readCompanies(hubspot, source, since, signal)) {
    for (const stage of lifecycleStages) {
      const inStage = records.filter(({ properties }) => properties['lifecyclestage'] === stage);
      hasStages ||= inStage.length > 0;
      yield { tag: toSourceTag('lifecycle_stages', stage), companies: inStage.map(withProperties) };
    }
    if (doNotContact === null) continue;
    const flagged = records.filter(({ properties }) => getOwnProperty(properties, doNotContact) === 'true');
    yield { tag: 'do_not_contact', companies: flagged.map(withProperties) };
  }
  // Several stages may include an empty one; if all are empty, the source would exclude nothing.
  if (since === null && lifecycleStages.length > 0 && !hasStages) throw noCompanyInStages(lifecycleStages);
}

/** A full scan pages all companies, which is always complete. A search finds changes only minutes later. */
function readCompanies(
  hubspot: HubSpotClient,
  source: ExclusionSources,
  since: Date | null,
  signal: AbortSignal,
): AsyncGenerator<CrmRecord[]> {
  const { lifecycleStages, doNotContact } = source;
  const properties = [...exclusionProperties, 'lifecyclestage', ...(doNotContact === null ? [] : [doNotContact])];
  if (since === null) return hubspot.objects.list('companies', { properties, signal });
  const inStages = { propertyName: 'lifecyclestage', operator: 'IN', values: lifecycleStages } as const;
  const filterGroups: Filters[] = [
    ...(lifecycleStages.length === 0 ? [] : [[inStages, changedSince(since)]]),
    ...(doNotContact === null ? [] : [[{ propertyName: doNotContact, ...isTrue }, changedSince(since)]]),
  ];
  return hubspot.objects.search('companies', { filterGroups, properties, signal });
}

function changedSince(since: Date): Filters[number] {
  return { propertyName: 'hs_lastmodifieddate', operator: 'GTE', value: String(since.getTime()) };
}

/** Rejects lists of contacts: their record ids are also ids of unrelated companies. */
function withoutProperties(recordId: string): Company {
  return { recordId, properties: null };
}

function withProperties({ id, properties }: CrmRecord): Company {
  const kept = exclusionProperties.map((property) => [property, properties[property] ?? null]);
  return { recordId: id, properties: Object.fromEntries(kept) };
}
