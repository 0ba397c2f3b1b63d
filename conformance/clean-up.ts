import { z } from 'zod';
import { operations } from '../src/contract/index.ts';
import type { Check } from './check.ts';

const named = z.looseObject({ blacklists: z.array(z.looseObject({ id: z.string(), name: z.string() })) });

/** Deletes by id and, for what was made although its answer was lost, by name; asks as little as possible of the answers. */
export function deleteMadeBlacklists(made: ReadonlySet<string>): Check {
  return {
    id: 'clean-up',
    clause: 'Blacklists rule 1',
    title: 'every blacklist that was made here is deleted',
    effect: 'write',
    async run(probe, { mark }) {
      const { status: answered, body } = await probe.raw.send(operations.listBlacklists);
      const listed = named.safeParse(body);
      // A key that may write and not read has been told the id of all that it made.
      const isRead = listed.success || answered === 403;
      probe.expect(isRead, `blacklists cannot be listed (${answered}): look for names that begin with "${mark}"`);
      const marked = (listed.data?.blacklists ?? []).filter(({ name }) => name.startsWith(mark));
      for (const id of new Set([...made, ...marked.map((blacklist) => blacklist.id)])) {
        const { status } = await probe.raw.send(operations.deleteBlacklist, { params: { blacklist_id: id } });
        probe.expect(status === 204 || status === 404, `blacklist ${id} is left behind: DELETE answered ${status}`);
      }
    },
  };
}
