import { operations, type Blacklist } from '../../src/service/contract/index.ts';
import type { Check } from '../probe/check.ts';
import { valueAt } from '../../src/service/contract/violations.ts';
import { byBlacklist, notUuid } from './path-parameters.ts';

const { getBlacklist, listBlacklists } = operations;

export const blacklistReads: readonly Check[] = [
  {
    id: 'blacklists.list',
    clause: 'Endpoints, Blacklists; Resources, Blacklist',
    title: 'the list is an object with blacklists, each readable by its id',
    effect: 'read',
    async run(probe, state) {
      const { blacklists } = await probe.ask(listBlacklists, 200);
      // Smallest first: its pages are read later.
      const [seen] = blacklists.filter(({ entry_count }) => entry_count > 0).toSorted(byEntryCount);
      if (seen) state.someBlacklist = seen;
      const some = seen ?? blacklists[0];
      if (!some) return;
      const read = await probe.ask(getBlacklist, 200, { params: { blacklist_id: some.id } });
      probe.expect(read.id === some.id, 'GET /api/v1/blacklists/{blacklist_id}: must answer the blacklist asked for');
    },
  },
  {
    id: 'blacklists.unknown-id',
    clause: 'Blacklists rule 4; Errors 404',
    title: 'an unknown id is 404 BLACKLIST_NOT_FOUND with all five fields',
    effect: 'read',
    async run(probe, { unknownId }) {
      for (const operation of [getBlacklist, operations.listEntries]) {
        const call = { params: { blacklist_id: unknownId }, code: 'BLACKLIST_NOT_FOUND' as const };
        const { about, status, body } = await probe.answers(operation, 404, call);
        if (status !== 404) continue;
        for (const field of ['blacklist_id', 'identifier']) {
          const namedId = valueAt(body, [field]);
          const isAsked = typeof namedId !== 'string' || namedId.toLowerCase() === unknownId.toLowerCase();
          probe.expect(isAsked, `${about} 404: ${field} must be the id asked for`);
        }
      }
    },
  },
  {
    id: 'blacklists.malformed-id',
    clause: 'Endpoints: IDs are UUID strings',
    title: 'an id that is no UUID is refused',
    effect: 'read',
    run: (probe) => probe.refuses(getBlacklist, 422, [notUuid(byBlacklist('not-a-uuid'))]),
  },
];

function byEntryCount(a: Blacklist, b: Blacklist): number {
  return a.entry_count - b.entry_count;
}
