/** The safety limit on removals: a set that would stop excluding many companies is not removed before its approval. */
import type { ExclusionPlan } from '../config/run-plan.ts';
import type { PendingRemovalsRow } from '../ledger/removal-approvals.ts';
import type { PendingRemovals } from '../report/order-report.ts';

/** The superfluous entries whose companies would no longer be excluded. */
export interface RemovalSet {
  /** Of the blacklist's id and the entries' ids. */
  readonly digest: string;
  readonly released: number;
}

export interface RemovalContext {
  readonly limits: ExclusionPlan['removals'];
  /** Entries of the blacklist before anything was added. */
  readonly before: number;
  /** Sources without companies that had some in the last full scan. */
  readonly emptiedSources: readonly string[];
  /** The proposal of exactly this set, where there is one. */
  readonly proposal: Pick<PendingRemovalsRow, 'approvedAt' | 'removedAt'> | undefined;
}

export interface RemovalDecision {
  /** Digest of the approval without which the set would wait; null when none was needed or given. */
  readonly approved: string | null;
  /** Why the set waits; null when it can be removed. */
  readonly because: PendingRemovals['because'] | null;
}

export function evaluateRemovals(
  { digest, released }: RemovalSet,
  { proposal, ...context }: RemovalContext,
): RemovalDecision {
  const because = released === 0 ? null : exceededLimit(released, context);
  if (because === null) return { approved: null, because: null };
  // An approval is good for one removal.
  const isApproved = proposal !== undefined && proposal.approvedAt !== null && proposal.removedAt === null;
  return isApproved ? { approved: digest, because: null } : { approved: null, because };
}

function exceededLimit(
  released: number,
  { limits: { maxEntries, maxPercent }, before, emptiedSources }: Omit<RemovalContext, 'proposal'>,
): PendingRemovals['because'] | null {
  if (emptiedSources.length > 0) return 'source_dried_up';
  if (released > maxEntries) return 'max_entries';
  return released > (before * maxPercent) / 100 ? 'max_percent' : null;
}
