import { limits, operations } from '../../src/service/contract/index.ts';
import { need, type Check } from '../probe/check.ts';
import { describeStatus } from '../probe/read-response.ts';
import { byBlacklist } from './path-parameters.ts';

const { getBlacklist, listEntries, removeEntries } = operations;
const most = limits.entryIdsPerRemove.max;
const about = 'DELETE entries';

export const entryRemovalChecks: readonly Check[] = [
  {
    id: 'entries.remove-refusals',
    clause: 'Errors, Validation errors; Limits: entry ids per remove request',
    title: 'no ids, 1,001 ids and ids that are none are 422, and nothing is removed',
    effect: 'write',
    async run(probe, state) {
      const { id } = need(state.testBlacklist, 'a blacklist that could be created');
      const ids = need(state.entryIds, 'entries that could be added');
      const before = await probe.ask(getBlacklist, 200, byBlacklist(id));
      await probe.refuses(removeEntries, 422, [
        { what: 'an empty list of ids', ...byBlacklist(id), body: { entry_ids: [] } },
        { what: 'a body without entry_ids', ...byBlacklist(id), body: {} },
        { what: '1,001 ids', ...byBlacklist(id), body: { entry_ids: ids.slice(0, most + 1) } },
        { what: 'an id that is no UUID', ...byBlacklist(id), body: { entry_ids: ['not-a-uuid'] } },
      ]);
      const after = await probe.ask(getBlacklist, 200, byBlacklist(id));
      const removed = before.entry_count - after.entry_count;
      probe.expect(removed === 0, `${about}: refused requests removed ${removed} entries`);
    },
  },
  {
    id: 'entries.remove',
    clause: 'Endpoints, DELETE entries; Limits',
    title: '1,000 entries are removed in one request: 204, and they are gone',
    effect: 'write',
    async run(probe, state) {
      const { id } = need(state.testBlacklist, 'a blacklist that could be created');
      const ids = need(state.entryIds, 'entries that could be added');
      const [removed, left] = [ids.slice(0, most), ids.slice(most)];
      const { entry_count: before } = await probe.ask(getBlacklist, 200, byBlacklist(id));
      await probe.ask(removeEntries, 204, { ...byBlacklist(id), body: { entry_ids: removed } });
      state.entryIds = left;
      const { entry_count } = await probe.ask(getBlacklist, 200, byBlacklist(id));
      const owed = before - removed.length;
      probe.expect(entry_count === owed, `${about}: entry_count must be ${owed}, found ${entry_count}`);
      const page = await probe.ask(listEntries, 200, { ...byBlacklist(id), query: { limit: limits.entriesPage.max } });
      probe.expect(page.total === owed, `${about}: total must be ${owed}, found ${page.total}`);
      const gone = new Set(removed);
      const still = page.entries.filter((entry) => gone.has(entry.id)).length;
      probe.expect(still === 0, `${about}: ${still} removed entries are still listed`);
    },
  },
  {
    id: 'entries.remove-again',
    clause: 'not shown: entry ids that are not there',
    title: 'removing an entry that is not there does no harm',
    effect: 'write',
    async run(probe, state) {
      const { id } = need(state.testBlacklist, 'a blacklist that could be created');
      const answer = await probe.send(removeEntries, { ...byBlacklist(id), body: { entry_ids: [state.unknownId] } });
      if (answer.status !== 204) probe.note(`assumed A33: ${answer.about}: answered ${describeStatus(answer)}`);
      probe.expect(answer.status < 500, `${answer.about}: answered ${describeStatus(answer)}`);
    },
  },
];
