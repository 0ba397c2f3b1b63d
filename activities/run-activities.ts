import { activityInfo, Context } from '@temporalio/activity';
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import {
  ApplicationFailure,
  ApplicationFailureCategory,
  CancelledFailure,
  type Workflow,
  type WorkflowResultType,
} from '@temporalio/common';
import { z } from 'zod';
import { nonRetryable } from '../src/failures/non-retryable.ts';
import { failureDescriptions, type FailureType } from '../src/failures/failure-descriptions.ts';
import { rootCause, failureTypeOf } from '../src/failures/root-cause.ts';
import type { ExclusionsReport } from '../src/report/order-report.ts';
import { exclusionDigest, type ResolvedRun } from '../src/config/run-plan.ts';
import {
  checked,
  digestSchema,
  exclusionSchema,
  parseInput,
  runNameSchema,
  workflowKeySchema,
} from './checked-input.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { configurationDiffers, findConfiguredRun, planExclusion } from './configured-run.ts';

const firstLookMs = 500;
const longestLookMs = 30_000;

/** As syncExclusions. */
type Sync = (input: object) => Promise<ExclusionsReport>;

const readRunSchema = z.object({
  runName: runNameSchema,
  digest: digestSchema.optional(),
  exact: z.literal(true).optional(),
});
const awaitTurnSchema = z.object({ orderingId: workflowKeySchema });
const awaitResultSchema = z.object({ workflowId: workflowKeySchema });
/** `exclusion`: of the run that waits. */
const awaitSyncSchema = z.object({
  workflowId: workflowKeySchema,
  exclusion: exclusionSchema,
  since: z.iso.datetime(),
});

export function createRunActivities({ configuration }: ActivityDependencies) {
  return {
    /** The plan of a run, from the configuration of this worker. */
    readRun: checked(readRunSchema, async ({ runName, digest, exact }): Promise<ResolvedRun> => {
      const run = findConfiguredRun({ configuration }, runName);
      if (exact && digest !== undefined && digest !== run.digest)
        throw configurationDiffers(`run ${runName}`, { expected: digest, now: run.digest });
      return run;
    }),

    /** Returns once nobody orders under this id any more. Until then the attempt fails as expected, and Temporal looks again. */
    awaitTurn: checked(awaitTurnSchema, async ({ orderingId }): Promise<void> => {
      const found = await describe(orderingId);
      if (found?.status.name !== 'RUNNING') return;
      const holder = found.parentExecution?.workflowId ?? orderingId;
      throw lookAgain('OrderingElsewhere', `${holder} is ordering; two runs of one name never order at once`);
    }),

    /**
     * The result of a workflow that somebody else has started, once it has ended; it fails as that one did. Until then the
     * attempt fails as expected, and Temporal looks again.
     */
    async awaitResult<T extends Workflow>(input: z.input<typeof awaitResultSchema>): Promise<WorkflowResultType<T>> {
      const { workflowId } = parseInput(awaitResultSchema, input);
      const found = await describe(workflowId);
      if (found === null) throw nonRetryable('Terminated', `${workflowId} does not exist any more`);
      if (found.status.name === 'RUNNING') throw lookAgain('RunsElsewhere', `${workflowId} is already running`);
      const { client } = Context.current();
      try {
        return await client.workflow.getHandle<T>(workflowId, found.runId).result();
      } catch (error) {
        if (!(error instanceof WorkflowFailedError)) throw error;
        throw asItFailed(workflowId, rootCause(error.cause));
      }
    },

    /**
     * The report of the newest sync of an exclusion, once it has ended; until then the attempt fails as expected, and
     * Temporal looks again. null when the sync cannot stand for one of the caller's own: it started before `since`, did
     * not succeed, or used other settings.
     */
    awaitSync: checked(awaitSyncSchema, async ({ workflowId, exclusion, since }): Promise<ExclusionsReport | null> => {
      const found = await describe(workflowId);
      if (found?.status.name === 'RUNNING') throw lookAgain('RunsElsewhere', `${workflowId} is in progress`);
      if (found?.status.name !== 'COMPLETED') return null;
      // After a reset the workflow is newer than its scan.
      const isReset = found.raw.workflowExecutionInfo?.firstRunId !== found.runId;
      if (isReset || found.startTime < new Date(since)) return null;
      const { client } = Context.current();
      const report = await client.workflow.getHandle<Sync>(workflowId, found.runId).result();
      return report.settings === exclusionDigest(planExclusion({ configuration }, exclusion)) ? report : null;
    }),
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
  if (root instanceof CancelledFailure) return nonRetryable('Terminated', `${workflowId} was cancelled`);
  const type = failureTypeOf(root);
  return root instanceof ApplicationFailure
    ? ApplicationFailure.create({ type, message: root.message, nonRetryable: true })
    : nonRetryable(type, `${workflowId} failed: ${failureDescriptions[type].description}`);
}
