import { operations, type OrderInput } from '../../src/service/contract/index.ts';
import type { Check } from '../probe/check.ts';
import { byOrder } from '../checks/path-parameters.ts';
import { createTestOrganization, type TestOrganization } from './test-organization.ts';

const { listResults } = operations;

export const controlledPagingChecks: readonly Check[] = [
  {
    id: 'results.snapshot',
    clause: 'Results rules 1, 2, 6',
    title: 'later days and blacklists change nothing in the published pages',
    needs: 'a clock that can be moved',
    effect: 'read',
    async run(common) {
      const test = createTestOrganization(common);
      const id = await test.finishOrder(await discovery(test, 7));
      const whole = await test.readResults(id);
      test.expectEqual('total and has_more', [whole.total, whole.has_more], [7, false]);
      const paged = [];
      for (let offset = 0; offset < 7; offset += 3) {
        const query = { limit: 3, offset };
        const page = await test.probe.ask(listResults, 200, { ...byOrder(id), query });
        test.expectEqual('has_more', page.has_more, offset + 3 < 7);
        paged.push(...page.items);
        await test.createBlacklist([{ company_name: page.items[0]?.company?.name }]);
        await test.server.advance(86_400);
      }
      test.expectEqual('pages of three', paged, whole.items);
      test.expectEqual('the whole set again', await test.readResults(id), whole);
    },
  },
  {
    id: 'results.page-size',
    clause: 'Limits: results page; Results rule 1',
    title: 'a page has 50 slots without a limit, and 100 at most',
    needs: 'an order of more than 100 results',
    effect: 'read',
    async run(common) {
      const test = createTestOrganization(common);
      const id = await test.finishOrder(await discovery(test, 101));
      for (const [query, count, hasMore] of [
        [{}, 50, true],
        [{ limit: 100 }, 100, true],
        [{ limit: 100, offset: 100 }, 1, false],
        [{ limit: 1, offset: 0 }, 1, true],
      ] as const) {
        const page = await test.probe.ask(listResults, 200, { ...byOrder(id), query });
        const found = [page.items.length, page.has_more, page.total];
        test.expectEqual(`page ${JSON.stringify(query)}`, found, [count, hasMore, 101]);
      }
    },
  },
];

async function discovery({ createProfile }: TestOrganization, briefing_quantity: number): Promise<OrderInput> {
  return { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity, title: 'Spring' };
}
