/** The match ladder of companies: submitted record, our key, domain; otherwise a new record. */
import { COMPANY_KEY } from '../hubspot/own-properties.ts';
import { toComparable, type CrmRecord } from '../hubspot/hubspot-record.ts';
import { findByKey } from './find-by-key.ts';
import { matched, noMatch, sharing, undecided, type Match } from './match.ts';
import type { Tools } from './projection.ts';

export interface CompanyToMatch {
  /** The record that was submitted, when external ids are record ids: then no other rung counts. */
  readonly submittedId: string | null;
  /** Records that other rows submitted for the same company: the first that is there counts as submitted by this one. */
  readonly twinIds: readonly string[];
  readonly key: string | null;
  /** Domains under which the CRM may know it, the company's own first. */
  readonly domains: readonly string[];
}

/** @returns match i belongs to company i */
export async function matchCompanies(
  tools: Tools,
  sought: readonly CompanyToMatch[],
  properties: readonly string[],
): Promise<Match[]> {
  const { hubspot, signal } = tools;
  const ids = sought.flatMap(({ submittedId, twinIds }) => [submittedId, ...twinIds].filter(isRecordId));
  const submitted = await hubspot.objects.read('companies', { ids, properties, signal });
  const companies = sought.map((company) => ({
    ...company,
    submittedId: company.submittedId ?? company.twinIds.find((id) => submitted.has(id)) ?? null,
  }));
  const keys = companies.flatMap(({ key }) => key ?? []);
  const byKey = await findByKey(tools, 'companies', keys, properties);
  const given = giveKeys(companies, submitted, byKey);
  const unknown = companies.filter(({ submittedId, key }) => submittedId === null && key !== null && !byKey.has(key));
  const byDomain = await matchByDomain(tools, unknown, given, properties);
  return companies.map((company) => {
    if (company.submittedId !== null) return matchSubmitted(company, submitted, byKey);
    const record = byKey.get(company.key ?? '');
    return record === undefined ? (byDomain.get(company) ?? noMatch) : matched('key', record);
  });
}

/**
 * A submitted record is given the key of its company, unless another record holds it; the first of those submitted has it.
 * @param byKey is brought up to date: other companies of the batch find what will be so after it
 * @returns the new keys by record id
 */
function giveKeys(
  companies: readonly CompanyToMatch[],
  submitted: ReadonlyMap<string, CrmRecord>,
  byKey: Map<string, CrmRecord>,
): Map<string, string> {
  const given = new Map<string, string>();
  for (const { submittedId, key } of companies) {
    const record = submitted.get(submittedId ?? '');
    if (record === undefined || key === null || (byKey.get(key) ?? record).id !== record.id) continue;
    byKey.set(key, record);
    given.set(record.id, key);
  }
  for (const [key, { id }] of byKey) if ((given.get(id) ?? key) !== key) byKey.delete(key);
  return given;
}

function matchSubmitted(
  { submittedId, key }: CompanyToMatch,
  submitted: ReadonlyMap<string, CrmRecord>,
  byKey: ReadonlyMap<string, CrmRecord>,
): Match {
  const record = submitted.get(submittedId ?? '');
  // Deleted in the CRM, merged or mistyped: none of them asks for a new record.
  if (record === undefined) {
    return undecided('external_id', 'submitted_record_missing', isRecordId(submittedId) ? [submittedId] : []);
  }
  const match = matched('external_id', record);
  const owner = byKey.get(key ?? '');
  return owner === undefined || owner.id === record.id ? match : sharing(match, owner.id, [COMPANY_KEY]);
}

async function matchByDomain(
  tools: Tools,
  companies: readonly CompanyToMatch[],
  given: ReadonlyMap<string, string>,
  properties: readonly string[],
): Promise<Map<CompanyToMatch, Match>> {
  const domains = companies.flatMap((company) => company.domains);
  const found = await findByDomain(tools, domains, given, properties);
  const matches = new Map(companies.map((company) => [company, judge(company, found)]));
  settleClaims(matches);
  return matches;
}

/** The search index lags: what decides, domain and key, is read from the records that it names. */
async function findByDomain(
  { hubspot, signal }: Tools,
  domains: readonly string[],
  given: ReadonlyMap<string, string>,
  properties: readonly string[],
): Promise<Map<string, CrmRecord[]>> {
  const indexed = await hubspot.objects.findByDomain('companies', domains, [], signal);
  const ids = [...indexed.values()].flatMap((records) => idsOf(records));
  const current = await hubspot.objects.read('companies', { ids, properties: [...properties, 'domain'], signal });
  const records = ids.flatMap((id) => {
    const record = current.get(id);
    const key = given.get(id);
    if (record === undefined) return [];
    return key === undefined ? [record] : [{ ...record, properties: { ...record.properties, [COMPANY_KEY]: key } }];
  });
  return Map.groupBy(records, (record) => toComparable(record.properties['domain'] ?? ''));
}

/** Two candidates are never guessed between, and a record of another company of ours is not taken away from that one. */
function judge({ key, domains: [own, ...wider] }: CompanyToMatch, found: ReadonlyMap<string, CrmRecord[]>): Match {
  if (own === undefined) return noMatch;
  const exact = found.get(own) ?? [];
  const [first] = exact;
  if (exact.length > 1) return undecided('domain', 'domain_of_several_records', idsOf(exact));
  if (first !== undefined) {
    return isOfAnother(first, key)
      ? undecided('domain', 'domain_of_another_company', idsOf(exact))
      : matched('domain', first);
  }
  // Under the wider domain a group has more companies than one: those known already are others.
  const candidates = wider.flatMap((domain) => found.get(domain) ?? []).filter((record) => !isOfAnother(record, key));
  const [only] = candidates;
  if (only === undefined) return noMatch;
  return candidates.length === 1
    ? matched('domain', only)
    : undecided('domain', 'domain_of_several_records', idsOf(candidates));
}

/** A record that several companies claim goes to the one whose own domain it has, else to none of them. */
function settleClaims(matches: Map<CompanyToMatch, Match>): void {
  const claims = Map.groupBy(matches, ([, { record }]) => record?.id ?? null);
  for (const [id, claimants] of claims) {
    if (id === null || claimants.length === 1) continue;
    const isOwn = ([{ domains }, { record }]: [CompanyToMatch, Match]) =>
      toComparable(record?.properties['domain'] ?? '') === domains[0];
    const someOwn = claimants.some(isOwn);
    for (const claimant of claimants) {
      if (isOwn(claimant)) continue;
      matches.set(claimant[0], someOwn ? noMatch : undecided('domain', 'domain_of_several_companies', [id]));
    }
  }
}

function isOfAnother({ properties }: CrmRecord, key: string | null): boolean {
  const carried = properties[COMPANY_KEY] ?? '';
  return carried !== '' && carried !== key;
}

function isRecordId(id: string | null): id is string {
  return id !== null && /^\d+$/.test(id);
}

function idsOf(records: readonly CrmRecord[]): string[] {
  return records.map(({ id }) => id);
}
