import { z } from 'zod';
import { limits, operations, slotSchema } from '../../src/service/contract/index.ts';

import { detectShape } from '../../src/service/reading/detect-shape.ts';
import { mostSamples } from '../../src/service/reading/detect-prospects.ts';
import { createSlotReader } from '../../src/service/reading/read-slot.ts';
import { noFieldSettings } from '../../src/service/reading/shape.ts';
import { describeStatus } from '../probe/read-response.ts';
import { need, type Check, type Effect } from '../probe/check.ts';
import { CheckEnded } from '../probe/not-checked.ts';
import type { CollectedOrder, CollectedSlot, RunState, OrderSource, PublishedOrder } from '../probe/run-state.ts';
import { valueAt } from '../../src/service/contract/violations.ts';
import type { Probe } from '../probe/probe.ts';
import { digestOf, readPage, readPages, resultsAbout as about } from './result-pages.ts';
import { createSlotRules } from './slot-rules.ts';
import { brokenSummaryRules } from './summary-rules.ts';
import { byOrder } from './path-parameters.ts';
import { isRecord } from '../../src/base/json/own-property.ts';

const { max, default: usual } = limits.resultsPage;

/** Checks of an order that the run placed (`results.enrichment-paging`), or of a given order (`given-order.paging`). */
export function resultChecks(source: OrderSource): Check[] {
  const [prefix, effect]: [string, Effect] =
    source === 'given' ? ['given-order.', 'read'] : [`results.${source}-`, 'orders'];
  const collected = (state: RunState) => need(state.collected[source], `all slots of ${nameOf(source)}`);
  return [
    {
      id: `${prefix}paging`,
      clause: 'Results rules 1, 2',
      title: 'limit is obeyed, every page carries summary and total, has_more ends the pages',
      effect,
      async run(probe, state) {
        const order = need(state.published[source], nameOf(source));
        state.collected[source] = await collect(probe, order, state.samples);
      },
    },
    {
      id: `${prefix}stable`,
      clause: 'Results rule 6',
      title: 'reading again, in pages of another size, gives identical content',
      effect,
      run: (probe, state) => readAgain(probe, collected(state)),
    },
    {
      id: `${prefix}summary`,
      clause: 'Result summary',
      title: "the summary counts what the slots say, and is the order's result_summary",
      effect,
      async run(probe, state) {
        for (const rule of brokenSummaryRules(collected(state))) probe.expect(false, `${about}: ${rule}`);
      },
    },
    {
      id: `${prefix}slots`,
      ...slotTexts[source],
      effect,
      async run(probe, state) {
        const { findings, notes } = collected(state).brokenRules;
        for (const rule of findings) probe.expect(false, `${about}: ${rule}`);
        for (const text of notes) probe.note(text);
      },
    },
  ];
}

const slotTexts = {
  enrichment: {
    clause: 'Results rule 4; Result slot; Reason codes',
    title: 'every submitted row in its order, reasons and status in agreement',
  },
  discovery: {
    clause: 'Results rule 5; Reason codes',
    title: 'only found companies, each ENRICHED, reasons in agreement',
  },
  given: {
    clause: 'Results rules 4, 5; Result slot; Reason codes',
    title: 'slots in their order, reasons and status in agreement',
  },
} as const;

/** `results.limits`, `results.beyond-end` and `results.withdrawn-parameter`, or those of a given order. */
export function resultBounds(prefix: string, effect: Effect, find: (state: RunState) => PublishedOrder): Check[] {
  return [
    {
      id: `${prefix}limits`,
      clause: 'Results rule 1; Limits: results page',
      title: 'at most 50 without a limit, and never more than 100',
      effect,
      async run(probe, state) {
        const { orderId, available } = find(state);
        for (const [query, most] of [
          [{}, usual],
          [{ limit: max }, max],
          [{ limit: 1 }, 1],
        ] as const) {
          const found = (await readPage(probe, orderId, query)).slots.length;
          const isRight = found === Math.min(most, available);
          probe.expect(isRight, `${about}: at most ${most} of ${available} expected, found ${found}`);
        }
        await probe.refuses(operations.listResults, 422, [
          { what: 'limit=0', ...byOrder(orderId), query: { limit: 0 }, or: [200], open: 'A52' },
          { what: 'limit=101', ...byOrder(orderId), query: { limit: max + 1 }, or: [200], open: 'A80' },
          { what: 'offset=-1', ...byOrder(orderId), query: { offset: -1 }, or: [200], open: 'A80' },
        ]);
      },
    },
    {
      id: `${prefix}beyond-end`,
      clause: 'Results rules 1, 2',
      title: 'a page beyond the end is empty, with the same total and has_more false',
      effect,
      async run(probe, state) {
        const { orderId, available } = find(state);
        const page = await readPage(probe, orderId, { offset: available + 7 });
        probe.expect(page.slots.length === 0, `${about}: a page beyond the end must be empty`);
        const isSame = page.total === available;
        probe.expect(isSame, `${about}: total must be ${available} beyond the end too, found ${page.total}`);
        probe.expect(!page.hasMore, `${about}: has_more must be false beyond the end`);
      },
    },
    {
      id: `${prefix}withdrawn-parameter`,
      clause: 'Results rule 8; Change history 1.1.0',
      title: 'delivered_since is refused, or changes nothing',
      effect,
      async run(probe, state) {
        const { orderId, available } = find(state);
        const query = { delivered_since: '2999-01-01T00:00:00Z' };
        const answer = await probe.send(operations.listResults, { ...byOrder(orderId), query });
        const isIgnored = answer.status === 200 && valueAt(answer.body, ['total']) === available;
        const observation = `answered ${describeStatus(answer)}`;
        probe.expect(
          isIgnored || [400, 422].includes(answer.status),
          `${about}: delivered_since filters, ${observation}`,
        );
      },
    },
  ];
}

const envelopeSchema = slotSchema.extend({ company: z.looseObject({}).nullable() });

/** At least three pages if there are three slots, and another size than the second reading. */
function pageSizeOf(available: number): number {
  return Math.min(Math.max(Math.ceil(available / 3), 1), max - 1);
}

/** Reads the whole set once, for all checks of the order. */
async function collect(probe: Probe, order: PublishedOrder, samples: RunState['samples']): Promise<CollectedOrder> {
  const pageSize = pageSizeOf(order.available);
  const rules = createSlotRules(order);
  const summaryDigest = digestOf(order.summary);
  const pageDigests: string[] = [];
  const collected: CollectedSlot[] = [];
  let read = 0;
  let deliveredCompanyId: string | undefined;
  for await (const { offset, slots, total, hasMore, body } of readPages(probe, order, pageSize)) {
    const found = slots.length;
    probe.expect(found <= pageSize, `${about} with limit=${pageSize}: must hold at most ${pageSize}, found ${found}`);
    probe.expect(found > 0 || !hasMore, `${about}: has_more is true on an empty page`);
    const isLast = offset + found >= order.available;
    probe.expect(hasMore === !isLast, `${about}: has_more must be true before the last slot, and end with it`);
    probe.expect(total === order.available, `${about}: total must be available_briefing_quantity`);
    const isSame = digestOf(valueAt(body, ['summary'])) === summaryDigest;
    probe.expect(isSame, `${about}: summary must be the order's result_summary`);
    samples.push(...slots.filter(isRecord).slice(0, mostSamples - samples.length));
    const shape = detectShape({ slots: slots.filter(isRecord), settings: noFieldSettings, previous: null });
    const readSlot = createSlotReader(shape);
    for (const raw of slots) {
      // The specification names the fields of a slot; the fields of its company may have any names.
      if (envelopeSchema.safeParse(raw).success) {
        const slot = readSlot(raw);
        rules.read(slot, read);
        collected.push({ status: slot.status, reasonCodes: slot.reason_codes, digest: digestOf(raw) });
        if (slot.status === 'ENRICHED') deliveredCompanyId ??= slot.company?.id ?? undefined;
      }
      read += 1;
    }
    pageDigests.push(digestOf(body));
  }
  probe.expect(read === order.available, `${about}: the pages hold ${read} slots of ${order.available}`);
  if (collected.length < read) throw new CheckEnded();
  return { ...order, pageSize, pageDigests, slots: collected, brokenRules: rules.broken(), deliveredCompanyId };
}

/** Number of pages to compare; slots are compared completely. */
const maxComparedPages = 50;

async function readAgain(probe: Probe, order: CollectedOrder): Promise<void> {
  const before = order.pageDigests.slice(0, maxComparedPages);
  const again: string[] = [];
  for await (const { body } of readPages(probe, order, order.pageSize)) {
    again.push(digestOf(body));
    if (again.length >= maxComparedPages) break;
  }
  probe.expect(isEqual(again, before), `${about}: the same pages differ at the second reading`);
  const whole: string[] = [];
  for await (const { slots } of readPages(probe, order, max)) whole.push(...slots.map(digestOf));
  const inSmall = order.slots.map(({ digest }) => digest);
  probe.expect(isEqual(whole, inSmall), `${about}: the slots differ between limit=${order.pageSize} and limit=${max}`);
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((digest, at) => digest === b[at]);
}

function nameOf(source: OrderSource): string {
  return source === 'given' ? 'a published order' : `a published ${source} order`;
}
