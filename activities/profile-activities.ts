import { sleep } from '@temporalio/activity';
import { z } from 'zod';
import { isNotFound } from '../src/service/client/prospecting-error.ts';
import { idempotencyKey } from '../src/service/client/idempotency-key.ts';
import { digest } from '../src/base/json/canonical-json.ts';
import { checked, runSchema } from './checked-input.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { isExistingProfile, searchDigest, type ExistingProfile } from '../src/config/profile-settings.ts';
import { assertKnownOrganization } from '../src/ledger/known-organization.ts';
import { planOrder } from './configured-run.ts';
import { nonRetryable } from '../src/base/failures/application-failure.ts';
import { cancellationSignal, recordProgress } from './activity-heartbeat.ts';

export interface ProfileCreationState {
  readonly creationId: string;
  readonly status: string;
  readonly profileId: string | null;
  readonly errorCode: string | null;
}

const requestProfileSchema = z.object({ run: runSchema });
const awaitProfileSchema = z.object({ run: runSchema, creationId: z.guid() });

export function createProfileActivities({ prospecting, ledger, configuration }: ActivityDependencies) {
  return {
    /**
     * Requests a profile, unless the ledger has one of the same content that still exists in the service. The idempotency key contains
     * the generation, so that a failed creation is requested again.
     */
    requestProfile: checked(requestProfileSchema, async ({ run }): Promise<ProfileCreationState> => {
      const { profile } = planOrder({ configuration }, run);
      const options = { signal: cancellationSignal() };
      const contentHash = digest(profile);
      if (isExistingProfile(profile)) return saveExisting(profile);
      const known = await ledger.profiles.get(contentHash);
      const failed = known?.status === 'FAILED';
      if (known !== undefined && !failed && (await stillExists(known.creationId, options))) {
        return { creationId: known.creationId, status: known.status, profileId: known.profileId, errorCode: null };
      }
      await assertKnownOrganization({ prospecting, ledger }, options.signal);
      const generation = (known?.generation ?? 0) + 1;
      const key = idempotencyKey('profile', contentHash, generation);
      const creation = await prospecting.profiles.create(profile, key, options);
      const { profile_creation_id: creationId, status, profile_id: profileId, error_code: errorCode } = creation;
      const searchHash = searchDigest(profile);
      await ledger.profiles.save({ contentHash, searchHash, generation, creationId, profileId, status });
      return { creationId, status, profileId, errorCode };
    }),

    /** Polls until the creation has ended. Unknown statuses are polled like active ones. */
    awaitProfile: checked(awaitProfileSchema, async ({ run, creationId }): Promise<ProfileCreationState> => {
      const { profile } = planOrder({ configuration }, run);
      if (isExistingProfile(profile)) return saveExisting(profile);
      for (let polls = 0; ; polls += 1) {
        const creation = await prospecting.profiles.creation(creationId, { signal: cancellationSignal() });
        const { status, profile_id: profileId, error_code: errorCode } = creation;
        const contentHash = digest(profile);
        if (status === 'FAILED' || profileId !== null) {
          const known = await ledger.profiles.get(contentHash);
          // Another run may have requested a new creation since, which stays in the ledger.
          if (known?.creationId === creationId) await ledger.profiles.save({ ...known, profileId, status });
          return { creationId, status, profileId, errorCode };
        }
        if (status === 'SUCCEEDED')
          throw nonRetryable('ProfileMissing', `profile creation ${creationId} SUCCEEDED without a profile_id`);
        recordProgress(polls);
        await sleep(configuration.polling.profileMilliseconds);
      }
    }),
  };

  /** An order shows whether the service knows the profile: no call reads one by its id. */
  async function saveExisting(profile: ExistingProfile): Promise<ProfileCreationState> {
    const { profile_id: profileId } = profile;
    const existing = { creationId: profileId, profileId, status: 'SUCCEEDED' };
    const [contentHash, searchHash] = [digest(profile), searchDigest(profile)];
    await ledger.profiles.save({ contentHash, searchHash, generation: 0, ...existing });
    return { ...existing, errorCode: null };
  }

  async function stillExists(creationId: string, options: { signal: AbortSignal }): Promise<boolean> {
    try {
      await prospecting.profiles.creation(creationId, options);
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }
}
