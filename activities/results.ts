import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { isBeyondJsonLimits } from '../src/json/json-limits.ts';
import { toPublishedSlot, type StoredSlot } from '../src/ledger/slots.ts';
import { isSameContent } from '../src/reconcile/same-content.ts';
import { digest } from '../src/json/canonical-json.ts';
import { countDelivered } from '../src/reconcile/delivered.ts';
import { serviceScope } from '../src/ledger/shapes.ts';
import { createSlotReader } from '../src/shape/read-slot.ts';
import type { ResultsPage } from '../src/shape/read-answers.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { checked, orderIdSchema, rangeSchema } from './checked-input.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { nonRetryable } from '../src/failures/non-retryable.ts';
import { learnResults } from './learn-results.ts';
import { cancellationSignal, recordProgress, resumeFrom } from './activity-heartbeat.ts';
import { boundWord, boundWords } from '../src/text/bound-word.ts';
import { toStorable } from '../src/text/storable.ts';

interface CollectedOrder {
  readonly orderId: string;
  readonly isEnrichment: boolean;
  /** Total that the order announced; every page has to repeat it. */
  readonly total: number;
}

/** A company with a thousand people has as many values. */
const mostSlotValues = 20_000;
const mostSlotCharacters = 16_000_000;

/** Whether a slot is larger than can be read without a long pause of everything else. */
export function isOversizedSlot(json: string): boolean {
  return json.length > mostSlotCharacters || isBeyondJsonLimits(json, mostSlotValues);
}

/** Reads what the specification names; the rest waits until all slots are there to learn from. */
const readEnvelope = createSlotReader({ company: {}, prospect: {} });

export function createResultActivities(clients: ActivityDependencies) {
  const { prospecting, ledger } = clients;
  return {
    /** Pages one range of the published set into the ledger; continues where the last attempt, or an unfinished ingest, ended. */
    collectResults: checked(rangeSchema, async ({ orderId, from, to: end }) => {
      const order = await readPublished(ledger, orderId);
      const to = Math.min(end, order.total);
      const isCollected = await wasCollected(ledger, orderId);
      let offset = Math.max(
        resumeFrom(from),
        isCollected ? await ledger.slots.firstMissing(orderId, { from, to }) : from,
      );
      let itemsAt: string | null = null;
      while (offset < to) {
        const page = await prospecting.results.page(orderId, offset, { signal: cancellationSignal() });
        assertPage(order, offset, page);
        const rows: StoredSlot[] = [];
        for (const [index, slot] of page.slots.entries()) {
          rows.push(toStoredSlot(orderId, slot, offset + index));
          // Slots may be large: other work comes between them.
          await setImmediate();
        }
        await ledger.slots.save(orderId, await withoutKnown(ledger, orderId, rows));
        offset += page.slots.length;
        recordProgress(offset);
        itemsAt = page.itemsAt;
      }
      if (itemsAt !== null) await rememberItems(clients, itemsAt);
      return { collected: offset - from };
    }),

    /** Counts of what was collected; fails when a slot is missing or came twice. */
    summarizeSlots: checked(z.object({ orderId: orderIdSchema }), async ({ orderId }) => {
      const { total } = await readPublished(ledger, orderId);
      const slots = await ledger.slots.count(orderId);
      if (slots !== total) {
        throw nonRetryable(
          'ResultsIncomplete',
          `order ${orderId}: ${total} slots are published, ${slots} different positions were received`,
        );
      }
      const repeated = await ledger.slots.findRepeated(orderId);
      if (repeated !== null) {
        throw nonRetryable(
          'ResultsInconsistent',
          `order ${orderId}: the slot at ${repeated} was published before it as well`,
        );
      }
      const byStatus = await ledger.slots.countByStatus(orderId);
      const byReason = await ledger.slots.countByReason(orderId);
      const delivered = countDelivered(byStatus);
      await ledger.orders.saveDelivered(orderId, delivered);
      const ordered = (await ledger.orders.get(orderId))?.requestedCount ?? 0;
      return { ordered, delivered, byStatus, byReason, ...(await learnResults(clients, orderId)) };
    }),
  };
}

/** @throws OrderNotCollected, final, where the order was never seen published */
async function readPublished({ orders }: Ledger, orderId: string): Promise<CollectedOrder> {
  const order = await orders.get(orderId);
  if (order === undefined || order.total === null)
    throw nonRetryable('OrderNotCollected', `order ${orderId} is not in the ledger as published`);
  return { orderId, isEnrichment: order.kind === 'enrichment', total: order.total };
}

/** Where a page has its slots, as part of the service's shape. */
async function rememberItems({ prospecting, ledger, now }: ActivityDependencies, itemsAt: string): Promise<void> {
  const scope = serviceScope(prospecting.baseUrl);
  const json = JSON.stringify({ items: itemsAt });
  await ledger.shapes.save({ scope, operation: 'resultsPage', json, learntAt: now().toISOString() });
}

/** Collected whole, and stopped before anything was written: what is in the ledger is what the ingest continues with. */
async function wasCollected(ledger: Ledger, orderId: string): Promise<boolean> {
  return (await ledger.shapes.ofOrder(orderId)) !== null && (await ledger.certificates.latest(orderId)) === undefined;
}

/** The slot itself is kept whole; tallies are made of words. `position` is the place in the published set; in an enrichment order it is the submitted row, as assertPage made sure. */
function toStoredSlot(orderId: string, raw: ResultsPage['slots'][number], position: number): StoredSlot {
  const json = JSON.stringify(raw);
  if (isOversizedSlot(json)) {
    throw nonRetryable(
      'ResultsInconsistent',
      `order ${orderId}: the slot at ${position} has more than ${mostSlotValues.toLocaleString('en')} values or ${mostSlotCharacters / 1e6} MB`,
    );
  }
  const { status, reason_codes: reasonCodes, external_id: externalId = null } = readEnvelope(raw);
  return {
    position,
    hash: digest(raw),
    status: boundWord(status),
    reasonCodes: boundWords(reasonCodes),
    externalId,
    json,
  };
}

/**
 * Slots that were collected before stay as they were then, also when a later release of the service words them otherwise, or
 * an earlier one of this program kept characters that are replaced now.
 */
async function withoutKnown(ledger: Ledger, orderId: string, rows: readonly StoredSlot[]): Promise<StoredSlot[]> {
  const from = rows[0]?.position ?? 0;
  const stored = new Map(
    (await ledger.slots.read(orderId, { from, to: from + rows.length })).map((row) => [row.position, row]),
  );
  return rows.filter((row) => {
    const known = stored.get(row.position);
    const isKnown =
      known !== undefined &&
      known.hash !== row.hash &&
      isSameContent(toStorable(toPublishedSlot(known))?.value, toPublishedSlot(row));
    return !isKnown;
  });
}

/** The page rules of the specification ("Results rules" 1, 2, 4 and 6). */
function assertPage({ orderId, isEnrichment, total }: CollectedOrder, offset: number, page: ResultsPage): void {
  const refuse = (what: string) => nonRetryable('ResultsInconsistent', `order ${orderId}, page at ${offset}: ${what}`);
  if (page.total !== null && page.total !== total) throw refuse(`total is ${page.total}, the order announced ${total}`);
  const end = offset + page.slots.length;
  if (page.slots.length === 0) throw refuse('no slot although more were announced');
  if (end > total) throw refuse(`slots up to ${end} of ${total}`);
  if (page.hasMore !== null && page.hasMore !== end < total)
    throw refuse(`has_more is ${page.hasMore} at ${end} of ${total}`);
  const positions = page.slots.map((slot) => readEnvelope(slot).input_position);
  if (new Set(positions).size !== positions.length) throw refuse('a position is repeated');
  if (!isEnrichment) return;
  const misplaced = positions.findIndex((position, index) => position !== offset + index);
  if (misplaced >= 0) throw refuse(`position ${positions[misplaced]} stands where ${offset + misplaced} belongs`);
}
