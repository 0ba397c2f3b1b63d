/** Reads all sources of an exclusion and stages the entries that its blacklist should hold. */
import { exclusionProperties } from '../sources/blacklist-entry.ts';
import { cleanRecord, createFieldCleaner, toCorrectionFigures, type FieldCleaner } from '../sources/field-values.ts';
import { toFileReading } from '../sources/file-columns.ts';
import { exclusionDigest, type ExclusionPlan } from '../../config/run-plan.ts';
import type { EntryInput } from '../../service/contract/index.ts';
import type { FileReading } from '../../ledger/draft-source.ts';
import type { WantedEntry } from '../../ledger/wanted-exclusions.ts';
import type { FieldValues } from '../../base/spreadsheet/source-columns.ts';
import type { Coverage, ExclusionCorrections } from '../../proof/report/order-report.ts';
import {
  addCounts,
  createCompanyIndex,
  emptyCoverage,
  emptyCorrections,
  mergeCandidates,
  type CompanyIndex,
  type IndexedEntry,
} from './merge-candidates.ts';
import { matchKey, matchKeys } from './entry-identity.ts';
import { toCandidatesFromCrm, toCandidateFromRow, toReason, type Candidate } from './exclusion-candidate.ts';
import type { ActivityContext } from '../sources/company-source.ts';
import { type ExclusionDependencies, entryHashes, findEmptySources, type Scan } from './scan-plan.ts';
import { noRecords, withRecord } from '../../base/text/named-rows.ts';
import { isDoubtfulName } from '../sources/name-problem.ts';
import { readExclusionFiles } from './exclusion-files.ts';
import { createExclusionNotes } from './exclusion-notes.ts';
import { readDeliveredCompanies } from './delivered-companies.ts';
import { readSuppressedCompanies } from './suppressed-companies.ts';
import { stageHubSpotSources } from './hubspot-sources.ts';

/** A file of an exclusion, and how it is read. */
export interface ExclusionFile extends FileReading {
  readonly kind: 'csv' | 'xlsx';
}

export interface ScanResult {
  readonly scan: Scan;
  /** Sources of a full scan without a company; absent if there are none. */
  readonly emptySources?: readonly string[];
  readonly wanted: number;
  /** CRM companies that cannot be excluded: without name and domain, or beyond a limit of the service. */
  readonly unusable: number;
  readonly files: readonly ExclusionFile[];
  readonly corrections: ExclusionCorrections;
  readonly coverage: Coverage;
  /** Digest of the exclusion's plan. */
  readonly settings: string;
}

/** Reason for entries of companies that opted out. */
const suppressedReason = 'Asked not to be contacted';

type ScanDependencies = Pick<ExclusionDependencies, 'hubspot' | 'ledger' | 'deliveries' | 'now'>;

/** The staging of `syncId` must be empty. `since`: null for a full scan. */
export async function scanSources(
  dependencies: ScanDependencies,
  { syncId, exclusion, since }: { syncId: string; exclusion: ExclusionPlan; since: Date | null },
  context: ActivityContext,
): Promise<ScanResult> {
  const { ledger, now } = dependencies;
  const startedAt = now();
  const { source } = exclusion;
  const scanKind = since === null ? 'full' : 'delta';
  const counts = await stageHubSpotSources(dependencies, { syncId, source, startedAt, since }, context);
  const readsHubSpot = Object.keys(counts).length > 0;
  const staging = createWantedStaging(ledger, syncId, entryHashes[scanKind]);
  const cleaner = createFieldCleaner();
  const rowNotes = createExclusionNotes();
  let doubtful = noRecords;
  let unusable = 0;
  let replaced = 0;
  let read = 0;
  for await (const page of readCrmCandidates(dependencies, { syncId, exclusion, cleaner }, context)) {
    const usable = page.map((candidates) => candidates.filter(({ problems }) => problems.length === 0));
    for (const [candidate] of usable) {
      const { company_name: name = '', website_url: website, external_id: id = '' } = candidate?.entry ?? {};
      if (name !== '' && !website && isDoubtfulName(name, undefined)) doubtful = withRecord(doubtful, id ?? '');
    }
    await staging.add(usable.flat());
    unusable += usable.filter((candidates) => candidates.length === 0).length;
    context.recordProgress((read += page.length));
  }
  for (const kind of ['csv', 'xlsx'] as const) if (source[kind] !== null) counts[kind] = 0;
  const reading = { cleaner, rowNotes, now: startedAt, signal: context.signal };
  const files = new Map<string, ExclusionFile>();
  for await (const { file, page } of readExclusionFiles(exclusion, reading)) {
    files.set(file.kind, { kind: file.kind, ...toFileReading(page) });
    await staging.add(page.rows.map(({ row }) => row));
    replaced += page.replaced;
    counts[file.kind] = (counts[file.kind] ?? 0) + page.rows.length;
    context.recordProgress((read += page.rows.length));
  }
  const { orders, slots, suppressions } = dependencies.deliveries ?? ledger;
  /** Adds rows of companies in the ledger. @returns the number of usable rows */
  const stageKnown = async (rows: readonly FieldValues[], reason: string): Promise<number> => {
    context.signal.throwIfAborted();
    const candidates = rows.map((row) => toCandidateFromRow(row, { reason, now: startedAt }));
    const usable = candidates.filter(({ problems }) => problems.length === 0);
    await staging.add(usable);
    unusable += rows.length - usable.length;
    context.recordProgress((read += rows.length));
    return usable.length;
  };
  if (source.delivered !== undefined) {
    const { withinMs, reason } = source.delivered;
    counts.delivered = 0;
    for await (const page of readDeliveredCompanies({ orders, slots }, new Date(startedAt.getTime() - withinMs)))
      counts.delivered += await stageKnown(page, reason);
  }
  if (source.suppressions !== false) {
    const crm = readsHubSpot ? { hubspot: dependencies.hubspot, cleaner, signal: context.signal } : null;
    const companies = await readSuppressedCompanies(suppressions, crm);
    await stageKnown(companies.flat(), suppressedReason);
    // Without suppressions the source is absent: removing the last suppression must not count as an emptied source.
    if (companies.length > 0) counts.suppressed = companies.length;
  }
  const { corrections, coverage } = staging.totals();
  const scan: Scan = { kind: scanKind, startedAt: startedAt.toISOString(), counts };
  const emptySources = findEmptySources(scan);
  return {
    scan,
    ...(emptySources.length > 0 && { emptySources }),
    wanted: await ledger.exclusions.countWanted(syncId),
    unusable,
    files: [...files.values()],
    corrections: {
      ...corrections,
      ...(replaced === 0 ? {} : { replaced }),
      ...toCorrectionFigures(cleaner.corrections()),
      ...rowNotes.notes(),
      ...(doubtful.records > 0 && { doubtfulRecords: doubtful }),
    },
    coverage,
    settings: exclusionDigest(exclusion),
  };
}

/** The candidates of each company that the CRM sources name, with the reasons of all sources. */
async function* readCrmCandidates(
  { hubspot, ledger }: ScanDependencies,
  { syncId, exclusion, cleaner }: { syncId: string; exclusion: ExclusionPlan; cleaner: FieldCleaner },
  { signal }: ActivityContext,
): AsyncGenerator<Candidate[][]> {
  for await (const records of ledger.exclusions.foundRecords(syncId)) {
    const companies = new Map(
      [...records].flatMap(([id, rows]) => {
        const properties = rows.find((row) => row.properties !== null)?.properties ?? null;
        return properties === null ? [] : [[id, properties]];
      }),
    );
    const ids = [...records.keys()].filter((id) => !companies.has(id));
    const read = await hubspot.objects.read('companies', { ids, properties: exclusionProperties, signal });
    for (const [id, { properties }] of read) companies.set(id, properties);
    // HubSpot does not return archived and merged companies: they are not excluded.
    yield [...companies].map(([id, properties]) => {
      const tags = records.get(id)?.map(({ source }) => source) ?? [];
      return toCandidatesFromCrm(cleanRecord({ id, properties }, cleaner), toReason(tags, exclusion));
    });
  }
}

/**
 * Indexes with at least this many entries of one name and domain stay in memory until the scan ends, about 1 KB an entry. Branches
 * without a domain have such indexes, and reading them again for every page would take quadratic time.
 */
const indexKeptFrom = 100;

/** Merges candidates page by page with the wanted entries of the ledger. */
export function createWantedStaging(
  { exclusions }: Pick<ExclusionDependencies['ledger'], 'exclusions'>,
  syncId: string,
  hashOf: (entry: EntryInput) => string,
) {
  const keptIndexes = new Map<string, CompanyIndex>();
  let corrections = emptyCorrections;
  let coverage = emptyCoverage;

  return {
    async add(candidates: readonly Candidate[]): Promise<void> {
      const active = candidates
        .filter(({ expired }) => !expired)
        .map((candidate) => ({ ...candidate, key: matchKey(candidate.entry) }));
      const indexes = await readIndexes(new Set(active.map(({ key }) => key)));
      const page = mergeCandidates(active, indexes, hashOf);
      for (const [key, index] of indexes) if (index.size() >= indexKeptFrom) keptIndexes.set(key, index);
      await save(page.changed);
      corrections = {
        completedUrls: corrections.completedUrls + page.corrections.completedUrls,
        sharedDomains: corrections.sharedDomains + page.corrections.sharedDomains,
        duplicates: corrections.duplicates + page.corrections.duplicates,
        expired: corrections.expired + candidates.length - active.length,
      };
      coverage = addCounts(coverage, page.coverage);
    },
    totals: (): { corrections: ExclusionCorrections; coverage: Coverage } => ({ corrections, coverage }),
  };

  async function readIndexes(keys: ReadonlySet<string>): Promise<Map<string, CompanyIndex>> {
    const rows = await exclusions.readWanted(
      syncId,
      [...keys].filter((key) => !keptIndexes.has(key)),
    );
    const indexes = new Map<string, CompanyIndex>();
    for (const [key, group] of Map.groupBy(rows, (row) => row.matchKey)) {
      indexes.set(key, createCompanyIndex(group.map(toIndexedEntry)));
    }
    for (const key of keys) {
      const kept = keptIndexes.get(key);
      if (kept !== undefined) indexes.set(key, kept);
    }
    return indexes;
  }

  async function save(changed: readonly IndexedEntry[]): Promise<void> {
    await exclusions.removeWanted(
      syncId,
      changed.flatMap(({ storedHash }) => storedHash ?? []),
    );
    await exclusions.addWanted(
      syncId,
      changed.map(({ entry, hash }) => ({ hash, entry, ...matchKeys(entry) })),
    );
    for (const entry of changed) entry.storedHash = entry.hash;
  }
}

function toIndexedEntry({ hash, entry }: WantedEntry): IndexedEntry {
  return { entry, hash, storedHash: hash };
}
