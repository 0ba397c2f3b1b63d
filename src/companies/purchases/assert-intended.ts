/** The last check before an order is placed. */
import { nonRetryable } from '../../base/failures/application-failure.ts';
import type { RunPlan, WorkerConfiguration } from '../../config/run-plan.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { withSentence } from '../../base/text/normalize-text.ts';
import { findOrderWarnings } from './order-warnings.ts';

interface Placement {
  /** Identity of the run; its draft has the rows of an enrichment. */
  readonly runKey: string;
  /** Whether a user or a schedule accepts what looks like a mistake. */
  readonly isConfirmed: boolean;
}

interface Dependencies {
  readonly ledger: Ledger;
  readonly configuration: Pick<WorkerConfiguration, 'findRun'>;
  readonly now: () => Date;
}

/**
 * A command has compared the order with earlier ones, but another run may have been started beside it.
 * @throws OrderUnconfirmed, non-retryable
 */
export async function assertIntended(
  { ledger, configuration, now }: Dependencies,
  plan: RunPlan,
  { runKey, isConfirmed }: Placement,
): Promise<void> {
  if (isConfirmed) return;
  const rows = plan.kind === 'enrichment' ? await ledger.drafts.read(runKey) : null;
  const isConfigured = (runName: string) => configuration.findRun(runName) !== null;
  const planned = { plan, rows, isBeforeExclusions: false, isConfigured };
  const { warnings } = await findOrderWarnings({ ledger, prospecting: null }, planned, now());
  if (warnings.length > 0) throw nonRetryable('OrderUnconfirmed', warnings.reduce(withSentence));
}
