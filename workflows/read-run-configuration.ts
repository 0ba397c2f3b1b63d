import type { ResolvedRun, RunReference } from '../src/config/run-plan.ts';
import { toSummary } from '../src/temporal/workflow-texts.ts';
import { shortActivities } from './activity-options.ts';

/** The plan of a run, from the worker's configuration. */
export function readRunConfiguration(run: Pick<RunReference, 'runName'> & Partial<RunReference>): Promise<ResolvedRun> {
  return shortActivities.readRun.executeWithOptions({ summary: toSummary(`configuration of run ${run.runName}`) }, [
    run,
  ]);
}
