import { operations, type Blacklist } from '../../src/service/contract/index.ts';
import type { RunState } from '../probe/run-state.ts';
import type { Probe } from '../probe/probe.ts';
import { z } from 'zod';
import type { Check } from '../probe/check.ts';

/** Creates a blacklist with the name prefix of this run. */
export function createTestBlacklist(probe: Probe, { namePrefix }: RunState, name: string): Promise<Blacklist> {
  return probe.ask(operations.createBlacklist, 201, { body: { name: `${namePrefix} ${name}` } });
}

const blacklistListSchema = z.looseObject({ blacklists: z.array(z.looseObject({ id: z.string(), name: z.string() })) });

/** Deletes the blacklists of the run by id, and by name those whose response was lost. */
export function deleteTestBlacklists(createdIds: ReadonlySet<string>): Check {
  return {
    id: 'clean-up',
    clause: 'Blacklists rule 1',
    title: 'every blacklist of the run is deleted',
    effect: 'write',
    async run(probe, { namePrefix }) {
      const { status: answered, body } = await probe.raw.send(operations.listBlacklists);
      const listed = blacklistListSchema.safeParse(body);
      // A key without the read scope cannot list blacklists, but the ids of created ones are known.
      const isRead = listed.success || answered === 403;
      probe.expect(isRead, `blacklists cannot be listed (${answered}): look for names that begin with "${namePrefix}"`);
      const marked = (listed.data?.blacklists ?? []).filter(({ name }) => name.startsWith(namePrefix));
      for (const id of new Set([...createdIds, ...marked.map((blacklist) => blacklist.id)])) {
        const { status } = await probe.raw.send(operations.deleteBlacklist, { params: { blacklist_id: id } });
        probe.expect(status === 204 || status === 404, `blacklist ${id} is left behind: DELETE answered ${status}`);
      }
    },
  };
}
