import { limits, operations, type Blacklist } from '../../src/service/contract/index.ts';
import { need, type Check } from '../probe/check.ts';
import type { Probe, RefusalCase } from '../probe/probe.ts';
import { createTestBlacklist } from './test-blacklists.ts';
import { byBlacklist } from './path-parameters.ts';

const { createBlacklist, deleteBlacklist, getBlacklist, listBlacklists, updateBlacklist } = operations;
const longName = 'n'.repeat(limits.blacklistName.max + 1);
const longDescription = 'd'.repeat(limits.blacklistDescription.max + 1);

export const blacklistWrites: readonly Check[] = [
  {
    id: 'blacklists.create',
    clause: 'Endpoints, Blacklists',
    title: 'a new blacklist is 201, without entries, and can be read by id and in the list',
    effect: 'write',
    async run(probe, state) {
      const body = { name: `${state.namePrefix} first`, description: 'made by a conformance run' };
      const created = await probe.ask(createBlacklist, 201, { body });
      state.testBlacklist = created;
      probe.expect(created.name === body.name, 'POST /api/v1/blacklists: name must be as it was sent');
      probe.expect(created.description === body.description, 'POST /api/v1/blacklists: description must be as sent');
      probe.expect(created.entry_count === 0, 'POST /api/v1/blacklists: entry_count must be 0');
      const read = await probe.ask(getBlacklist, 200, byBlacklist(created.id));
      probe.expect(isSame(read, created), 'GET /api/v1/blacklists/{blacklist_id}: must answer what was created');
      const { blacklists } = await probe.ask(listBlacklists, 200);
      probe.expect(
        blacklists.filter(({ id }) => id === created.id).length === 1,
        'GET /api/v1/blacklists: must list the new blacklist once',
      );
    },
  },
  {
    id: 'blacklists.limits',
    clause: 'Limits: name, description',
    title: 'a name of 500 and a description of 2,000 characters are kept whole; a description not sent is null',
    effect: 'write',
    async run(probe, { namePrefix }) {
      const longest = {
        name: `${namePrefix} `.padEnd(limits.blacklistName.max, 'n'),
        description: 'd'.repeat(limits.blacklistDescription.max),
      };
      const { id } = await probe.ask(createBlacklist, 201, { body: longest });
      const read = await probe.ask(getBlacklist, 200, byBlacklist(id));
      probe.expect(read.name === longest.name, 'a name of 500 characters must be kept whole');
      probe.expect(read.description === longest.description, 'a description of 2,000 characters must be kept whole');
      const bare = await probe.ask(createBlacklist, 201, { body: { name: `${namePrefix} bare` } });
      probe.expect(bare.description === null, 'POST /api/v1/blacklists: a description not sent must be null');
      const changed = await probe.ask(updateBlacklist, 200, { ...byBlacklist(bare.id), body: longest });
      probe.expect(changed.name === longest.name, 'PATCH: a name of 500 characters must be kept whole');
      probe.expect(changed.description === longest.description, 'PATCH: 2,000 characters must be kept whole');
    },
  },
  {
    id: 'blacklists.create-refusals',
    clause: 'Errors, Validation errors; Limits',
    title: 'what breaks a rule of name or description is 422 and creates nothing',
    effect: 'write',
    async run(probe, { namePrefix }) {
      const before = await countMarked(probe, namePrefix);
      await probe.refuses(createBlacklist, 422, [
        { what: 'an empty name', body: { name: '' } },
        { what: 'a missing name', body: { description: namePrefix } },
        { what: 'a null name', body: { name: null } },
        { what: 'a name that is a number', body: { name: 7 } },
        { what: 'a name of 501 characters', body: { name: `${namePrefix}${longName}`.slice(0, longName.length) } },
        {
          what: 'a description of 2,001 characters',
          body: { name: `${namePrefix} long`, description: longDescription },
        },
        { what: 'a description that is a number', body: { name: `${namePrefix} number`, description: 7 } },
        { what: 'a body that is a list', body: [] },
        { what: 'an empty body', text: '', or: [400] },
        { what: 'a body that is no JSON', text: '{"name":', or: [400] },
      ]);
      const after = await countMarked(probe, namePrefix);
      probe.expect(after === before, `POST /api/v1/blacklists: refused requests created ${after - before} blacklists`);
    },
  },
  {
    id: 'blacklists.patch',
    clause: 'Endpoints, PATCH; Resources, Blacklist',
    title: 'omitted fields stay, a null description clears it',
    effect: 'write',
    async run(probe, state) {
      const blacklist = need(state.testBlacklist, 'a blacklist that could be created');
      const steps: readonly (readonly [Record<string, unknown>, string])[] = [
        [{ name: `${state.namePrefix} renamed` }, 'only name'],
        [{ description: 'changed' }, 'only description'],
        [{}, 'no field'],
        [{ description: null }, 'description null'],
      ];
      let expected: Record<string, unknown> = { name: blacklist.name, description: blacklist.description };
      for (const [body, what] of steps) {
        expected = { ...expected, ...body };
        const answered = await probe.ask(updateBlacklist, 200, { ...byBlacklist(blacklist.id), body });
        const read = await probe.ask(getBlacklist, 200, byBlacklist(blacklist.id));
        for (const found of [answered, read]) {
          probe.expect(found.name === expected['name'], `PATCH with ${what}: name is not what it has to be`);
          probe.expect(found.description === expected['description'], `PATCH with ${what}: description is not right`);
        }
      }
    },
  },
  {
    id: 'blacklists.patch-refusals',
    clause: 'Errors, Validation errors; Limits',
    title: 'a null, empty or too long field is 422 and changes nothing',
    effect: 'write',
    async run(probe, state) {
      const { id } = need(state.testBlacklist, 'a blacklist that could be created');
      const before = await probe.ask(getBlacklist, 200, byBlacklist(id));
      const refuse = (what: string, body: unknown): RefusalCase => ({ what, ...byBlacklist(id), body });
      await probe.refuses(updateBlacklist, 422, [
        refuse('a null name', { name: null }),
        refuse('an empty name', { name: '' }),
        refuse('a name of 501 characters', { name: longName }),
        refuse('a description of 2,001 characters', { description: longDescription }),
      ]);
      const after = await probe.ask(getBlacklist, 200, byBlacklist(id));
      probe.expect(isSame(before, after), 'PATCH: a refused change must change nothing');
    },
  },
  {
    id: 'blacklists.write-unknown-id',
    clause: 'Blacklists rule 4; Errors 404',
    title: 'changes of an unknown blacklist are 404 BLACKLIST_NOT_FOUND',
    effect: 'write',
    async run(probe, { unknownId }) {
      const call = { ...byBlacklist(unknownId), code: 'BLACKLIST_NOT_FOUND' as const };
      await probe.answers(updateBlacklist, 404, { ...call, body: { description: null } });
      await probe.answers(deleteBlacklist, 404, call);
      await probe.answers(operations.addEntries, 404, { ...call, body: { entries: [{ company_name: 'A' }] } });
      await probe.answers(operations.removeEntries, 404, { ...call, body: { entry_ids: [unknownId] } });
    },
  },
  {
    id: 'blacklists.delete',
    clause: 'Blacklists rule 1',
    title: 'a deleted blacklist is gone with its entries: 204, then 404 everywhere',
    effect: 'write',
    async run(probe, state) {
      const { id } = await createTestBlacklist(probe, state, 'to delete');
      await probe.ask(operations.addEntries, 201, { ...byBlacklist(id), body: { entries: [{ company_name: 'A' }] } });
      await probe.ask(deleteBlacklist, 204, byBlacklist(id));
      for (const operation of [getBlacklist, operations.listEntries, deleteBlacklist]) {
        await probe.answers(operation, 404, { ...byBlacklist(id), code: 'BLACKLIST_NOT_FOUND' });
      }
      const { blacklists } = await probe.ask(listBlacklists, 200);
      probe.expect(!blacklists.some((other) => other.id === id), 'GET /api/v1/blacklists: lists a deleted blacklist');
    },
  },
];

async function countMarked(probe: Probe, mark: string): Promise<number> {
  const { blacklists } = await probe.ask(listBlacklists, 200);
  return blacklists.filter(({ name }) => name === '' || name.startsWith(mark)).length;
}

function isSame(a: Blacklist, b: Blacklist): boolean {
  return a.id === b.id && a.name === b.name && a.description === b.description && a.created_at === b.created_at;
}
