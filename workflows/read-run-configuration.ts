import type { ResolvedRun, StartedRun } from '../src/config/run-plan.ts';
import { toSummary } from '../src/temporal/workflow-texts.ts';
import { shortActivities } from './activity-options.ts';

/** The plan of a run, from the worker's configuration, which must have the digest if one is given. */
export function readRunConfiguration(run: Pick<StartedRun, 'runName'> & Partial<StartedRun>): Promise<ResolvedRun> {
  return shortActivities.readRun.executeWithOptions({ summary: toSummary(`configuration of run ${run.runName}`) }, [
    run,
  ]);
}
