import { nonRetryable } from '../src/failures/non-retryable.ts';
import type { RunPlan, StartedRun } from '../src/config/run-plan.ts';
import { shortActivities, batchActivities } from './activity-options.ts';
import { toSummary } from '../src/temporal/workflow-texts.ts';

/** A failed creation is asked for again with a new key, so often in all. */
const creationsAtMost = 3;

/** Creates the search profile of the run, unless one of the same content exists. Part of orderCompanies. */
export async function prepareProfile({ pace }: Pick<RunPlan, 'pace'>, run: StartedRun): Promise<void> {
  const { requestProfile } = shortActivities(pace);
  const { awaitProfile } = batchActivities(pace);
  let errorCode: string | null = null;
  for (let attempt = 1; attempt <= creationsAtMost; attempt += 1) {
    const requested = await requestProfile.executeWithOptions(
      { summary: `creation ${attempt} of ${creationsAtMost} at most` },
      [{ run }],
    );
    const { creationId, profileId: known } = requested;
    if (known !== null) return;
    const ended = await awaitProfile.executeWithOptions({ summary: toSummary(creationId) }, [{ run, creationId }]);
    if (ended.profileId !== null) return;
    errorCode = ended.errorCode;
  }
  throw nonRetryable(
    'ProfileFailed',
    `the search profile could not be created in ${creationsAtMost} attempts (${errorCode ?? 'no error code'})`,
  );
}
