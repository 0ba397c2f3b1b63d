/** The match of an item: its HubSpot record, and the rule that found it. */
import { COMPANY_KEY, CONTACT_KEY, managedProperties } from '../../hubspot/managed-properties.ts';
import { splitList, type CrmRecord, type ObjectType } from '../../hubspot/hubspot-record.ts';
import { MERGED_IDS } from '../../hubspot/object-reads.ts';
import type { CrmMapping } from '../mapping/crm-plan.ts';
import type { Projection, ProjectionDependencies } from './slot-batch.ts';

/** The match rule that decided; `none`: no record was found, so one is created. */
export type MatchRule = 'external_id' | 'key' | 'domain' | 'additional_domain' | 'email' | 'secondary_email' | 'none';

export interface Match {
  readonly rule: MatchRule;
  readonly record: CrmRecord | null;
  /** Ids of the records that were considered. */
  readonly candidates: readonly string[];
  /** Reason code of a quarantined item: no candidate is chosen and no record is created. null otherwise. */
  readonly problem: string | null;
  /** Unique properties whose value another record has. They are not sent, because HubSpot would reject them in every pass. */
  readonly conflictingProperties: readonly string[];
}

/** Problem of a match: the only record with the domain has the key of another company. */
export const otherCompany = 'domain_of_another_company';

const maxCandidates = 10;

export const noMatch: Match = { rule: 'none', record: null, candidates: [], problem: null, conflictingProperties: [] };

export function matched(rule: MatchRule, record: CrmRecord): Match {
  return { ...noMatch, rule, record, candidates: [record.id] };
}

export function ambiguous(rule: MatchRule, problem: string, candidates: readonly string[]): Match {
  return { ...noMatch, rule, candidates: candidates.slice(0, maxCandidates), problem };
}

/** Adds properties whose values another record has. */
export function withConflict(match: Match, ownerId: string, properties: readonly string[]): Match {
  const conflictingProperties = [...new Set([...match.conflictingProperties, ...properties])];
  return { ...match, candidates: [...new Set([...match.candidates, ownerId])], conflictingProperties };
}

export const keyProperties = {
  companies: COMPANY_KEY,
  contacts: CONTACT_KEY,
} as const satisfies Record<ObjectType, string>;

/** True when the record is known under another key, for example a person with two addresses. */
export function carriesAnotherKey(type: ObjectType, { properties }: CrmRecord, key: string | null): boolean {
  const carried = properties[keyProperties[type]] ?? '';
  return carried !== '' && carried !== key;
}

/** Properties to read before a write is planned: those of prospect-sync, and those of the mapping. */
export function propertyNames(type: ObjectType, mapping: CrmMapping): string[] {
  return [...managedProperties[type].map(({ name }) => name), ...Object.keys(mapping[type])];
}

/**
 * Finds records by the id in the ledger, then by the key. Both reads return the latest writes, unlike a search.
 * @returns records by key
 */
export async function findByKey(
  { hubspot, ledger, signal, unpreparedTypes = [] }: ProjectionDependencies,
  type: ObjectType,
  keys: readonly string[],
  properties: readonly string[],
): Promise<Map<string, CrmRecord>> {
  const records = new Map<string, CrmRecord>();
  if (unpreparedTypes.includes(type)) return records;
  const knownIds = await ledger.records.ids(type, keys);
  const byId = await hubspot.objects.read(type, { ids: [...knownIds.values()], properties, signal });
  for (const [key, id] of knownIds) {
    const record = byId.get(id);
    // A merge changes record ids, and another portal has the same ids for other records: the key on the record decides.
    if (record?.properties[keyProperties[type]] === key) records.set(key, record);
  }
  const ids = [...new Set(keys)].filter((key) => !records.has(key));
  const byKey = await hubspot.objects.read(type, { ids, idProperty: keyProperties[type], properties, signal });
  for (const [key, record] of byKey) records.set(key, record);
  return records;
}

export type KnownRecordSources = Pick<ProjectionDependencies, 'hubspot' | 'ledger' | 'signal'>;

/**
 * Records that a person deleted: the ledger knows their ids, no record matches any more, and HubSpot lists them as archived.
 * @returns the ids by key; empty with `force`, which creates such records again
 */
export async function findDeletedRecords(
  { hubspot, ledger, signal }: KnownRecordSources,
  type: ObjectType,
  keys: readonly string[],
  { force }: Pick<Projection, 'force'>,
): Promise<Map<string, string>> {
  if (force) return new Map();
  const knownIds = await ledger.records.ids(type, keys);
  const archived = await hubspot.objects.read(type, {
    ids: [...knownIds.values()],
    properties: [],
    archived: true,
    signal,
  });
  return new Map([...knownIds].filter(([, id]) => archived.has(id)));
}

/**
 * Records that a person merged into the record of another company.
 * @param knownIds the ids of the ledger, by key
 * @param candidates ids of the records that may be left, by key; HubSpot returns the record that is left under the known id too
 * @returns the keys of the companies
 */
export async function findMergedRecords(
  { hubspot, signal }: Pick<KnownRecordSources, 'hubspot' | 'signal'>,
  knownIds: ReadonlyMap<string, string>,
  candidates: ReadonlyMap<string, string> = knownIds,
): Promise<ReadonlySet<string>> {
  const ids = [...new Set([...knownIds.keys()].flatMap((key) => candidates.get(key) ?? []))];
  const records = await hubspot.objects.read('companies', { ids, properties: [COMPANY_KEY, MERGED_IDS], signal });
  const isAbsorbed = ([key, id]: readonly [string, string]) => {
    const record = records.get(candidates.get(key) ?? '');
    if (record === undefined || !carriesAnotherKey('companies', record, key)) return false;
    return splitList(record.properties[MERGED_IDS]).includes(id);
  };
  return new Set([...knownIds].filter(isAbsorbed).map(([key]) => key));
}
