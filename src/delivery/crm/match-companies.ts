/** Matches companies to HubSpot records: by submitted record id, then by key, then by domain. */
import { COMPANY_KEY } from '../../hubspot/managed-properties.ts';
import {
  ADDITIONAL_DOMAINS,
  additionalDomains,
  isRecordId,
  toComparable,
  type CrmRecord,
} from '../../hubspot/hubspot-record.ts';
import {
  ambiguous,
  carriesAnotherKey,
  findByKey,
  matched,
  noMatch,
  otherCompany,
  withConflict,
  type Match,
} from './record-match.ts';
import type { ProjectionDependencies } from './slot-batch.ts';

/** The values by which a company is matched. */
export interface CompanyIdentity {
  /** The submitted record, if external ids are record ids. Other rules are then not applied. */
  readonly submittedId: string | null;
  /** Records that DUPLICATE rows submitted for the same company; the first that exists counts as submitted by this row. */
  readonly duplicateRecordIds: readonly string[];
  readonly key: string | null;
  /** Domains that the record may have, the company's own domain first. */
  readonly domains: readonly string[];
}

/** @returns the match of each company */
export async function matchCompanies<Identity extends CompanyIdentity>(
  dependencies: ProjectionDependencies,
  identities: readonly Identity[],
  properties: readonly string[],
): Promise<Map<Identity, Match>> {
  const { hubspot, signal } = dependencies;
  const ids = identities.flatMap(({ submittedId, duplicateRecordIds }) =>
    [submittedId, ...duplicateRecordIds].filter(isRecordId),
  );
  const submitted = await hubspot.objects.read('companies', { ids, properties, signal });
  const companies = identities.map((company) => ({
    ...company,
    identity: company,
    submittedId: company.submittedId ?? company.duplicateRecordIds.find((id) => submitted.has(id)) ?? null,
  }));
  const keys = companies.flatMap(({ key }) => key ?? []);
  const stored = await findByKey(dependencies, 'companies', keys, properties);
  const { newKeys, byKey } = assignKeys(companies, submitted, stored);
  const unmatched = companies.filter(({ submittedId, key }) => submittedId === null && key !== null && !byKey.has(key));
  const byDomain = await matchByDomain(dependencies, unmatched, newKeys, properties);
  const match = (company: CompanyIdentity): Match => {
    if (company.submittedId !== null) return matchSubmitted(company, submitted, byKey);
    const record = byKey.get(company.key ?? '');
    return record === undefined ? (byDomain.get(company) ?? noMatch) : matched('key', record);
  };
  return new Map(companies.map((company) => [company.identity, match(company)]));
}

/**
 * This pass writes the company's key to its submitted record, unless another record already has it. The first record that was
 * submitted for a key gets it.
 * @returns the new keys by record id, and the records by key as they will be after this pass
 */
function assignKeys(
  companies: readonly CompanyIdentity[],
  submitted: ReadonlyMap<string, CrmRecord>,
  stored: ReadonlyMap<string, CrmRecord>,
): { newKeys: Map<string, string>; byKey: Map<string, CrmRecord> } {
  const newKeys = new Map<string, string>();
  const owners = new Map(stored);
  for (const { submittedId, key } of companies) {
    const record = submitted.get(submittedId ?? '');
    if (record === undefined || key === null || (owners.get(key) ?? record).id !== record.id) continue;
    owners.set(key, record);
    newKeys.set(record.id, key);
  }
  const byKey = new Map([...owners].filter(([key, { id }]) => (newKeys.get(id) ?? key) === key));
  return { newKeys, byKey };
}

function matchSubmitted(
  { submittedId, key }: CompanyIdentity,
  submitted: ReadonlyMap<string, CrmRecord>,
  byKey: ReadonlyMap<string, CrmRecord>,
): Match {
  const record = submitted.get(submittedId ?? '');
  // The record is archived or merged, or its id is mistyped: no new record is created.
  if (record === undefined) {
    return ambiguous('external_id', 'submitted_record_missing', isRecordId(submittedId) ? [submittedId] : []);
  }
  const match = matched('external_id', record);
  const owner = byKey.get(key ?? '');
  return owner === undefined || owner.id === record.id ? match : withConflict(match, owner.id, [COMPANY_KEY]);
}

async function matchByDomain(
  dependencies: ProjectionDependencies,
  companies: readonly CompanyIdentity[],
  newKeys: ReadonlyMap<string, string>,
  properties: readonly string[],
): Promise<Map<CompanyIdentity, Match>> {
  const domains = companies.flatMap((company) => company.domains);
  const byDomain = await findByDomain(dependencies, domains, newKeys, properties);
  return resolveDomainClaims(new Map(companies.map((company) => [company, chooseByDomain(company, byDomain)])));
}

/**
 * The search index lags behind writes, so the found records are read again for their domains and key.
 * @returns the records that have a domain, as their primary or an additional one
 */
async function findByDomain(
  { hubspot, signal }: ProjectionDependencies,
  domains: readonly string[],
  newKeys: ReadonlyMap<string, string>,
  properties: readonly string[],
): Promise<Map<string, CrmRecord[]>> {
  const indexed = await hubspot.objects.findByDomain('companies', domains, [], signal);
  const additional = await hubspot.objects.findByAdditionalDomain(domains, signal);
  const ids = [...new Set(idsOf([...[...indexed.values()].flat(), ...additional]))];
  const current = await hubspot.objects.read('companies', {
    ids,
    properties: [...properties, 'domain', ADDITIONAL_DOMAINS],
    signal,
  });
  const records = ids.flatMap((id) => {
    const record = current.get(id);
    const key = newKeys.get(id);
    if (record === undefined) return [];
    return key === undefined ? [record] : [{ ...record, properties: { ...record.properties, [COMPANY_KEY]: key } }];
  });
  const byDomain = new Map<string, CrmRecord[]>();
  for (const record of records)
    for (const domain of new Set([primaryDomain(record), ...additionalDomains(record)]))
      byDomain.set(domain, [...(byDomain.get(domain) ?? []), record]);
  return byDomain;
}

/** Ambiguous with two candidates, or with a record that has the key of another company. */
function chooseByDomain(
  { key, domains: [ownDomain, ...widerDomains] }: CompanyIdentity,
  byDomain: ReadonlyMap<string, CrmRecord[]>,
): Match {
  if (ownDomain === undefined) return noMatch;
  const holders = byDomain.get(ownDomain) ?? [];
  const primary = holders.filter((record) => primaryDomain(record) === ownDomain);
  const [rule, exact] = primary.length > 0 ? (['domain', primary] as const) : (['additional_domain', holders] as const);
  const [record] = exact;
  if (exact.length > 1) return ambiguous(rule, 'domain_of_several_records', idsOf(exact));
  if (record !== undefined) {
    return carriesAnotherKey('companies', record, key)
      ? ambiguous(rule, otherCompany, idsOf(exact))
      : matched(rule, record);
  }
  // A group has several companies under its wider domain; records with another key are some of those.
  const candidates = [...new Set(widerDomains.flatMap((domain) => byDomain.get(domain) ?? []))].filter(
    (candidate) => !carriesAnotherKey('companies', candidate, key),
  );
  const [candidate] = candidates;
  if (candidate === undefined) return noMatch;
  return candidates.length === 1
    ? matched('domain', candidate)
    : ambiguous('domain', 'domain_of_several_records', idsOf(candidates));
}

/** A record that several companies match goes to the one whose own domain is its primary or only additional one, otherwise to none. */
function resolveDomainClaims(matches: ReadonlyMap<CompanyIdentity, Match>): Map<CompanyIdentity, Match> {
  const claimsByRecord = Map.groupBy(matches, ([, { record }]) => record?.id ?? null);
  const resolve = (company: CompanyIdentity, match: Match): Match => {
    const claims = match.record === null ? [] : (claimsByRecord.get(match.record.id) ?? []);
    if (match.record === null || claims.length === 1 || hasOwnDomain(company, match)) return match;
    const owners = claims.filter(
      ([claimant, claim]) => claim.rule === 'additional_domain' || hasOwnDomain(claimant, claim),
    );
    if (match.rule === 'additional_domain' && owners.length === 1) return match;
    // A group has several companies. A company with a domain of the record is the same company, unless the record is wrong.
    return match.rule === 'domain' && owners.length > 0
      ? noMatch
      : ambiguous(match.rule, 'domain_of_several_companies', [match.record.id]);
  };
  return new Map([...matches].map(([company, match]) => [company, resolve(company, match)]));
}

function hasOwnDomain({ domains }: CompanyIdentity, { record }: Match): boolean {
  return record !== null && primaryDomain(record) === domains[0];
}

function primaryDomain({ properties }: CrmRecord): string {
  return toComparable(properties['domain'] ?? '');
}

function idsOf(records: readonly CrmRecord[]): string[] {
  return records.map(({ id }) => id);
}
