import { activityInfo, Context } from '@temporalio/activity';
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import {
  ApplicationFailure,
  ApplicationFailureCategory,
  CancelledFailure,
  type Workflow,
  type WorkflowResultType,
} from '@temporalio/common';
import { final } from '../src/failures/final.ts';
import { failureMeanings, type FailureType } from '../src/failures/meanings.ts';
import { rootOf, typeOf } from '../src/failures/root.ts';
import type { ExclusionsReport } from '../src/order-report.ts';
import type { ExclusionPlan, ResolvedRun, RunReference } from '../src/run-plan.ts';
import type { Clients } from './clients.ts';
import { planDigest } from './exclusion-scan.ts';

const firstLookMs = 500;
const longestLookMs = 30_000;

/** As syncExclusions. */
type Sync = (input: object) => Promise<ExclusionsReport>;

export interface AwaitSync {
  readonly workflowId: string;
  /** Of the run that waits. */
  readonly exclusion: ExclusionPlan;
  /** ISO 8601. */
  readonly since: string;
}

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
      const found = await describe(orderingId);
      if (found?.status.name !== 'RUNNING') return;
      const holder = found.parentExecution?.workflowId ?? orderingId;
      throw lookAgain('OrderingElsewhere', `${holder} is ordering; two runs of one name never order at once`);
    },

    /**
     * The result of a workflow that somebody else has started, once it has ended; it fails as that one did. Until then the
     * attempt fails as expected, and Temporal looks again.
     */
    async awaitResult<T extends Workflow>({ workflowId }: { workflowId: string }): Promise<WorkflowResultType<T>> {
      const found = await describe(workflowId);
      if (found === null) throw final('Terminated', `${workflowId} does not exist any more`);
      if (found.status.name === 'RUNNING') throw lookAgain('RunsElsewhere', `${workflowId} goes on already`);
      const { client } = Context.current();
      try {
        return await client.workflow.getHandle<T>(workflowId, found.runId).result();
      } catch (error) {
        if (!(error instanceof WorkflowFailedError)) throw error;
        throw asItFailed(workflowId, rootOf(error.cause));
      }
    },

    /**
     * The report of the newest sync of an exclusion, once it has ended; until then the attempt fails as expected, and
     * Temporal looks again. null when the sync cannot stand for one of the caller's own: it started before `since`, did
     * not succeed, or used other settings.
     */
    async awaitSync({ workflowId, exclusion, since }: AwaitSync): Promise<ExclusionsReport | null> {
      const found = await describe(workflowId);
      if (found?.status.name === 'RUNNING') throw lookAgain('RunsElsewhere', `${workflowId} is in progress`);
      if (found?.status.name !== 'COMPLETED') return null;
      // After a reset the workflow is newer than its scan.
      const isReset = found.raw.workflowExecutionInfo?.firstRunId !== found.runId;
      if (isReset || found.startTime < new Date(since)) return null;
      const { client } = Context.current();
      const report = await client.workflow.getHandle<Sync>(workflowId, found.runId).result();
      return report.settings === planDigest(exclusion) ? report : null;
    },
  };
}

/** The newest workflow of that id; null when there is none. */
async function describe(workflowId: string) {
  try {
    return await Context.current().client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

function lookAgain(type: FailureType, message: string): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    nextRetryDelay: Math.min(longestLookMs, firstLookMs * 2 ** (activityInfo().attempt - 1)),
    category: ApplicationFailureCategory.BENIGN,
  });
}

/** No further attempt mends what another workflow has ended with. */
function asItFailed(workflowId: string, root: Error | undefined): Error {
  // Not the cancellation itself: Temporal takes none from an activity that was not cancelled.
  if (root instanceof CancelledFailure) return final('Terminated', `${workflowId} was cancelled`);
  const type = typeOf(root);
  return root instanceof ApplicationFailure
    ? ApplicationFailure.create({ type, message: root.message, nonRetryable: true })
    : final(type, `${workflowId} failed: ${failureMeanings[type].meaning}`);
}
