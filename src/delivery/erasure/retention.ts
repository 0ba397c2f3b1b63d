/** Erases the data of orders that are older than `retention.days`. */
import type { ErasedRows } from '../../ledger/erasures.ts';
import { createErasureFailures, type FailedPlace } from '../../ledger/erasure-failures.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { listFiles, type ErasureContext } from './erase-files.ts';
import { eraseAllFiles } from './erase-all-files.ts';
import { compactionPlace, type Erasure } from './forget.ts';
import { dayMs } from '../../base/day-milliseconds.ts';

export interface RetentionPreview {
  /** Data from before this time expires. */
  readonly cutoff: string;
  readonly orderIds: readonly string[];
  readonly tables: readonly ErasedRows[];
  /** Paths. */
  readonly files: readonly string[];
  /** Places that could not be read. */
  readonly failed: readonly FailedPlace[];
}

export interface AppliedRetention extends Erasure {
  readonly cutoff: string;
  readonly orderIds: readonly string[];
}

export async function previewRetention(ledger: Ledger, days: number, now: Date): Promise<RetentionPreview> {
  const failures = createErasureFailures();
  const { attempt, failed } = failures;
  const cutoff = toCutoff(days, now);
  const expired = await ledger.erasures.expire(cutoff, { at: now.toISOString(), preview: true, failures });
  const files = await attempt('files of orders', [], () => listFiles(ledger, expired.orderIds));
  const rejects = await attempt('files of rejected rows', [], () => ledger.rejectedRows.filesOf(expired.orderIds));
  return { cutoff, ...expired, files: [...files, ...rejects], failed };
}

/** Can be repeated, and continues an interrupted application. The file of SQLite is rewritten only when something was erased. */
export async function applyRetention(ledger: Ledger, days: number, context: ErasureContext): Promise<AppliedRetention> {
  const failures = createErasureFailures(context.signal);
  const now = context.now();
  const cutoff = toCutoff(days, now);
  const expired = await ledger.erasures.expire(cutoff, { at: now.toISOString(), preview: false, failures });
  const files = await eraseAllFiles(ledger, context, failures);
  const hasErased = expired.orderIds.length > 0 || expired.tables.some(({ rows }) => rows > 0);
  const mustCompact = hasErased || (await ledger.erasures.needsCompaction());
  const compact = () => failures.attempt(compactionPlace, false, () => ledger.erasures.compact());
  return { cutoff, ...expired, files, compacted: !mustCompact || (await compact()), failed: failures.failed };
}

function toCutoff(days: number, now: Date): string {
  return new Date(now.getTime() - days * dayMs).toISOString();
}
