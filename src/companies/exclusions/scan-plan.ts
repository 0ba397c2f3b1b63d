/** Plans the scan of an exclusion: full or delta, its dependencies, and the result that the ledger keeps. */
import { z } from 'zod';
import { digest } from '../../base/json/canonical-json.ts';
import { getOwnProperty } from '../../base/json/own-property.ts';
import type { ExclusionPlan } from '../../config/run-plan.ts';
import type { LastScan } from '../../ledger/exclusion-history.ts';
import { entryHash, matchHash } from './entry-identity.ts';
import type { SourceTag } from './exclusion-candidate.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ProspectingClient } from '../../service/client/prospecting-client.ts';

/** Dependencies of a sync and a preview of exclusions. */
export interface ExclusionDependencies {
  readonly prospecting: ProspectingClient;
  readonly hubspot: HubSpotClient;
  readonly ledger: Ledger;
  /** Ledger of the orders and suppressions, if `ledger` is the scratch ledger of a preview. */
  readonly deliveries?: Pick<Ledger, 'orders' | 'slots' | 'suppressions'>;
  readonly now: () => Date;
}

/** `delta`: reads only changes since the last scan. */
export type ScanKind = 'full' | 'delta';

/** Number of companies by source. Every list and every stage is a separate source. */
export type SourceCounts = Partial<Record<SourceTag, number>>;

export interface Scan {
  readonly kind: ScanKind;
  readonly startedAt: string;
  readonly counts: SourceCounts;
}

/**
 * The hashes by which the entries of a scan are compared with the blacklist. A delta scan knows neither all reasons of a company nor
 * the spelling of the entry into which a full scan merged it.
 */
export const entryHashes = { full: entryHash, delta: matchHash } as const;

export interface ScanHistory {
  readonly last: LastScan | undefined;
  /** The blacklist that the ledger knows for the exclusion. */
  readonly blacklistId: string | undefined;
}

/** The time from which changes are read; null for a full scan. */
export function planDeltaStart(exclusion: ExclusionPlan, { last, blacklistId }: ScanHistory, now: Date): Date | null {
  const { fullScanEveryMs, deltaOverlapMs } = exclusion;
  if (fullScanEveryMs === null || last === undefined) return null;
  if (last.settingsDigest !== settingsDigest(exclusion) || blacklistId !== last.blacklistId) return null;
  if (now.getTime() - Date.parse(last.lastFullAt) >= fullScanEveryMs) return null;
  return new Date(Date.parse(last.lastScanAt) - deltaOverlapMs);
}

/** Sources in which a full scan found no company. Empty for a delta scan, which counts changes only. */
export function findEmptySources({ kind, counts }: Pick<Scan, 'kind' | 'counts'>): string[] {
  if (kind === 'delta') return [];
  return Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [name] : []));
}

/** They lose companies with time. */
const fluctuating: ReadonlySet<string> = new Set(['open_deals', 'closed_won', 'delivered'] satisfies SourceTag[]);

/** Fewer are removed by hand, too. */
const fewestLost = 10;
/** More, where `max_percent` allows more of the blacklist. */
const largestShareLost = 50;

/**
 * Sources that had companies in the last full scan and are empty, and those that have lost most of them, as a file does that was cut off,
 * with their earlier counts.
 */
export function findShrunkSources(
  { removals: { maxPercent } }: Pick<ExclusionPlan, 'removals'>,
  last: LastScan | undefined,
  { counts }: Pick<Scan, 'counts'>,
): Record<string, number> {
  const before = countsSchema.parse(JSON.parse(last?.countsJson ?? '{}'));
  const now: Readonly<Record<string, number | undefined>> = counts;
  return Object.fromEntries(
    Object.entries(before).filter(([name, count]) => {
      const left = getOwnProperty(now, name) ?? count;
      const most = (count * Math.max(largestShareLost, maxPercent)) / 100;
      const isCut = !fluctuating.has(name) && count - left >= fewestLost && count - left > most;
      return count > 0 && (left === 0 || isCut);
    }),
  );
}

/**
 * The scan as the ledger stores it for the next sync. `removalsWait`: a shrunk source keeps its earlier count until its removals are
 * approved or it has its companies again.
 */
export function toLastScan(
  exclusion: ExclusionPlan,
  { blacklistId, scan, removalsWait }: { blacklistId: string; scan: Scan; removalsWait: boolean },
  last: LastScan | undefined,
): LastScan {
  const isFull = scan.kind === 'full';
  const shrunk = removalsWait ? findShrunkSources(exclusion, last, scan) : {};
  return {
    name: exclusion.name,
    blacklistId,
    settingsDigest: settingsDigest(exclusion),
    lastScanAt: scan.startedAt,
    lastFullAt: isFull ? scan.startedAt : (last?.lastFullAt ?? scan.startedAt),
    countsJson: isFull ? JSON.stringify({ ...scan.counts, ...shrunk }) : (last?.countsJson ?? '{}'),
  };
}

/** Digest of all settings that decide which entries are wanted. */
function settingsDigest({ blacklist, source, reasons }: ExclusionPlan): string {
  return digest({ blacklist, source, reasons });
}

const countsSchema = z.record(z.string(), z.number());
