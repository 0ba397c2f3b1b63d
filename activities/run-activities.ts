import { Context } from '@temporalio/activity';
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure, type Workflow, type WorkflowResultType } from '@temporalio/common';
import { z } from 'zod';
import { nonRetryable, rootCause, failureTypeOf } from '../src/base/failures/application-failure.ts';
import { failureDescriptions } from '../src/base/failures/failure-descriptions.ts';
import type { ExclusionsReport } from '../src/proof/report/order-report.ts';
import { toInstallationName } from '../src/config/blacklist-settings.ts';
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
import { configurationDiffers, findConfiguredRun, planExclusion, startedElsewhere } from './configured-run.ts';
import { pollAgain } from './poll-again.ts';

const pollDelays = { firstMs: 500, longestMs: 30_000 };

/** The type of the workflow syncExclusions. */
type Sync = (input: object) => Promise<ExclusionsReport>;

/** `digest`: the only configuration that the caller accepts. `installation`: the only one whose worker may carry out the run. */
const readRunSchema = z.object({
  runName: runNameSchema,
  digest: digestSchema.optional(),
  installation: runNameSchema.nullish(),
});
const awaitTurnSchema = z.object({ orderingId: workflowKeySchema });
const awaitResultSchema = z.object({ workflowId: workflowKeySchema });
/** `exclusion`: of the waiting run. */
const awaitSyncSchema = z.object({
  workflowId: workflowKeySchema,
  exclusion: exclusionSchema,
  since: z.iso.datetime(),
});

export function createRunActivities({ configuration, ledger }: ActivityDependencies) {
  return {
    /** The plan of a run from the worker's configuration. */
    readRun: checked(readRunSchema, async ({ runName, digest, installation }): Promise<ResolvedRun> => {
      const own = toInstallationName(ledger.installation);
      if (installation != null && installation !== own)
        throw startedElsewhere(`run ${runName}`, { by: installation, own });
      const run = findConfiguredRun({ configuration }, runName);
      if (digest !== undefined && digest !== run.digest)
        throw configurationDiffers(`run ${runName}`, { expected: digest, now: run.digest });
      return run;
    }),

    /** Polls once. Fails as a benign retry while a workflow of this id is running. */
    awaitTurn: checked(awaitTurnSchema, async ({ orderingId }): Promise<void> => {
      const found = await describe(orderingId);
      if (found?.status.name !== 'RUNNING') return;
      const holder = found.parentExecution?.workflowId ?? orderingId;
      throw pollAgain(
        'OrderingElsewhere',
        pollDelays,
        () => `${holder} is placing its order; runs of one name order one after another`,
      );
    }),

    /**
     * Polls once. Returns the result of a workflow that another run has started, or fails as that workflow did. Fails as a benign retry
     * while it is running.
     */
    async awaitResult<T extends Workflow>(input: z.input<typeof awaitResultSchema>): Promise<WorkflowResultType<T>> {
      const { workflowId } = parseInput(awaitResultSchema, input);
      const found = await describe(workflowId);
      if (found === null) throw nonRetryable('Terminated', `${workflowId} no longer exists`);
      if (found.status.name === 'RUNNING')
        throw pollAgain('RunsElsewhere', pollDelays, () => `${workflowId} is already running`);
      const { client } = Context.current();
      try {
        return await client.workflow.getHandle<T>(workflowId, found.runId).result();
      } catch (error) {
        if (!(error instanceof WorkflowFailedError)) throw error;
        throw toSameFailure(workflowId, rootCause(error.cause));
      }
    },

    /**
     * Polls once. Returns the report of the newest sync of an exclusion; fails as a benign retry while it is running. null when the sync
     * cannot replace one of the caller: it started before `since`, did not succeed, or used other settings.
     */
    awaitSync: checked(awaitSyncSchema, async ({ workflowId, exclusion, since }): Promise<ExclusionsReport | null> => {
      const found = await describe(workflowId);
      if (found?.status.name === 'RUNNING')
        throw pollAgain('RunsElsewhere', pollDelays, () => `${workflowId} is in progress`);
      if (found?.status.name !== 'COMPLETED') return null;
      // After a reset the start time is later than the scan.
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

/** Non-retryable: the other workflow has ended. */
function toSameFailure(workflowId: string, root: Error | undefined): Error {
  // Temporal accepts no cancelled failure from an activity that was not cancelled.
  if (root instanceof CancelledFailure) return nonRetryable('Terminated', `${workflowId} was cancelled`);
  const type = failureTypeOf(root);
  return root instanceof ApplicationFailure
    ? ApplicationFailure.create({ type, message: root.message, nonRetryable: true })
    : nonRetryable(type, `${workflowId} failed: ${failureDescriptions[type].description}`);
}
