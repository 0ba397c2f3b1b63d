/** The brake on removals: what would let many companies through waits until a person approves exactly that set. */
import { createHash } from 'node:crypto';
import { limits } from '../contract/index.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PresentExclusion } from '../ledger/exclusion-store.ts';
import type { PendingRemovals } from '../report/order-report.ts';
import type { ExclusionPlan } from '../config/run-plan.ts';

export interface RemovalStep {
  readonly syncId: string;
  readonly blacklistId: string;
  readonly exclusion: ExclusionPlan;
  /** Entries of the blacklist before anything was added. */
  readonly before: number;
  /** Sources that held companies before and hold none now. */
  readonly driedUp: readonly string[];
}

export interface WeighedRemovals {
  /** How many companies the removals would let through. */
  readonly released: number;
  /** Digest of the approval without which they would wait; null when none was needed, or none was there. */
  readonly approved: string | null;
  /** What waits for approval; null when everything superfluous may go. */
  readonly pending: PendingRemovals | null;
}

/** What waits is written down for `exclusions approve`. */
export async function holdRemovals(ledger: Ledger, step: RemovalStep, now: Date): Promise<WeighedRemovals> {
  const weight = await weigh(ledger, step);
  const { digest, released } = weight;
  const because = released === 0 ? null : reasonToWait(step, released);
  if (because === null) return { released, approved: null, pending: null };
  const proposed = await ledger.exclusionRemovals.get(digest);
  const isApproved = proposed !== undefined && proposed.approvedAt !== null && proposed.removedAt === null;
  if (isApproved) return { released, approved: digest, pending: null };
  return { released, approved: null, pending: await propose(ledger, step, { ...weight, because }, now) };
}

/**
 * What an attempt that is not the first holds back: null when no more would be let through than was weighed. What an
 * earlier attempt has removed is not there any more; more than was weighed is nobody's decision.
 */
export async function holdUnweighed(
  ledger: Ledger,
  step: Omit<RemovalStep, 'before' | 'driedUp'> & Pick<WeighedRemovals, 'released'>,
  now: Date,
): Promise<PendingRemovals | null> {
  const weight = await weigh(ledger, step);
  if (weight.released <= step.released) return null;
  // Nothing is wanted any more: the sync was closed meanwhile, and this is no set that anybody should approve.
  if (!(await ledger.exclusions.isAnyWanted(step.syncId))) return null;
  return propose(ledger, { ...step, driedUp: [] }, { ...weight, because: 'more_than_weighed' }, now);
}

async function propose(
  ledger: Ledger,
  { exclusion, blacklistId, driedUp }: Omit<RemovalStep, 'before'>,
  { digest, released, because }: { digest: string; released: number; because: PendingRemovals['because'] },
  now: Date,
): Promise<PendingRemovals> {
  await ledger.exclusionRemovals.propose({
    digest,
    exclusion: exclusion.name,
    blacklistId,
    entries: released,
    foundAt: now.toISOString(),
  });
  return { digest, entries: released, because, driedUp: [...driedUp] };
}

/** The digest of the set that would be let through: its entries' ids, and the blacklist's. */
async function weigh(ledger: Ledger, { syncId, blacklistId }: Pick<RemovalStep, 'syncId' | 'blacklistId'>) {
  const hash = createHash('sha256').update(blacklistId);
  let released = 0;
  // In the order of what entries say and of their ids: the same set always comes in the same order.
  for await (const page of removalPages(ledger, syncId)) {
    for (const { entryId } of page.released) hash.update(`\n${entryId}`);
    released += page.released.length;
  }
  return { digest: hash.digest('hex').slice(0, 16), released };
}

/** A wanted company's superfluous entries are copies, or were replaced: to remove those lets nobody through. */
export async function* removalPages(
  { exclusions }: Pick<Ledger, 'exclusions'>,
  syncId: string,
): AsyncGenerator<{ rows: PresentExclusion[]; released: PresentExclusion[] }> {
  let after: Pick<PresentExclusion, 'hash' | 'entryId'> = { hash: '', entryId: '' };
  for (;;) {
    const rows = await exclusions.removals(syncId, { limit: limits.entryIdsPerRemove.max, after });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield { rows, released: await exclusions.released(syncId, rows) };
    after = last;
  }
}

function reasonToWait(
  { exclusion, before, driedUp }: RemovalStep,
  released: number,
): PendingRemovals['because'] | null {
  const { maxEntries, maxPercent } = exclusion.removals;
  if (driedUp.length > 0) return 'source_dried_up';
  if (released > maxEntries) return 'max_entries';
  return released > (before * maxPercent) / 100 ? 'max_percent' : null;
}
