import { z } from 'zod';
import { limits, operations, resultsItemsField, slotSchema } from '../../contract/index.ts';
import { need, NotChecked, CheckEnded, type Check } from '../check.ts';
import type { CollectedOrder, Facts, OrderKind, PublishedOrder } from '../facts.ts';
import { observe, valueAt } from '../observe.ts';
import type { Probe } from '../probe.ts';
import { brokenSlotRules } from './slot-rules.ts';
import { brokenSummaryRules } from './summary-rules.ts';
import { byOrder } from './path-parameters.ts';

const { listResults } = operations;
const about = 'GET results';
const pageSize = 2;

export const resultChecks: readonly Check[] = (['enrichment', 'discovery'] as const).flatMap((kind) => [
  {
    id: `results.${kind}-paging`,
    clause: 'Results rules 1, 2',
    title: 'limit is obeyed, every page carries summary and total, has_more ends the pages',
    needs: 'orders' as const,
    run: (probe: Probe, facts: Facts) => collect(probe, facts, kind),
  },
  {
    id: `results.${kind}-stable`,
    clause: 'Results rule 6',
    title: 'reading again, in pages of another size, gives identical content',
    needs: 'orders' as const,
    async run(probe: Probe, facts: Facts) {
      const { orderId, pages } = collected(facts, kind);
      const again = await readPages(probe, orderId, pageSize);
      const bodies = again.map(({ body }) => body);
      probe.expect(isEqual(bodies, pages), `${about}: the same pages differ at the second reading`);
      const whole = await readPages(probe, orderId, limits.resultsPage.max);
      const [inSmall, inLarge] = [again, whole].map((read) => read.flatMap(({ slots }) => slots));
      probe.expect(isEqual(inSmall, inLarge), `${about}: the slots differ between limit=${pageSize} and limit=100`);
    },
  },
  {
    id: `results.${kind}-summary`,
    clause: 'Result summary',
    title: "the summary counts what the slots say, and is the order's result_summary",
    needs: 'orders' as const,
    async run(probe: Probe, facts: Facts) {
      for (const rule of brokenSummaryRules(kind, collected(facts, kind))) probe.expect(false, `${about}: ${rule}`);
    },
  },
  {
    id: `results.${kind}-slots`,
    clause: kind === 'enrichment' ? 'Results rule 4; Result slot; Reason codes' : 'Results rule 5; Reason codes',
    title:
      kind === 'enrichment'
        ? 'every submitted row in its order, reasons and status in agreement'
        : 'only found companies, each ENRICHED, reasons in agreement',
    needs: 'orders' as const,
    async run(probe: Probe, facts: Facts) {
      const { findings, notes } = brokenSlotRules(kind, collected(facts, kind));
      for (const rule of findings) probe.expect(false, `${about}: ${rule}`);
      for (const text of notes) probe.note(text);
    },
  },
]);

export const resultRefusals: readonly Check[] = [
  {
    id: 'results.limits',
    clause: 'Results rule 1; Limits: results page',
    title: 'at most 50 without a limit, 100 with one; 0, 101 and a negative offset are 422',
    needs: 'orders',
    async run(probe, facts) {
      const { orderId, total } = anyPublished(facts);
      for (const [query, most] of [
        [{}, limits.resultsPage.default],
        [{ limit: limits.resultsPage.max }, limits.resultsPage.max],
        [{ limit: 1 }, 1],
      ] as const) {
        const { slots } = await readPage(probe, orderId, query);
        const found = slots.length;
        probe.expect(found === Math.min(most, total), `${about}: at most ${most} of ${total} expected, found ${found}`);
      }
      const queries = [{ limit: 0 }, { limit: limits.resultsPage.max + 1 }, { offset: -1 }];
      const cases = queries.map((query) => ({ what: Object.entries(query).join().replace(',', '='), query }));
      await probe.refuses(
        listResults,
        422,
        cases.map((refused) => ({ ...refused, ...byOrder(orderId) })),
      );
    },
  },
  {
    id: 'results.beyond-end',
    clause: 'Results rules 1, 2',
    title: 'a page beyond the end is empty, with the same total and has_more false',
    needs: 'orders',
    async run(probe, facts) {
      const { orderId, total } = anyPublished(facts);
      const page = await readPage(probe, orderId, { offset: total + 7 });
      probe.expect(page.slots.length === 0, `${about}: a page beyond the end must be empty`);
      probe.expect(page.total === total, `${about}: total must be ${total} beyond the end too, found ${page.total}`);
      probe.expect(!page.hasMore, `${about}: has_more must be false beyond the end`);
    },
  },
];

/** Reads the whole set once in small pages; the other checks look at what was read. */
async function collect(probe: Probe, facts: Facts, kind: OrderKind): Promise<void> {
  const order = need(facts.published[kind], `a published ${kind} order`);
  const pages = await readPages(probe, order.orderId, pageSize);
  for (const [index, { slots, total, hasMore, body }] of pages.entries()) {
    const found = slots.length;
    probe.expect(found <= pageSize, `${about} with limit=${pageSize}: must hold at most ${pageSize}, found ${found}`);
    probe.expect(found > 0 || !hasMore, `${about}: has_more is true on an empty page`);
    probe.expect(hasMore === index < pages.length - 1, `${about}: has_more must end with the last slot`);
    probe.expect(total === order.available, `${about}: total must be available_briefing_quantity`);
    const isSame = isEqual(valueAt(body, ['summary']), order.summary);
    probe.expect(isSame, `${about}: summary must be the order's result_summary`);
  }
  const raw = pages.flatMap(({ slots }) => slots);
  const slots = raw.flatMap((slot) => slotSchema.safeParse(slot).data ?? []);
  probe.expect(raw.length === order.available, `${about}: the pages hold ${raw.length} slots of ${order.available}`);
  if (slots.length < raw.length) throw new CheckEnded();
  facts.collected[kind] = { ...order, slots, pages: pages.map(({ body }) => body) };
}

function collected(facts: Facts, kind: OrderKind): CollectedOrder {
  return need(facts.collected[kind], `the results of a published ${kind} order`);
}

function anyPublished({ published }: Facts): PublishedOrder & { total: number } {
  const order = need(published.enrichment ?? published.discovery, 'a published order');
  return { ...order, total: order.available };
}

interface Page {
  readonly total: number;
  readonly hasMore: boolean;
  readonly slots: readonly unknown[];
  /** As it came, for comparing. */
  readonly body: unknown;
}

/** A service that never ends the set must not keep us. */
const mostPages = 50;

async function readPages(probe: Probe, orderId: string, limit: number): Promise<Page[]> {
  const pages: Page[] = [];
  for (let offset = 0, hasMore = true; hasMore && pages.length < mostPages;) {
    const page = await readPage(probe, orderId, { limit, offset });
    pages.push(page);
    offset += page.slots.length;
    hasMore = page.hasMore && page.slots.length > 0;
  }
  return pages;
}

const headSchema = z.looseObject({ total: z.number(), has_more: z.boolean() });

async function readPage(probe: Probe, orderId: string, query: Record<string, number>): Promise<Page> {
  const { status, body } = await probe.answers(listResults, 200, { ...byOrder(orderId), query });
  const head = headSchema.safeParse(body);
  if (status !== 200 || !head.success) throw new CheckEnded();
  return { total: head.data.total, hasMore: head.data.has_more, slots: toRawSlots(probe, head.data), body };
}

/** The page's array of slots, whatever its name (A01); under another name the contract has not seen it yet. */
function toRawSlots(probe: Probe, page: Readonly<Record<string, unknown>>): readonly unknown[] {
  const named = z.array(z.unknown()).safeParse(page[resultsItemsField]);
  if (named.success) return named.data;
  const lists = Object.entries(page).flatMap(([name, value]) => {
    const list = z.array(z.looseObject({})).safeParse(value);
    return list.success ? [{ name, list: list.data }] : [];
  });
  const [only, second] = lists;
  if (!only || second) throw new NotChecked(`assumed A01: the page has ${lists.length} lists of objects`);
  probe.note(`assumed A01: the slots stand under ${/^\w{1,60}$/.test(only.name) ? only.name : 'another name'}`);
  for (const { kind, text } of observe(z.array(slotSchema), only.list)) {
    if (kind === 'finding') probe.expect(false, `${about}: ${text}`);
    else probe.note(text);
  }
  return only.list;
}

function isEqual(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

/** The order of an object's fields says nothing. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
