import { operations, type ProfileCreation } from '../../src/service/contract/index.ts';
import { toTimestamp } from '../timestamp.ts';
import { fingerprintOf } from './idempotency.ts';
import {
  startJobLifecycle,
  initialLifecycle,
  advanceByPoll,
  stageAt,
  statusReachedAt,
  type Progression,
} from '../status-lifecycle.ts';
import { refuseUnknown } from '../service-refusal.ts';
import { readId, route, type AnyCall, type CreationContext, type Route } from './operation-route.ts';
import type { Organization } from '../state/organization.ts';
import type { Answer, StoredCreation } from '../state/stored-records.ts';

export function createProfileRoutes(progressionOf: (call: CreationContext) => Progression): readonly Route[] {
  return [
    {
      current: replayCreation,
      ...route(operations.createProfile, ({ organization, key, now, body }) => {
        const earlier = organization.count(`creation/${fingerprintOf(body)}`);
        const creation: StoredCreation = {
          id: organization.nextId('profile creation'),
          profileId: organization.nextId('profile'),
          input: body,
          life: startJobLifecycle(body.profile_name, {
            start: now,
            progression: progressionOf({ organization, key }),
            earlier,
            end: 'SUCCEEDED',
          }),
        };
        organization.creations.set(creation.id, creation);
        organization.profiles.set(creation.profileId, creation.id);
        // The answer is always PENDING, also with immediate progression.
        const accepted = {
          ...toCreation({ ...creation, life: initialLifecycle(creation.life) }, now),
          message: acceptedMessage,
        };
        return { status: 202, body: accepted };
      }),
    },

    route(operations.getProfileCreation, ({ organization, now, params }) => {
      const creation = findCreation(organization, params.profile_creation_id);
      const life = advanceByPoll(creation.life, now);
      if (life !== creation.life) organization.creations.set(creation.id, { ...creation, life });
      return { status: 200, body: toCreation({ ...creation, life }, now) };
    }),
  ];
}

function replayCreation({ organization, now }: AnyCall, first: Answer): Answer {
  const creation = organization.creations.get(readId(first.body, 'profile_creation_id'));
  return creation ? { ...first, body: { ...toCreation(creation, now), message: acceptedMessage } } : first;
}

const acceptedMessage = 'Profile creation accepted; poll until SUCCEEDED or FAILED.';

export function findCreation(organization: Organization, id: string): StoredCreation {
  const creation = organization.creations.get(id.toLowerCase());
  if (!creation) throw refuseUnknown('PROFILE_CREATION_NOT_FOUND', id);
  return creation;
}

/**
 * The creation whose profile has this id; the prospect search has the same id (A06). A profile exists when its creation
 * has succeeded.
 */
export function findProfile(organization: Organization, id: string, now: number): StoredCreation | null {
  const creationId = organization.profiles.get(id.toLowerCase());
  const creation = creationId === undefined ? undefined : organization.creations.get(creationId);
  return creation && stageAt(creation.life, now).status === 'SUCCEEDED' ? creation : null;
}

export function toCreation({ id, profileId, life }: StoredCreation, now: number): ProfileCreation {
  const { status, at } = stageAt(life, now);
  const started = statusReachedAt(life, 'RUNNING', now);
  const failed = status === 'FAILED';
  return {
    profile_creation_id: id,
    status,
    profile_id: status === 'SUCCEEDED' ? profileId : null,
    error_code: failed ? 'PROFILE_GENERATION_FAILED' : null,
    error_message: failed ? 'The profile could not be generated; retry with a new idempotency key.' : null,
    created_at: toTimestamp(life.stages[0].at),
    started_at: started === null ? null : toTimestamp(started),
    finished_at: failed || status === 'SUCCEEDED' ? toTimestamp(at) : null,
  };
}
