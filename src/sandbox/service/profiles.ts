import { operations, prospectSearchIdOf, type ProfileCreation, type ProfileInput } from '../../contract/index.ts';
import { toTimestamp } from '../timestamp.ts';
import { fingerprintOf } from './idempotency.ts';
import { wishesIn } from './magic-inputs.ts';
import { refuseUnknown } from './refusal.ts';
import { route, type Route } from './route.ts';
import { planStages, stageAt, startOf, type Stages } from './stages.ts';
import type { Organization, ProfileCreationRecord } from './store.ts';

interface ProfileSettings {
  readonly profileSeconds: number;
}

export function createProfileRoutes({ profileSeconds }: ProfileSettings): readonly Route[] {
  return [
    route(operations.createProfile, ({ organization, now, body }) => {
      const fingerprint = fingerprintOf(body);
      const creation: ProfileCreationRecord = {
        id: organization.nextId('profile creation'),
        profileId: organization.nextId('profile'),
        input: body,
        fingerprint,
        stages: lifeOf(body, earlierCreations(organization, fingerprint), { start: now, seconds: profileSeconds }),
      };
      organization.creations.set(creation.id, creation);
      // The 202 answer says PENDING whatever the pace.
      const { at } = creation.stages[0];
      const accepted = { ...toCreation({ ...creation, stages: [creation.stages[0]] }, at), message: acceptedMessage };
      return { status: 202, body: accepted };
    }),

    route(operations.getProfileCreation, ({ organization, now, params }) => {
      const creation = organization.creations.get(params.profile_creation_id.toLowerCase());
      if (!creation) throw refuseUnknown('PROFILE_CREATION_NOT_FOUND', params.profile_creation_id);
      return { status: 200, body: toCreation(creation, now) };
    }),
  ];
}

const acceptedMessage = 'Profile creation accepted; poll until SUCCEEDED or FAILED.';

/** The creation whose profile has this id; a profile exists from the moment its creation has succeeded. */
export function findProfile(organization: Organization, id: string, now: number): ProfileCreationRecord | null {
  return findSucceeded(organization, now, ({ profileId }) => profileId === id.toLowerCase());
}

/** The creation whose profile belongs to a prospect search. */
export function findSearched(organization: Organization, searchId: string, now: number): ProfileCreationRecord | null {
  return findSucceeded(organization, now, (creation) => searchIdOf(creation) === searchId.toLowerCase());
}

/** A06 */
export function searchIdOf({ profileId }: ProfileCreationRecord): string {
  return prospectSearchIdOf({ profile_id: profileId });
}

function findSucceeded(
  { creations }: Organization,
  now: number,
  isWanted: (creation: ProfileCreationRecord) => boolean,
): ProfileCreationRecord | null {
  const creation = creations.values().find(isWanted);
  return creation && stageAt(creation.stages, now).status === 'SUCCEEDED' ? creation : null;
}

function earlierCreations(organization: Organization, fingerprint: string): number {
  const creations = organization.creations.values();
  return creations.reduce((count, creation) => (creation.fingerprint === fingerprint ? count + 1 : count), 0);
}

function lifeOf({ profile_name }: ProfileInput, earlier: number, time: { start: number; seconds: number }): Stages {
  const { outcome, outcomeTimes, stay } = wishesIn(profile_name);
  const end = outcome === 'FAILED' && earlier < outcomeTimes ? 'FAILED' : 'SUCCEEDED';
  return planStages('PENDING', {
    ...time,
    steps: [
      ['RUNNING', 0.25],
      [end, 1],
    ],
    stay,
  });
}

function toCreation({ id, profileId, stages }: ProfileCreationRecord, now: number): ProfileCreation {
  const { status, at } = stageAt(stages, now);
  const started = startOf(stages, 'RUNNING', now);
  const failed = status === 'FAILED';
  return {
    profile_creation_id: id,
    status,
    profile_id: status === 'SUCCEEDED' ? profileId : null,
    error_code: failed ? 'PROFILE_GENERATION_FAILED' : null,
    error_message: failed ? 'The profile could not be generated; retry with a new idempotency key.' : null,
    created_at: toTimestamp(stages[0].at),
    started_at: started === null ? null : toTimestamp(started),
    finished_at: failed || status === 'SUCCEEDED' ? toTimestamp(at) : null,
  };
}
