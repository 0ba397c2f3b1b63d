/** Which CRM companies are to be excluded: from companies, deals and lists into the ledger's staging. */
import type { ExclusionSources } from '../config/exclusion-settings.ts';
import type { HubSpotClient } from '../hubspot/hubspot-client.ts';
import { HubSpotError } from '../hubspot/hubspot-error.ts';
import type { CrmRecord } from '../hubspot/hubspot-record.ts';
import type { FoundRow } from '../ledger/exclusion-found.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { exclusionProperties } from '../companies/blacklist-entry.ts';
import { toSourceTag, type SourceTag } from './exclusion-reason.ts';
import { emptySource } from '../companies/company-source.ts';
import { nonRetryable } from '../failures/non-retryable.ts';
import { ownValue } from '../json/own-value.ts';

/** Where a long step hears of a cancellation, and tells how far it is. */
export interface Steps {
  readonly signal: AbortSignal;
  readonly reached: (count: number) => void;
}

export interface CrmScan {
  readonly syncId: string;
  readonly source: ExclusionSources;
  readonly startedAt: Date;
  /** Only what changed from then on; null for everything. */
  readonly since: Date | null;
}

/** How many companies each source named; every list and every stage is one of its own. */
export type SourceCounts = Partial<Record<SourceTag, number>>;

type Row = Omit<FoundRow, 'source'>;

const companies = '0-2';
const dealsPerRead = 1_000;
const dayMilliseconds = 24 * 3_600_000;
const isTrue = { operator: 'EQ', value: 'true' } as const;
const isFalse = { operator: 'EQ', value: 'false' } as const;

export async function findCrmExclusions(
  { hubspot, ledger }: { hubspot: HubSpotClient; ledger: Ledger },
  scan: CrmScan,
  { signal, reached }: Steps,
): Promise<SourceCounts> {
  const { syncId, source, startedAt, since } = scan;
  const counts: SourceCounts = {};
  let found = 0;
  const add = async (tag: SourceTag, rows: readonly Row[]) => {
    counts[tag] = (counts[tag] ?? 0) + rows.length;
    const tagged = rows.map((row) => ({ ...row, source: tag }));
    if (rows.length > 0) await ledger.exclusions.found.add(syncId, tagged);
    found += rows.length;
    reached(found);
  };
  // Associations may change without the deal's modified date: the next full scan finds those.
  const changed = since === null ? [] : [changedSince(since)];

  if (source.openDeals) {
    await add('open_deals', []);
    const filters = [{ propertyName: 'hs_is_closed', ...isFalse }, ...changed];
    for await (const ids of companiesOfDeals(hubspot, filters, signal)) await add('open_deals', ids.map(named));
  }
  if (source.closedWonWithinDays !== null) {
    await add('closed_won', []);
    const from = String(startedAt.getTime() - source.closedWonWithinDays * dayMilliseconds);
    const won = { propertyName: 'hs_is_closed_won', ...isTrue };
    const lately = { propertyName: 'closedate', operator: 'GTE', value: from } as const;
    const pages = companiesOfDeals(hubspot, [won, lately, ...changed], signal);
    for await (const ids of pages) await add('closed_won', ids.map(named));
  }
  for (const list of source.lists) {
    const tag = toSourceTag('lists', list);
    await add(tag, []);
    await assertCompanyList(hubspot, list, signal);
    // A list has no modified dates: it is read whole each time.
    for await (const ids of hubspot.lists.members(list, signal)) await add(tag, ids.map(named));
  }
  const tags = companyTags(source);
  if (tags.length === 0) return counts;
  for (const tag of tags) await add(tag, []);
  for await (const rows of companyRows(hubspot, scan, signal)) {
    for (const [tag, tagged] of rows) await add(tag, tagged);
  }
  if (since === null) assertStages(source, counts);
  return counts;
}

/** Stages that no company has, all of them, are misspelt; of several stages one may well be empty. */
function assertStages({ lifecycleStages }: ExclusionSources, counts: SourceCounts): void {
  if (lifecycleStages.length === 0) return;
  if (lifecycleStages.some((stage) => (counts[toSourceTag('lifecycle_stages', stage)] ?? 0) > 0)) return;
  const stages = lifecycleStages.join(', ');
  throw emptySource(`no CRM company has the lifecycle stage ${stages} (internal names; upper and lower case differ)`);
}

/** Of each page of companies those that a source names, by source. */
async function* companyRows(
  hubspot: HubSpotClient,
  { source, since }: CrmScan,
  signal: AbortSignal,
): AsyncGenerator<Map<SourceTag, Row[]>> {
  if (source.doNotContact !== null) await assertProperty(hubspot, source.doNotContact, signal);
  for await (const records of readCompanies(hubspot, source, since, signal)) {
    const rows = new Map<SourceTag, Row[]>();
    for (const record of records) {
      for (const tag of tagsOf(record, source)) rows.set(tag, [...(rows.get(tag) ?? []), toRow(record)]);
    }
    yield rows;
  }
}

type Filters = Parameters<HubSpotClient['objects']['search']>[1]['filterGroups'][number];

/** Ids of the companies of all deals that fit, those of 1,000 deals at a time. */
async function* companiesOfDeals(
  hubspot: HubSpotClient,
  filters: Filters,
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  let deals: string[] = [];
  const readLinks = async () => {
    const linked = await hubspot.associations.read('deals', 'companies', deals.splice(0, dealsPerRead), signal);
    return [...new Set([...linked.values()].flatMap((records) => records.map(({ id }) => id)))];
  };
  for await (const records of hubspot.objects.search('deals', { filterGroups: [filters], properties: [], signal })) {
    deals = [...deals, ...records.map(({ id }) => id)];
    if (deals.length >= dealsPerRead) yield await readLinks();
  }
  if (deals.length > 0) yield await readLinks();
}

/** A full scan pages all companies, which is complete at any moment; a search finds what changed, minutes later. */
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

/** What the pass over the companies can find. */
function companyTags({ lifecycleStages, doNotContact }: ExclusionSources): SourceTag[] {
  return [
    ...lifecycleStages.map((stage) => toSourceTag('lifecycle_stages', stage)),
    ...(doNotContact === null ? [] : [toSourceTag('do_not_contact')]),
  ];
}

function tagsOf({ properties }: CrmRecord, { lifecycleStages, doNotContact }: ExclusionSources): SourceTag[] {
  const stage = properties['lifecyclestage'] ?? '';
  const isExcluded = doNotContact !== null && ownValue(properties, doNotContact) === 'true';
  return [
    ...(lifecycleStages.includes(stage) ? [toSourceTag('lifecycle_stages', stage)] : []),
    ...(isExcluded ? [toSourceTag('do_not_contact')] : []),
  ];
}

/** Records of another kind share the number space of ids: their ids would name strangers. */
async function assertCompanyList(hubspot: HubSpotClient, listId: string, signal: AbortSignal): Promise<void> {
  const list = await hubspot.lists.get(listId, signal);
  if (list?.objectTypeId === companies) return;
  const what = list === undefined ? 'does not exist' : 'is no list of companies';
  throw nonRetryable('ListRefused', `HubSpot list ${listId} ${what}: nothing was changed or ordered`);
}

/** HubSpot leaves out properties that it does not know, as if they were empty; only its search refuses them. */
async function assertProperty(hubspot: HubSpotClient, property: string, signal: AbortSignal): Promise<void> {
  const filterGroups = [[{ propertyName: property, ...isTrue }]];
  const pages = hubspot.objects.search('companies', { filterGroups, properties: [], signal });
  try {
    await pages.next();
  } catch (error) {
    if (!(error instanceof HubSpotError) || error.status !== 400) throw error;
    throw nonRetryable('PropertyRefused', `HubSpot cannot search companies by ${property}`);
  }
}

function named(recordId: string): Row {
  return { recordId, json: null };
}

function toRow({ id, properties }: CrmRecord): Row {
  const kept = exclusionProperties.map((property) => [property, properties[property] ?? null]);
  return { recordId: id, json: JSON.stringify(Object.fromEntries(kept)) };
}
