import { limits, operations, type Entry } from '../../src/service/contract/index.ts';
import { need, type Check } from '../probe/check.ts';
import type { RunState } from '../probe/run-state.ts';
import type { Probe, RefusalCase } from '../probe/probe.ts';
import { byBlacklist } from './path-parameters.ts';

const { listEntries } = operations;
const { default: usual, max } = limits.entriesPage;
const about = 'GET entries';

export const entryPageChecks: readonly Check[] = [
  {
    id: 'entries.page-size',
    clause: 'Endpoints, GET entries; Limits: entries page',
    title: 'limit and offset are obeyed and echoed, 50 and 0 when they are not sent',
    effect: 'read',
    async run(probe, state) {
      const { id, entry_count } = anyBlacklist(state);
      const sizes = [
        { limit: usual, offset: 0 },
        { limit: 1, offset: 0 },
        { limit: max, offset: 0 },
      ] as const;
      for (const [index, { limit, offset }] of sizes.entries()) {
        const page = await probe.ask(listEntries, 200, {
          ...byBlacklist(id),
          query: index === 0 ? {} : { limit, offset },
        });
        const parameters = index === 0 ? 'neither sent' : `limit=${limit}`;
        probe.expect(page.limit === limit, `${about} with ${parameters}: limit must be ${limit}, found ${page.limit}`);
        probe.expect(
          page.offset === offset,
          `${about} with ${parameters}: offset must be ${offset}, found ${page.offset}`,
        );
        const expected = Math.min(limit, page.total);
        const found = page.entries.length;
        probe.expect(
          found === expected,
          `${about} with ${parameters}: must hold ${expected} of ${page.total}, found ${found}`,
        );
      }
      const beyond = await probe.ask(listEntries, 200, { ...byBlacklist(id), query: { offset: entry_count + max } });
      probe.expect(beyond.entries.length === 0, `${about}: a page beyond the end must be empty`);
    },
  },
  {
    id: 'entries.page-overlap',
    clause: 'Blacklists rule 3',
    title: 'offset counts entries: pages that overlap hold the same entry at the same place',
    effect: 'read',
    async run(probe, state) {
      const { id } = anyBlacklist(state);
      const read = (offset: number) => probe.ask(listEntries, 200, { ...byBlacklist(id), query: { limit: 2, offset } });
      const [first, second] = [await read(0), await read(1)];
      const [, a] = first.entries;
      const [b] = second.entries;
      probe.expect(a?.id === b?.id, `${about}: entry 1 differs between offset=0 and offset=1`);
    },
  },
  {
    id: 'entries.page-refusals',
    clause: 'Limits: entries page',
    title: 'limit 0 and 201, offset -1 and words are 422',
    effect: 'read',
    async run(probe, state) {
      const { id } = anyBlacklist(state);
      const queries = [
        { limit: 0 },
        { limit: max + 1 },
        { limit: -1 },
        { limit: 'x' },
        { offset: -1 },
        { offset: 'x' },
        { offset: 1.5 },
      ];
      const cases = queries.map((query): RefusalCase => {
        const what = Object.entries(query).map((pair) => pair.join('='));
        return { what: what.join(), ...byBlacklist(id), query };
      });
      await probe.refuses(listEntries, 422, cases);
    },
  },
  {
    id: 'entries.paging',
    clause: 'Blacklists rule 3',
    title: 'while offset + limit < total: every entry once, no entry lost',
    effect: 'write',
    async run(probe, state) {
      const { id } = need(state.testBlacklist, 'a blacklist that could be created');
      const created = new Set(need(state.entryIds, 'entries that could be added'));
      const { entries, totals } = await readAll(probe, id);
      const ids = new Set(entries.map((entry) => entry.id));
      const repeated = entries.length - ids.size;
      const lost = [...created].filter((entryId) => !ids.has(entryId)).length;
      probe.expect(
        totals.size === 1 && totals.has(created.size),
        `${about}: total must be ${created.size} on every page`,
      );
      probe.expect(repeated === 0, `${about}: ${repeated} entries came twice`);
      probe.expect(lost === 0, `${about}: ${lost} of ${created.size} entries did not come`);
      state.entryIds = entries.map((entry) => entry.id);
    },
  },
];

/** A test blacklist if there is one, because no other client changes it. */
function anyBlacklist({ testBlacklist, entryIds, someBlacklist }: RunState): { id: string; entry_count: number } {
  if (testBlacklist && entryIds) return { id: testBlacklist.id, entry_count: entryIds.length };
  return need(someBlacklist, 'a blacklist with entries');
}

async function readAll(probe: Probe, id: string): Promise<{ entries: Entry[]; totals: Set<number> }> {
  const entries: Entry[] = [];
  const totals = new Set<number>();
  for (let offset = 0, total = 1; offset < total; offset += max) {
    const page = await probe.ask(listEntries, 200, { ...byBlacklist(id), query: { limit: max, offset } });
    entries.push(...page.entries);
    totals.add(page.total);
    // Limited, because the total may grow without end.
    total = Math.min(page.total, limits.entriesPerAdd.max + max);
  }
  return { entries, totals };
}
