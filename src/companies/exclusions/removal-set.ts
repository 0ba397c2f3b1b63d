/** The removals of a sync, and the safety limit: a set that would stop excluding many companies is removed only after its approval. */
import { createHash } from 'node:crypto';
import type { ExclusionPlan } from '../../config/run-plan.ts';
import { limits } from '../../service/contract/index.ts';
import type { ExistingEntry } from '../../ledger/existing-exclusions.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PendingRemovals } from '../../proof/report/order-report.ts';
import type { PendingRemovalsRow } from '../../ledger/exclusion-history.ts';

interface RemovalStep {
  readonly syncId: string;
  readonly blacklistId: string;
  readonly exclusion: ExclusionPlan;
}

export interface EvaluatedRemovals {
  /** Number of entries whose companies would no longer be excluded, or less surely. */
  readonly released: number;
  /** Digest of the approval that was needed and given, otherwise null. */
  readonly approved: string | null;
  /** The set that waits for approval; null if every superfluous entry can be removed. */
  readonly pending: PendingRemovals | null;
}

/** Applies the safety limit. A set beyond it is proposed for `exclusions approve`. */
export async function applySafetyLimit(
  ledger: Ledger,
  { before, shrunkSources, ...step }: RemovalStep & { before: number; shrunkSources: readonly string[] },
  now: Date,
): Promise<EvaluatedRemovals> {
  const set = await readRemovalSet(ledger, step);
  const { approved, because } = evaluateRemovals(set, {
    limits: step.exclusion.removals,
    before,
    shrunkSources,
    proposal: await ledger.exclusionRemovals.get(set.digest),
  });
  const pending = because === null ? null : await propose(ledger, step, { ...set, because, shrunkSources }, now);
  return { released: set.released, approved, pending };
}

/**
 * Applies the safety limit to the retry of a removal. `released`: the number that the first attempt decided; it may have removed some of
 * them. A larger number needs approval. Returns null if nothing waits.
 */
export async function applySafetyLimitToRetry(
  ledger: Ledger,
  { released, ...step }: RemovalStep & Pick<EvaluatedRemovals, 'released'>,
  now: Date,
): Promise<PendingRemovals | null> {
  const set = await readRemovalSet(ledger, step);
  if (set.released <= released) return null;
  // Without wanted entries the sync was closed in the meantime, so the superfluous entries are unknown.
  if (!(await ledger.exclusions.hasWanted(step.syncId))) return null;
  return propose(ledger, step, { ...set, because: 'exceeds_decision', shrunkSources: [] }, now);
}

/** Superfluous entries, as many as one request can remove. `released`: those whose company would no longer be excluded, or less surely. */
export async function* readRemovals(
  { exclusions }: Pick<Ledger, 'exclusions'>,
  syncId: string,
): AsyncGenerator<{ rows: ExistingEntry[]; released: ExistingEntry[] }> {
  let after: Pick<ExistingEntry, 'hash' | 'entryId'> = { hash: '', entryId: '' };
  for (;;) {
    const rows = await exclusions.listRemovals(syncId, { limit: limits.entryIdsPerRemove.max, after });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield { rows, released: await exclusions.selectReleased(syncId, rows) };
    after = last;
  }
}

async function readRemovalSet(
  ledger: Ledger,
  { syncId, blacklistId }: Pick<RemovalStep, 'syncId' | 'blacklistId'>,
): Promise<RemovalSet> {
  const hash = createHash('sha256').update(blacklistId);
  let released = 0;
  // Sorted by hash and id: the same set always gives the same digest.
  for await (const page of readRemovals(ledger, syncId)) {
    for (const { entryId } of page.released) hash.update(`\n${entryId}`);
    released += page.released.length;
  }
  return { digest: hash.digest('hex').slice(0, 16), released };
}

interface WaitingSet extends RemovalSet {
  readonly because: PendingRemovals['because'];
  readonly shrunkSources: readonly string[];
}

async function propose(
  ledger: Ledger,
  { exclusion, blacklistId }: RemovalStep,
  { digest, released, because, shrunkSources }: WaitingSet,
  now: Date,
): Promise<PendingRemovals> {
  await ledger.exclusionRemovals.propose({
    digest,
    exclusion: exclusion.name,
    blacklistId,
    entries: released,
    foundAt: now.toISOString(),
  });
  return { digest, entries: released, because, shrunkSources: [...shrunkSources] };
}

/** The superfluous entries whose companies would no longer be excluded, or less surely. */
export interface RemovalSet {
  /** Digest of the blacklist's id and the entries' ids. */
  readonly digest: string;
  readonly released: number;
}

export interface RemovalContext {
  readonly limits: ExclusionPlan['removals'];
  /** Entries of the blacklist before anything was added. */
  readonly before: number;
  /** See `findShrunkSources`. */
  readonly shrunkSources: readonly string[];
  /** The proposal of this exact set, if there is one. */
  readonly proposal: Pick<PendingRemovalsRow, 'approvedAt' | 'removedAt'> | undefined;
}

export interface RemovalDecision {
  /** Digest of the approval that was needed and given, otherwise null. */
  readonly approved: string | null;
  /** Reason for the approval; null if the set can be removed. */
  readonly because: PendingRemovals['because'] | null;
}

export function evaluateRemovals(
  { digest, released }: RemovalSet,
  { proposal, ...context }: RemovalContext,
): RemovalDecision {
  const because = released === 0 ? null : exceededLimit(released, context);
  if (because === null) return { approved: null, because: null };
  // An approval is valid for one removal.
  const isApproved = proposal !== undefined && proposal.approvedAt !== null && proposal.removedAt === null;
  return isApproved ? { approved: digest, because: null } : { approved: null, because };
}

function exceededLimit(
  released: number,
  { limits: { maxEntries, maxPercent }, before, shrunkSources }: Omit<RemovalContext, 'proposal'>,
): PendingRemovals['because'] | null {
  if (shrunkSources.length > 0) return 'source_shrunk';
  if (released > maxEntries) return 'max_entries';
  return released > (before * maxPercent) / 100 ? 'max_percent' : null;
}
