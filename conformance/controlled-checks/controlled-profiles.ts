import { isDeepStrictEqual } from 'node:util';
import { operations, type ProfileCreation } from '../../src/service/contract/index.ts';
import type { Check } from '../probe/check.ts';
import { byCreation } from '../checks/path-parameters.ts';
import type { RefusalCase } from '../probe/probe.ts';
import { createTestOrganization, profileInput, type TestOrganization } from './test-organization.ts';

const { createProfile, getProfileCreation } = operations;

export const controlledProfileChecks: readonly Check[] = [
  {
    id: 'profiles.input',
    clause: 'Endpoints, POST body',
    title: 'every field is accepted with a valid value and refused with another; optional fields may be left out',
    needs: 'profile creations that cost nothing',
    effect: 'read',
    async run(common) {
      const { probe } = createTestOrganization(common);
      for (const { field, valid, invalid } of inputFields) {
        for (const value of valid) {
          const body = profileInput({ [field]: value });
          await probe.answers(createProfile, 202, { idempotencyKey: probe.newId(), body });
        }
        const refused = invalid.map((value): RefusalCase => {
          const what = `${field} ${JSON.stringify(value)}`;
          return { what, idempotencyKey: probe.newId(), body: profileInput({ [field]: value }) };
        });
        await probe.refuses(createProfile, 422, refused);
      }
      const empty = { what: 'an empty Idempotency-Key', body: profileInput(), idempotencyKey: '' };
      await probe.refuses(createProfile, 422, [empty]);
    },
  },
  {
    id: 'profiles.default-language',
    clause: 'Endpoints, POST body',
    title: 'output_language is en when it is left out',
    needs: 'a server whose outcome depends on the content of the request',
    effect: 'read',
    async run(common) {
      // `outcome:FAILED*1` fails the first creation of the same content; a second one with another content fails as well.
      for (const [output_language, expected] of [
        ['en', 'SUCCEEDED'],
        ['de', 'FAILED'],
      ] as const) {
        const test = createTestOrganization(common);
        await watch(test, { profile_name: 'outcome:FAILED*1' });
        const second = await watch(test, { profile_name: 'outcome:FAILED*1', output_language });
        test.expectEqual(`the second creation, in ${output_language}`, second.at(-1)?.status, expected);
      }
    },
  },
  {
    id: 'profiles.statuses',
    clause: 'Profile creation status; Search profile creation request',
    title: 'a profile creation is PENDING, RUNNING, then SUCCEEDED or FAILED, with the fields of its status',
    needs: 'a clock that can be moved, and a profile creation that fails',
    effect: 'read',
    async run(common) {
      for (const [profile_name, end] of [
        ['Makers', 'SUCCEEDED'],
        ['outcome:FAILED', 'FAILED'],
      ] as const) {
        const test = createTestOrganization(common);
        const seen = await watch(test, { profile_name });
        const statuses = [...new Set(seen.map(({ status }) => status))];
        test.expectEqual('statuses', statuses, ['PENDING', 'RUNNING', end]);
        for (const creation of seen) expectFieldsOfStatus(test, creation);
        for (const field of fixedFields) {
          const values = new Set(seen.map((creation) => creation[field]).filter((value) => value !== null));
          test.expectEqual(`values of ${field}`, values.size, field === 'profile_id' && end === 'FAILED' ? 0 : 1);
        }
        await test.server.advance(86_400);
        const last = seen.at(-1);
        const id = last?.profile_creation_id ?? '';
        test.expectEqual('a day later', await test.probe.ask(getProfileCreation, 200, byCreation(id)), last);
        const { created_at, started_at, finished_at } = seen.at(-1) ?? {};
        const times = [created_at, started_at, finished_at].map((time) => Date.parse(time ?? ''));
        test.expectEqual(
          'times in their order',
          times,
          times.toSorted((a, b) => a - b),
        );
      }
    },
  },
  {
    id: 'profiles.final',
    clause: 'Profile creation status; Errors, Retry guidance',
    title: 'a SUCCEEDED creation gives a profile for orders; a FAILED one is final, and a new key creates anew',
    needs: 'a profile creation that fails once',
    effect: 'read',
    async run(common) {
      const test = createTestOrganization(common);
      const { probe, server } = test;
      await test.placeOrder({
        order_type: 'DISCOVERY',
        profile_id: await test.createProfile(),
        briefing_quantity: 1,
      });
      const body = profileInput({ profile_name: 'outcome:FAILED*1' });
      const create = (idempotencyKey: string) => probe.ask(createProfile, 202, { idempotencyKey, body });
      const read = async (id: string) => (await probe.ask(getProfileCreation, 200, byCreation(id))).status;
      const first = await create('first');
      test.expectEqual('the answer to a replay', await create('first'), first);
      await server.advance(60);
      const replayed = await create('first');
      test.expectEqual('the same key', replayed.profile_creation_id, first.profile_creation_id);
      const second = await create('second');
      await server.advance(60);
      const ends = [await read(first.profile_creation_id), await read(second.profile_creation_id)];
      test.expectEqual('ends under the first and the second key', ends, ['FAILED', 'SUCCEEDED']);
    },
  },
];

/** Fields that never change once they are set. */
const fixedFields = ['profile_creation_id', 'profile_id', 'created_at', 'started_at', 'finished_at'] as const;

const texts = { valid: ['Machines', undefined], invalid: [7, ['Machines']] };
const required = { valid: ['Machine makers'], invalid: [undefined, null, 7, ['Machine makers']] };
const lists = { valid: [['A', 'B'], undefined], invalid: ['A', [7], 7] };
const sizes = { valid: [1, 100_000, undefined], invalid: [0, -1, 1.5, '10'] };

const inputFields = [
  { field: 'profile_name', ...required },
  { field: 'ideal_customer_profile', ...required },
  {
    field: 'target_countries',
    valid: [['Germany'], ['Germany', 'Austria']],
    invalid: [undefined, null, [], 'Germany', [7]],
  },
  { field: 'seller_offering', ...texts },
  { field: 'seller_industry', ...texts },
  { field: 'target_cities', ...lists },
  { field: 'target_industries', ...lists },
  { field: 'excluded_industries', ...lists },
  { field: 'contact_roles', ...lists },
  { field: 'output_language', ...texts },
  { field: 'company_size_min', ...sizes },
  { field: 'company_size_max', ...sizes },
];

/** Reads a new creation every tenth of a second until nothing can change any more. */
async function watch({ probe, server }: TestOrganization, changes: Record<string, unknown>) {
  const body = profileInput(changes);
  const created = await probe.ask(createProfile, 202, { idempotencyKey: probe.newId(), body });
  const { message, ...accepted } = created;
  probe.expect(message !== '', 'the 202 answer must carry a message');
  const seen: ProfileCreation[] = [];
  for (let tenths = 0; tenths <= 30; tenths += 1) {
    const creation = await probe.ask(getProfileCreation, 200, byCreation(created.profile_creation_id));
    seen.push(creation);
    await server.advance(0.1);
  }
  probe.expect(isDeepStrictEqual(seen[0], accepted), 'the first read must be the 202 answer without message');
  return seen;
}

function expectFieldsOfStatus({ expectEqual }: TestOrganization, creation: ProfileCreation): void {
  const { status, profile_id, error_code, error_message, started_at, finished_at } = creation;
  const isFailed = status === 'FAILED';
  const hasEnded = isFailed || status === 'SUCCEEDED';
  expectEqual(
    `fields of ${status} that are set`,
    [profile_id, error_code, error_message, started_at, finished_at, 'message' in creation || null].map(
      (value) => value !== null,
    ),
    [status === 'SUCCEEDED', isFailed, isFailed, status !== 'PENDING', hasEnded, false],
  );
}
