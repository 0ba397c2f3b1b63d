import type { ResolvedRun, RunReference } from '../src/config/run-plan.ts';
import { toSummary } from '../src/temporal/workflow-texts.ts';
import { shortActivities } from './activity-options.ts';

type Read = Pick<RunReference, 'runName'> & Partial<Pick<RunReference, 'digest' | 'installation'>>;

/** The plan of a run, from the worker's configuration, which must have the digest and be of the installation if they are given. */
export function readRunConfiguration(run: Read): Promise<ResolvedRun> {
  return shortActivities.readRun.executeWithOptions({ summary: toSummary(`configuration of run ${run.runName}`) }, [
    run,
  ]);
}
