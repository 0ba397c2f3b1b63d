import { final } from '../src/failures/final.ts';
import type { RunPlan } from '../src/run-plan.ts';
import { calls, chunks } from './activity-calls.ts';
import { toSummary } from '../src/workflow-texts.ts';

/** A failed creation is asked for again with a new key, so often in all. */
const creationsAtMost = 3;

/** The id of the run's search profile, created unless one of the same content exists. Part of runProspecting. */
export async function prepareProfile({ profile, pace }: RunPlan): Promise<string> {
  const { requestProfile } = calls(pace);
  const { awaitProfile } = chunks(pace);
  let errorCode: string | null = null;
  for (let attempt = 1; attempt <= creationsAtMost; attempt += 1) {
    const requested = await requestProfile.executeWithOptions(
      { summary: `creation ${attempt} of ${creationsAtMost} at most` },
      [{ profile }],
    );
    const { creationId, profileId: known } = requested;
    if (known !== null) return known;
    const ended = await awaitProfile.executeWithOptions({ summary: toSummary(creationId) }, [
      { profile, creationId, pollMs: pace.profilePollMs },
    ]);
    if (ended.profileId !== null) return ended.profileId;
    errorCode = ended.errorCode;
  }
  throw final(
    'ProfileFailed',
    `the search profile could not be created in ${creationsAtMost} attempts (${errorCode ?? 'no error code'})`,
  );
}
