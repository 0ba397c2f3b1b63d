import { operations, type ProfileCreation, type ProfileInput } from '../../src/service/contract/index.ts';
import { need, type Check } from '../probe/check.ts';
import { NotChecked } from '../probe/not-checked.ts';
import { describeStatus } from '../probe/read-response.ts';
import type { RefusalCase } from '../probe/probe.ts';
import { byCreation } from './path-parameters.ts';

const { createProfile, getProfileCreation } = operations;
const patienceSeconds = 600;
const about = 'POST /api/v1/search-profile-creations';

export const profileReads: readonly Check[] = [
  {
    id: 'profiles.unknown-creation',
    clause: 'Authentication 7; not shown: the 404 body',
    title: 'an unknown profile_creation_id is 404',
    effect: 'read',
    async run(probe, { unknownId }) {
      await probe.answers(getProfileCreation, 404, byCreation(unknownId));
    },
  },
];

/** Nothing deletes a profile, and on a real service it may cost. */
export const profileWrites: readonly Check[] = [
  {
    id: 'profiles.create',
    clause: 'Endpoints, Search profile creation',
    title: 'a profile creation is 202 PENDING, with nulls and a message',
    effect: 'orders',
    async run(probe, state) {
      const input: ProfileInput = {
        profile_name: `${state.namePrefix} profile`,
        ideal_customer_profile: 'Makers of conformance suites',
        target_countries: ['Germany'],
      };
      const idempotencyKey = probe.newId();
      const created = await probe.ask(createProfile, 202, { idempotencyKey, body: input });
      state.creation = { id: created.profile_creation_id, idempotencyKey, input };
      probe.expect(created.status === 'PENDING', `${about}: status must be PENDING`);
      const filled = nullFields.filter((field) => created[field] !== null);
      probe.expect(filled.length === 0, `${about}: ${filled.join(', ')} must be null`);
      probe.expect(created.message !== '', `${about}: message must not be empty`);
    },
  },
  {
    id: 'profiles.replay',
    clause: 'Search profile creation, Rules; Errors, Retry guidance',
    title: 'the same Idempotency-Key with the same body gives the same creation',
    effect: 'orders',
    async run(probe, state) {
      const { id, idempotencyKey, input } = need(state.creation, 'a profile creation');
      const answer = await probe.send(createProfile, { idempotencyKey, body: input });
      const read = createProfile.responses[202].safeParse(answer.body);
      if (answer.status === 200) probe.note(`${about}: a replay is answered 200`);
      const isSame = answer.status < 300 && read.data?.profile_creation_id === id;
      probe.expect(
        isSame,
        `${about}: a replay must give the same profile_creation_id, answered ${describeStatus(answer)}`,
      );
    },
  },
  {
    id: 'profiles.conflict',
    clause: 'Errors 409 (profile creation)',
    title: 'the same Idempotency-Key with another body is 409',
    effect: 'orders',
    async run(probe, state) {
      const { idempotencyKey, input } = need(state.creation, 'a profile creation');
      const body = { ...input, ideal_customer_profile: 'Something else' };
      await probe.answers(createProfile, 409, { idempotencyKey, body, assumed: 'A15' });
    },
  },
  {
    id: 'profiles.create-refusals',
    clause: 'Endpoints, POST body; Errors, Validation errors',
    title: 'a missing Idempotency-Key and a body that breaks a rule are 422',
    effect: 'orders',
    async run(probe, { namePrefix }) {
      const good = {
        profile_name: `${namePrefix} refused`,
        ideal_customer_profile: 'A',
        target_countries: ['Germany'],
      };
      const { profile_name: _name, ...nameless } = good;
      const { ideal_customer_profile: _ideal, ...idealless } = good;
      const { target_countries: _countries, ...countryless } = good;
      const refuse = (what: string, body: unknown): RefusalCase => ({ what, body, idempotencyKey: probe.newId() });
      await probe.refuses(createProfile, 422, [
        { what: 'a missing Idempotency-Key', body: good },
        refuse('a body without profile_name', nameless),
        refuse('a body without ideal_customer_profile', idealless),
        refuse('a body without target_countries', countryless),
        refuse('an empty list of target_countries', { ...good, target_countries: [] }),
        refuse('target_countries that are no list', { ...good, target_countries: 'Germany' }),
        refuse('company_size_min 0', { ...good, company_size_min: 0 }),
        refuse('company_size_max -1', { ...good, company_size_max: -1 }),
        refuse('company_size_min 1.5', { ...good, company_size_min: 1.5 }),
      ]);
    },
  },
  {
    id: 'profiles.poll',
    clause: 'Profile creation status; Search profile creation request',
    title: 'polling goes forward to SUCCEEDED with profile_id, or FAILED with error fields, and carries no message',
    effect: 'orders',
    async run(probe, state) {
      const { id } = need(state.creation, 'a profile creation');
      const seen: ProfileCreation[] = [];
      const ended = await probe.poll(patienceSeconds, async () => {
        const creation = await probe.ask(getProfileCreation, 200, byCreation(id));
        seen.push(creation);
        return creation.status === 'SUCCEEDED' || creation.status === 'FAILED' ? creation : undefined;
      });
      for (const rule of brokenBy(seen)) probe.expect(false, `GET of the creation: ${rule}`);
      if (!ended) throw new NotChecked(`still ${seen.at(-1)?.status} after ${patienceSeconds} s`);
      if (ended.status === 'SUCCEEDED' && ended.profile_id !== null) state.profileId = ended.profile_id;
      else probe.note('the profile creation FAILED; what needs a profile is not checked');
    },
  },
];

const nullFields = ['profile_id', 'error_code', 'error_message', 'started_at', 'finished_at'] as const;

function brokenBy(seen: readonly ProfileCreation[]): string[] {
  const order = ['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED'];
  const rules: readonly (readonly [string, (creation: ProfileCreation, before?: ProfileCreation) => boolean])[] = [
    ['message must be on the 202 answer only', (creation) => !('message' in creation)],
    [
      'profile_id must be set when SUCCEEDED, and only then',
      (c) => (c.status === 'SUCCEEDED') === (c.profile_id !== null),
    ],
    ['error_code must be set when FAILED, and only then', (c) => (c.status === 'FAILED') === (c.error_code !== null)],
    ['finished_at must be set when it has ended', (c) => !isEnded(c) || c.finished_at !== null],
    ['finished_at must be null until it has ended', (c) => isEnded(c) || c.finished_at === null],
    [
      'the status must go forward',
      (c, before) => !before || order.indexOf(before.status) <= order.indexOf(c.status) || !order.includes(c.status),
    ],
    ['created_at must stay', (c, before) => !before || before.created_at === c.created_at],
  ];
  return rules
    .filter(([, holds]) => !seen.every((creation, at) => holds(creation, seen[at - 1])))
    .map(([rule]) => rule);
}

function isEnded({ status }: ProfileCreation): boolean {
  return status === 'SUCCEEDED' || status === 'FAILED';
}
