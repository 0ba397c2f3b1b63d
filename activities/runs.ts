import { activityInfo, Context } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { final } from '../src/failures/final.ts';
import type { ResolvedRun, RunReference } from '../src/run-plan.ts';
import type { Clients } from './clients.ts';

const firstLookMs = 500;
const longestLookMs = 30_000;

export function createRunActivities({ findRun }: Clients) {
  return {
    /** The plan of a run that came by name, from the configuration of this worker. */
    async readRun({ runName }: Pick<RunReference, 'runName'>): Promise<ResolvedRun> {
      if (findRun === undefined)
        throw final('NoConfiguration', `this worker has no configuration to find run ${runName} in`);
      const run = findRun(runName);
      if (run !== null) return run;
      throw final('RunNotConfigured', `the worker's configuration has no run named ${runName}`);
    },

    /** Returns once nobody orders under this id any more. Until then the attempt fails as expected, and Temporal looks again. */
    async awaitTurn({ orderingId }: { orderingId: string }): Promise<void> {
      const holder = await findHolder(orderingId);
      if (holder === null) return;
      const { attempt } = activityInfo();
      throw ApplicationFailure.create({
        type: 'OrderingElsewhere',
        message: `${holder} is ordering; two runs of one name never order at once`,
        nextRetryDelay: Math.min(longestLookMs, firstLookMs * 2 ** (attempt - 1)),
        category: ApplicationFailureCategory.BENIGN,
      });
    },
  };
}

/** The run that orders, by its workflow id; null when none does. */
async function findHolder(orderingId: string): Promise<string | null> {
  const { client } = Context.current();
  try {
    const { status, parentExecution } = await client.workflow.getHandle(orderingId).describe();
    return status.name === 'RUNNING' ? (parentExecution?.workflowId ?? orderingId) : null;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
