import { limits, operations } from '../../src/service/contract/index.ts';
import type { Check } from '../probe/check.ts';
import { byBlacklist, bySearch } from '../checks/path-parameters.ts';
import { createTestOrganization } from './test-organization.ts';

const { addEntries, createBlacklist, getBlacklist, listEntries, removeEntries, updateBlacklist } = operations;
const hour = 3_600;

export const controlledBlacklistChecks: readonly Check[] = [
  {
    id: 'blacklists.timestamps',
    clause: 'Resources, Blacklist',
    title: 'created_at stays, updated_at moves with a change and with nothing else',
    needs: 'a clock that can be moved',
    effect: 'read',
    async run(common) {
      const { probe, server, expectEqual } = createTestOrganization(common);
      const created = await probe.ask(createBlacklist, 201, { body: { name: 'n', description: '' } });
      await server.advance(hour);
      expectEqual('an hour later', await probe.ask(getBlacklist, 200, byBlacklist(created.id)), created);
      const renamed = await probe.ask(updateBlacklist, 200, { ...byBlacklist(created.id), body: { name: 'm' } });
      const { updated_at } = renamed;
      expectEqual('the blacklist after a change', renamed, { ...created, name: 'm', updated_at });
      expectEqual('updated_at after a change', secondsBetween(created.updated_at, updated_at), hour);
    },
  },
  {
    id: 'entries.timestamps',
    clause: 'Resources, Blacklist entry',
    title: 'created_at is the time at which the entry was added; id is assigned by the service',
    needs: 'a clock that can be moved',
    effect: 'read',
    async run(common) {
      const { probe, server, expectEqual, createBlacklist: create } = createTestOrganization(common);
      const blacklist = byBlacklist(await create([{ company_name: 'A' }]));
      await server.advance(90);
      const [added] = await probe.ask(addEntries, 201, { ...blacklist, body: { entries: [{ company_name: 'B' }] } });
      const { entries } = await probe.ask(listEntries, 200, blacklist);
      const [first, second] = entries;
      expectEqual('the entry as read', second, added);
      expectEqual('created_at', secondsBetween(first?.created_at, second?.created_at), 90);
      const id = '11111111-1111-4111-8111-111111111111';
      const answer = await probe.raw.send(addEntries, { ...blacklist, body: { entries: [{ id, company_name: 'C' }] } });
      const { entries: all } = await probe.ask(listEntries, 200, blacklist);
      probe.expect(!all.some((entry) => entry.id === id), `an id of the client was taken (${answer.status})`);
    },
  },
  {
    id: 'entries.count',
    clause: 'Resources, Blacklist; Blacklists rule 3',
    title: 'entry_count and total follow the entries; pages hold each entry once and in the same order',
    needs: 'a blacklist that only this run changes',
    effect: 'read',
    async run(common) {
      const { probe, expectEqual, createBlacklist: create } = createTestOrganization(common);
      const names = ['A', 'A', 'B', 'C', 'D'];
      const blacklist = byBlacklist(await create());
      const entries = names.map((company_name) => ({ company_name }));
      const added = await probe.ask(addEntries, 201, { ...blacklist, body: { entries } });
      const whole = await probe.ask(listEntries, 200, blacklist);
      expectEqual('the answered entries', added, whole.entries);
      expectEqual(
        'names as sent',
        whole.entries.map(({ company_name }) => company_name),
        names,
      );
      const paged = [];
      for (let offset = 0; offset < whole.total; offset += 2) {
        const page = await probe.ask(listEntries, 200, { ...blacklist, query: { limit: 2, offset } });
        expectEqual('total, limit and offset', [page.total, page.limit, page.offset], [5, 2, offset]);
        paged.push(...page.entries);
      }
      expectEqual('pages of two', paged, whole.entries);
      const [first, second] = whole.entries.map(({ id }) => id);
      await probe.ask(removeEntries, 204, { ...blacklist, body: { entry_ids: [second] } });
      const { entries: left } = await probe.ask(listEntries, 200, blacklist);
      expectEqual(
        'entries after a removal',
        left,
        whole.entries.filter(({ id }) => id !== second),
      );
      probe.expect(left[0]?.id === first, 'the first entry must stay the first');
      const read = await probe.ask(getBlacklist, 200, blacklist);
      expectEqual('entry_count after a removal', read.entry_count, 4);
      const { blacklists } = await probe.ask(operations.listBlacklists, 200);
      expectEqual('the list of blacklists', blacklists, [read]);
    },
  },
  {
    id: 'entries.values',
    clause: 'Resources, Blacklist entry; Errors, Validation errors',
    title: 'null is kept as null; a value of another type or form is 422 and nothing is added',
    needs: 'a blacklist that only this run changes',
    effect: 'read',
    async run(common) {
      const { probe, expectEqual, createBlacklist: create } = createTestOrganization(common);
      const blacklist = byBlacklist(await create());
      const add = (entries: unknown) => ({ ...blacklist, body: { entries } });
      const wrongUrls = ['acme.example', 'ftp://acme.example', '//www.acme.example', ' https://acme.example', ''];
      await probe.refuses(addEntries, 422, [
        ...wrongUrls.map((website_url) => ({
          what: `website_url "${website_url}"`,
          ...add([{ company_name: 'A', website_url }]),
        })),
        ...optionalFields.map((field) => ({ what: `${field} 7`, ...add([{ company_name: 'A', [field]: 7 }]) })),
        { what: 'company_name 7', ...add([{ company_name: 7 }]) },
        { what: 'a body that is a list', ...blacklist, body: [{ company_name: 'A' }] },
      ]);
      expectEqual('total', (await probe.ask(listEntries, 200, blacklist)).total, 0);
      const nothing = Object.fromEntries(optionalFields.map((field) => [field, null]));
      const [entry] = await probe.ask(addEntries, 201, add([{ company_name: 'A', ...nothing }]));
      expectEqual('null', Object.fromEntries(optionalFields.map((field) => [field, entry?.[field]])), nothing);
      expectEqual('the entry as read', (await probe.ask(listEntries, 200, blacklist)).entries, [entry]);
      const remove = (entry_ids: unknown) => ({ ...blacklist, body: { entry_ids } });
      await probe.refuses(removeEntries, 422, [
        { what: 'entry_ids that are no list', ...remove(entry?.id) },
        { what: 'an id that is no UUID', ...remove(['7']) },
        { what: 'a body without entry_ids', ...blacklist, body: {} },
      ]);
    },
  },
  {
    id: 'assignments.most',
    clause: 'Limits: blacklist_ids per assignment',
    title: '100 blacklists are assigned at once, 101 are refused, duplicates count once',
    needs: 'an unused search and 101 blacklists',
    effect: 'read',
    async run(common) {
      const { probe, expectEqual, createBlacklist: create, createProfile } = createTestOrganization(common);
      const search = bySearch(await createProfile());
      const most = limits.blacklistIdsPerAssignment.max;
      const ids: string[] = [];
      while (ids.length <= most) ids.push(await create());
      const list = async () => (await probe.ask(operations.listAssignedBlacklists, 200, search)).blacklists;
      const assigned = async () => (await list()).length;
      expectEqual('assigned at first', await assigned(), 0);
      const one = byBlacklist(await create([{ company_name: 'A' }]));
      const blacklist_ids = [one.params.blacklist_id];
      await probe.answers(operations.assignBlacklists, 204, { ...search, body: { blacklist_ids } });
      expectEqual('an assigned blacklist', await list(), [await probe.ask(getBlacklist, 200, one)]);
      for (const [sent, status, count] of [
        [ids.slice(0, most), 204, most],
        [ids, 422, most],
        [[...ids.slice(0, 30), ...ids.slice(0, 30)], 204, 30],
      ] as const) {
        await probe.answers(operations.assignBlacklists, status, { ...search, body: { blacklist_ids: sent } });
        expectEqual(`assigned of ${sent.length}`, await assigned(), count);
      }
      await probe.answers(operations.assignBlacklists, 422, { ...search, body: { blacklist_ids: ids[0] } });
    },
  },
  {
    id: 'blacklists.matching',
    clause: 'Blacklist matching',
    title: 'external_id, domain, name with city, and name exclude a company; a city alone does not',
    needs: 'a profile that finds the same company first in every order',
    effect: 'read',
    async run(common) {
      const test = createTestOrganization(common);
      const profile_id = await test.createProfile();
      const findFirst = async (blacklist_ids: string[]) => {
        const order = { order_type: 'DISCOVERY', profile_id, briefing_quantity: 1, blacklist_ids } as const;
        return (await test.readSlots(await test.finishOrder(order)))[0]?.company;
      };
      const company = await findFirst([]);
      const { name, city, source_id: source } = company ?? {};
      const domain = new URL(company?.website_url ?? 'https://none.example').hostname.replace(/^www\./, '');
      const elsewhere = { company_name: 'Unrelated', website_url: 'https://unrelated.example', city: 'Elsewhere' };
      for (const [entry, isExcluded] of [
        [{ ...elsewhere, external_id: source }, true],
        [{ ...elsewhere, external_id: `${source}0` }, false],
        [{ ...elsewhere, external_id: source?.slice(1) }, false],
        [{ ...elsewhere, external_id: ` ${source}` }, false],
        [{ company_name: 'Unrelated', website_url: `http://${domain}/imprint?x=1` }, true],
        [{ company_name: 'Unrelated', website_url: `https://www.${domain}` }, true],
        [{ company_name: 'Unrelated', website_url: `www.${domain}` }, true],
        [{ company_name: 'Unrelated', website_url: `https://not-${domain}` }, false],
        [{ company_name: 'Unrelated', website_url: `https://unrelated.example/${domain}` }, false],
        [{ company_name: name, city }, true],
        [{ company_name: 'Unrelated', city }, false],
        [{ company_name: name }, true],
        [{ company_name: `${name} Unrelated` }, false],
      ] as const) {
        const found = await findFirst([await test.createBlacklist([entry])]);
        test.expectEqual(`excluded by ${JSON.stringify(entry)}`, found?.id !== company?.id, isExcluded);
      }
    },
  },
];

const optionalFields = ['website_url', 'city', 'country', 'external_id', 'reason'] as const;

function secondsBetween(earlier: string | undefined, later: string | undefined): number {
  return (Date.parse(later ?? '') - Date.parse(earlier ?? '')) / 1_000;
}
