import { nonRetryable } from '../src/failures/application-failure.ts';
import type { RunPlan, StartedRun } from '../src/config/run-plan.ts';
import { shortActivities, batchActivities } from './activity-options.ts';
import { toSummary } from '../src/temporal/workflow-texts.ts';

/** Each attempt after a failed creation has a new idempotency key. */
const creationsAtMost = 3;

/** Creates the search profile of the run, unless one of the same content exists. Part of orderCompanies. */
export async function prepareProfile({ pace }: Pick<RunPlan, 'pace'>, run: StartedRun): Promise<void> {
  const { requestProfile } = shortActivities(pace);
  const { awaitProfile } = batchActivities(pace);
  let errorCode: string | null = null;
  for (let attempt = 1; attempt <= creationsAtMost; attempt += 1) {
    const requested = await requestProfile.executeWithOptions(
      { summary: `attempt ${attempt} of at most ${creationsAtMost}` },
      [{ run }],
    );
    const { creationId, profileId } = requested;
    if (profileId !== null) return;
    const creation = await awaitProfile.executeWithOptions({ summary: toSummary(creationId) }, [{ run, creationId }]);
    if (creation.profileId !== null) return;
    errorCode = creation.errorCode;
  }
  throw nonRetryable(
    'ProfileFailed',
    `the search profile could not be created in ${creationsAtMost} attempts (${errorCode ?? 'no error code'})`,
  );
}
