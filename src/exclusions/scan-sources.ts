/** Reads all sources of an exclusion: everything, or what changed since the last time. */
import { z } from 'zod';
import { exclusionProperties } from '../companies/blacklist-entry.ts';
import { toCandidateFromCrm, toCandidateFromRow, type Candidate } from './exclusion-candidate.ts';
import { sourceFields, type FieldValues } from '../mapping/source-columns.ts';
import { entryHash, matchHash, type Coverage } from './entry-identity.ts';
import { reasonOf } from './exclusion-reason.ts';
import type { ExclusionLint } from '../report/order-report.ts';
import { digest } from '../json/canonical-json.ts';
import { exclusionDigest, type ExclusionPlan } from '../config/run-plan.ts';
import type { ActivityDependencies } from '../../activities/activity-dependencies.ts';
import { readFile, type FileSource } from '../companies/company-source.ts';
import { findCrmExclusions, type SourceCounts, type Steps } from './hubspot-sources.ts';
import { createWanted } from './merge-candidates.ts';
import { ownValue } from '../json/own-value.ts';

export type ScanKind = 'full' | 'delta';

/** What is remembered of a scan: counts and times. */
export interface Scan {
  readonly kind: ScanKind;
  readonly startedAt: string;
  readonly counts: SourceCounts;
}

export interface ScanResult {
  readonly scan: Scan;
  readonly wanted: number;
  /** CRM companies that cannot be excluded: without name and domain, or beyond a limit of the service. */
  readonly unusable: number;
  readonly lint: ExclusionLint;
  readonly coverage: Coverage;
  /** Of the exclusion's plan. */
  readonly settings: string;
}

type Sources = Pick<ActivityDependencies, 'hubspot' | 'ledger' | 'now'>;

/**
 * How entries of a scan are told apart. One of what changed does not see all sources of a company: it neither knows all
 * its reasons nor how a full scan spelt the entry that it joined of several.
 */
export const hashesOf = { full: entryHash, delta: matchHash } as const;

/** From when on what changed is to be read; null when everything is. */
export async function deltaStart(
  { ledger, now }: Pick<Sources, 'ledger' | 'now'>,
  exclusion: ExclusionPlan,
): Promise<Date | null> {
  const { name, blacklist, fullScanEveryMs, deltaOverlapMs } = exclusion;
  if (fullScanEveryMs === null) return null;
  const last = await ledger.exclusionScans.get(name);
  const known = await ledger.blacklists.get(blacklist);
  if (last === undefined || last.settingsDigest !== settingsDigest(exclusion)) return null;
  if (known?.blacklistId !== last.blacklistId) return null;
  if (now().getTime() - Date.parse(last.lastFullAt) >= fullScanEveryMs) return null;
  return new Date(Date.parse(last.lastScanAt) - deltaOverlapMs);
}

/** Changes with everything that decides who is wanted. */
export function settingsDigest({ blacklist, source, reasons }: ExclusionPlan): string {
  return digest({ blacklist, source, reasons });
}

/** Reads the sources into the ledger's staging, which has to be empty. */
export async function scanSources(
  clients: Sources,
  { syncId, exclusion, since }: { syncId: string; exclusion: ExclusionPlan; since: Date | null },
  steps: Steps,
): Promise<ScanResult> {
  const { ledger, now } = clients;
  const startedAt = now();
  const { source } = exclusion;
  const scanKind = since === null ? 'full' : 'delta';
  const counts = await findCrmExclusions(clients, { syncId, source, startedAt, since }, steps);
  const wanted = createWanted(ledger, syncId, hashesOf[scanKind]);
  let unusable = 0;
  let replaced = 0;
  let read = 0;
  for await (const page of crmCandidates(clients, syncId, exclusion, steps)) {
    const usable = page
      .filter((candidate) => candidate?.problems.length === 0)
      .filter((candidate) => candidate !== null);
    await wanted.add(usable);
    unusable += page.length - usable.length;
    steps.reached((read += page.length));
  }
  for (const file of toFileSources(exclusion)) {
    const { kind } = file;
    counts[kind] = 0;
    const mapping = {
      fields: sourceFields,
      kept: 'fields' as const,
      fromRow: (values: FieldValues) => toCandidateFromRow(values, { reason: exclusion.reasons[kind], now: startedAt }),
      problems: ({ problems }: Candidate) => problems,
    };
    for await (const page of readFile(file, mapping, steps.signal)) {
      const { rows } = page;
      replaced += page.replaced;
      await wanted.add(rows.map(({ row }) => row));
      counts[kind] += rows.length;
      steps.reached((read += rows.length));
    }
  }
  const scan = { kind: scanKind, startedAt: startedAt.toISOString(), counts } as const;
  const { lint, coverage } = wanted.figures();
  return {
    scan,
    wanted: await ledger.exclusions.wantedCount(syncId),
    unusable,
    lint: replaced === 0 ? lint : { ...lint, replaced },
    coverage,
    settings: exclusionDigest(exclusion),
  };
}

function toFileSources({ name, source: { csv, xlsx, sheet, headerRow, columns } }: ExclusionPlan): FileSource[] {
  const settingsPath = `exclusions.${name}.columns`;
  return [
    ...(csv === null ? [] : [{ kind: 'csv', path: csv, columns, settingsPath } as const]),
    ...(xlsx === null ? [] : [{ kind: 'xlsx', path: xlsx, sheet, headerRow, columns, settingsPath } as const]),
  ];
}

/** What a full scan before this one found of a source, where this one found nothing: seldom a fact. */
export async function driedUp(
  { ledger }: Pick<Sources, 'ledger'>,
  exclusion: ExclusionPlan,
  { counts }: Scan,
): Promise<Record<string, number>> {
  const last = await ledger.exclusionScans.get(exclusion.name);
  const before = countsSchema.parse(JSON.parse(last?.countsJson ?? '{}'));
  const present: Readonly<Record<string, number | undefined>> = counts;
  return Object.fromEntries(
    Object.entries(before).filter(([name, count]) => count > 0 && ownValue(present, name) === 0),
  );
}

const countsSchema = z.record(z.string(), z.number());
const propertiesSchema = z.record(z.string(), z.string().nullable());

/** The CRM companies that were found, each with the reasons of all sources; null for one that nothing could match. */
async function* crmCandidates(
  { hubspot, ledger }: Sources,
  syncId: string,
  exclusion: ExclusionPlan,
  { signal }: Steps,
): AsyncGenerator<(Candidate | null)[]> {
  for await (const records of ledger.exclusions.found.records(syncId)) {
    const known = new Map(
      [...records].flatMap(([id, rows]) => {
        const json = rows.find((row) => row.json !== null)?.json ?? null;
        return json === null ? [] : [[id, propertiesSchema.parse(JSON.parse(json))]];
      }),
    );
    const ids = [...records.keys()].filter((id) => !known.has(id));
    const read = await hubspot.objects.read('companies', { ids, properties: exclusionProperties, signal });
    for (const [id, { properties }] of read) known.set(id, properties);
    // Companies that are archived or were merged away are in neither: they exclude nobody.
    yield [...known].map(([id, properties]) => {
      const tags = records.get(id)?.map(({ source }) => source) ?? [];
      return toCandidateFromCrm({ id, properties }, reasonOf(tags, exclusion));
    });
  }
}
