/** Erases the data of orders that are older than `retention.days`. */
import type { ErasedRows } from '../ledger/erasures.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { listFiles, type ErasureContext } from './erase-files.ts';
import { eraseAllFiles } from './erase-all-files.ts';
import type { Erasure } from './forget.ts';

export interface RetentionPreview {
  /** Data from before this time expires. */
  readonly cutoff: string;
  readonly orderIds: readonly string[];
  readonly tables: readonly ErasedRows[];
  /** Paths. */
  readonly files: readonly string[];
}

export interface AppliedRetention extends Erasure {
  readonly cutoff: string;
  readonly orderIds: readonly string[];
}

const dayMs = 86_400_000;

export async function previewRetention(ledger: Ledger, days: number, now: Date): Promise<RetentionPreview> {
  const cutoff = toCutoff(days, now);
  const expired = await ledger.erasures.expire(cutoff, { at: now.toISOString(), preview: true });
  const rejects = await ledger.rejectedRows.filesOf(expired.orderIds);
  return { cutoff, ...expired, files: [...(await listFiles(ledger, expired.orderIds)), ...rejects] };
}

/** Can be repeated, and continues an interrupted application. The file of SQLite is rewritten only when something was erased. */
export async function applyRetention(ledger: Ledger, days: number, context: ErasureContext): Promise<AppliedRetention> {
  const now = context.now();
  const cutoff = toCutoff(days, now);
  const expired = await ledger.erasures.expire(cutoff, { at: now.toISOString(), preview: false });
  const files = await eraseAllFiles(ledger, context);
  const hasErased = expired.orderIds.length > 0 || expired.tables.some(({ rows }) => rows > 0);
  const mustCompact = hasErased || (await ledger.erasures.needsCompaction());
  return { cutoff, ...expired, files, compacted: !mustCompact || (await ledger.erasures.compact()) };
}

function toCutoff(days: number, now: Date): string {
  return new Date(now.getTime() - days * dayMs).toISOString();
}
