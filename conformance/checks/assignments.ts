import { limits, operations } from '../../src/service/contract/index.ts';
import type { Check } from '../probe/check.ts';
import type { RunState } from '../probe/run-state.ts';
import { describeStatus } from '../probe/read-response.ts';
import type { Probe } from '../probe/probe.ts';
import { createTestBlacklist } from './test-blacklists.ts';
import { byBlacklist, bySearch, searchOfProfile } from './path-parameters.ts';

const { assignBlacklists, deleteBlacklist, listAssignedBlacklists } = operations;
const about = 'PUT assignments';

export const assignmentReads: readonly Check[] = [
  {
    id: 'assignments.unknown-search',
    clause: 'Authentication 7; not shown: the 404 body',
    title: 'an unknown prospect search is not found',
    effect: 'read',
    async run(probe, { unknownId }) {
      const answer = await probe.send(listAssignedBlacklists, bySearch(unknownId));
      const observation = `${answer.about}: answered ${describeStatus(answer)}`;
      // "empty array when none assigned" may hold for unknown ids too.
      if (answer.status === 200) probe.note(`assumed A14: ${observation}`);
      else probe.expect(answer.status === 404, `${observation}, must be 404`);
    },
  },
];

/** On the profile of this run, because assigning blacklists to a profile in use would change what it finds. */
export const assignmentWrites: readonly Check[] = [
  {
    id: 'assignments.replace',
    clause: 'Blacklists rule 2',
    title: 'PUT replaces what was assigned before: 204 without a body',
    effect: 'orders',
    async run(probe, state) {
      const search = await findSearch(probe, state);
      const { id: a } = await createTestBlacklist(probe, state, 'assigned a');
      const { id: b } = await createTestBlacklist(probe, state, 'assigned b');
      await assign(probe, search, [a, b]);
      await expectAssigned(probe, search, [a, b], 'two lists');
      await assign(probe, search, [b]);
      await expectAssigned(probe, search, [b], 'one list in place of two');
    },
  },
  {
    id: 'assignments.duplicates',
    clause: 'Endpoints, PUT: duplicates removed',
    title: 'ids that are sent twice are assigned once',
    effect: 'orders',
    async run(probe, state) {
      const search = await findSearch(probe, state);
      const { id } = await createTestBlacklist(probe, state, 'assigned twice');
      await assign(probe, search, [id, id]);
      await expectAssigned(probe, search, [id], 'one list sent twice');
    },
  },
  {
    id: 'assignments.unknown-blacklist',
    clause: 'Blacklists rules 2, 4',
    title: 'an unknown blacklist is 404 BLACKLIST_NOT_FOUND, and the assignment stays as it was',
    effect: 'orders',
    async run(probe, state) {
      const search = await findSearch(probe, state);
      const { id } = await createTestBlacklist(probe, state, 'assigned, stays');
      const { id: other } = await createTestBlacklist(probe, state, 'assigned, refused');
      await assign(probe, search, [id]);
      const call = { ...bySearch(search), body: { blacklist_ids: [other, state.unknownId] } };
      await probe.answers(assignBlacklists, 404, { ...call, code: 'BLACKLIST_NOT_FOUND' });
      await expectAssigned(probe, search, [id], 'a refused replacement');
    },
  },
  {
    id: 'assignments.refusals',
    clause: 'Limits: blacklist_ids per assignment',
    title: '101 ids and invalid ids are 422',
    effect: 'orders',
    async run(probe, state) {
      const search = await findSearch(probe, state);
      const tooMany = Array.from({ length: limits.blacklistIdsPerAssignment.max + 1 }, () => probe.newId());
      const alike = tooMany.map(() => state.unknownId);
      await probe.refuses(assignBlacklists, 422, [
        // The ids do not exist: a service may check existence or the number of ids first.
        { what: '101 ids', ...bySearch(search), body: { blacklist_ids: tooMany }, or: [404] },
        { what: '101 times one id', ...bySearch(search), body: { blacklist_ids: alike }, or: [404], open: 'A48' },
        { what: 'an id that is no UUID', ...bySearch(search), body: { blacklist_ids: ['not-a-uuid'] } },
        { what: 'a body without blacklist_ids', ...bySearch(search), body: {} },
      ]);
    },
  },
  {
    id: 'assignments.deletion',
    clause: 'Blacklists rule 1',
    title: 'deleting a blacklist removes its assignments, and no other',
    effect: 'orders',
    async run(probe, state) {
      const search = await findSearch(probe, state);
      const { id: kept } = await createTestBlacklist(probe, state, 'assigned, kept');
      const { id: deleted } = await createTestBlacklist(probe, state, 'assigned, deleted');
      await assign(probe, search, [kept, deleted]);
      await probe.ask(deleteBlacklist, 204, byBlacklist(deleted));
      await expectAssigned(probe, search, [kept], 'a deletion');
    },
  },
  {
    id: 'assignments.empty',
    clause: 'Endpoints, PUT: empty array unassigns all',
    title: 'an empty list unassigns all',
    effect: 'orders',
    async run(probe, state) {
      const search = await findSearch(probe, state);
      const { id } = await createTestBlacklist(probe, state, 'unassigned');
      await assign(probe, search, [id]);
      await assign(probe, search, []);
      await expectAssigned(probe, search, [], 'an empty list');
    },
  },
];

function findSearch(probe: Probe, { profileId }: RunState): Promise<string> {
  return searchOfProfile(profileId, (search) => probe.send(listAssignedBlacklists, bySearch(search)));
}

async function assign(probe: Probe, search: string, ids: readonly string[]): Promise<void> {
  await probe.ask(assignBlacklists, 204, { ...bySearch(search), body: { blacklist_ids: ids } });
}

async function expectAssigned(probe: Probe, search: string, ids: readonly string[], after: string): Promise<void> {
  const { blacklists } = await probe.ask(listAssignedBlacklists, 200, bySearch(search));
  const found = new Set(blacklists.map(({ id }) => id));
  const isExact = blacklists.length === ids.length && ids.every((id) => found.has(id));
  probe.expect(isExact, `${about}: after ${after} exactly ${ids.length} must be assigned, found ${blacklists.length}`);
}
