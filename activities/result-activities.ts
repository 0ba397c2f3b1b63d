import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { isPartlyErased, toPublishedSlot, type StoredSlot } from '../src/ledger/stored-slot.ts';
import { compareReadings } from '../src/proof/checks/slot-comparison.ts';
import { countDelivered } from '../src/proof/checks/order-checks.ts';
import { serviceScope } from '../src/ledger/shape-store.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { checked, orderIdSchema, rangeSchema } from './checked-input.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { nonRetryable } from '../src/base/failures/application-failure.ts';
import { learnResultShape } from './learn-result-shape.ts';
import { assertPage, toStoredSlot, type PublishedResults } from '../src/proof/checks/check-results-page.ts';
import { cancellationSignal, recordProgress, resumeFrom } from './activity-heartbeat.ts';
import { assertNotErased } from './erased-order.ts';
import { toTimeText } from '../src/ledger/property-values.ts';
import type { ResultsPage } from '../src/service/reading/read-answers.ts';
import { readTime } from '../src/service/reading/read-value.ts';

/** `acceptChanges`: slots that the service has changed since they were collected are replaced. */
const collectSchema = rangeSchema.safeExtend({ acceptChanges: z.boolean().optional() });

export function createResultActivities(dependencies: ActivityDependencies) {
  const { prospecting, ledger, now } = dependencies;
  return {
    /** Reads one range of the published results into the ledger. Resumes where the last attempt, or an unfinished ingest, ended. */
    collectResults: checked(collectSchema, async ({ orderId, from, to: end, acceptChanges = false }) => {
      const order = await readPublished(ledger, orderId);
      const to = Math.min(end, order.total);
      const isCollected = await wasCollected(ledger, orderId);
      const peoplePath = (await ledger.shapes.ofOrder(orderId))?.shape.company.prospects?.path ?? null;
      let offset = Math.max(
        resumeFrom(from),
        isCollected ? await ledger.slots.firstMissing(orderId, { from, to }) : from,
      );
      let itemsPath: string | null = null;
      while (offset < to) {
        const page = await prospecting.results.page(orderId, offset, { signal: cancellationSignal() });
        assertPage(order, offset, page);
        const rows: StoredSlot[] = [];
        for (const [index, slot] of page.slots.entries()) {
          rows.push(await toStoredSlot(orderId, slot, offset + index));
          // Many slots together would block the event loop.
          await setImmediate();
        }
        const changes = await findChanges(ledger, { orderId, peoplePath }, rows);
        if (acceptChanges) await ledger.slots.replace(orderId, changes.replaceable, now());
        // A slot that has changed otherwise is refused.
        else await ledger.slots.save(orderId, changes.unexpected);
        await ledger.slots.save(orderId, changes.added);
        const publishedAt = latestDelivery(page.slots);
        if (publishedAt !== null) await ledger.orders.savePublishedAt(orderId, publishedAt);
        offset += page.slots.length;
        recordProgress(offset);
        itemsPath = page.itemsAt;
      }
      if (itemsPath !== null) await saveItemsPath(dependencies, itemsPath);
      return { collected: offset - from };
    }),

    /** Counts the collected slots by status and reason. @throws ResultsIncomplete, ResultsInconsistent; non-retryable */
    summarizeSlots: checked(z.object({ orderId: orderIdSchema }), async ({ orderId }) => {
      const { total, publishedAt } = await readPublished(ledger, orderId);
      const slots = await ledger.slots.count(orderId);
      if (slots !== total) {
        throw nonRetryable(
          'ResultsIncomplete',
          `order ${orderId}: ${total} slots are published, but ${slots} different positions were received`,
        );
      }
      const repeated = await ledger.slots.findRepeated(orderId);
      if (repeated !== null) {
        throw nonRetryable('ResultsInconsistent', `order ${orderId}: the slot at ${repeated} repeats an earlier slot`);
      }
      const byStatus = await ledger.slots.countByStatus(orderId);
      const byReason = await ledger.slots.countByReason(orderId);
      const delivered = countDelivered(byStatus);
      await ledger.orders.saveDelivered(orderId, delivered);
      // Slots without a time: the order counts as published when it was collected first.
      if (publishedAt === null) await ledger.orders.savePublishedAt(orderId, now().toISOString());
      const ordered = (await ledger.orders.get(orderId))?.requestedCount ?? 0;
      return { ordered, delivered, byStatus, byReason, ...(await learnResultShape(dependencies, orderId)) };
    }),
  };
}

/** @throws OrderNotCollected, non-retryable, when the order was never seen published */
async function readPublished(
  ledger: Ledger,
  orderId: string,
): Promise<PublishedResults & { readonly publishedAt: string | null }> {
  const { orders } = ledger;
  await assertNotErased(ledger, orderId);
  const order = await orders.get(orderId);
  if (order === undefined || order.total === null)
    throw nonRetryable('OrderNotCollected', `the published results of order ${orderId} are not in the ledger`);
  const { kind, total, publishedAt } = order;
  return { orderId, isEnrichment: kind === 'enrichment', total, publishedAt };
}

/** The latest `delivered_at` of the slots ("Slot"); null: none has one. The order itself has no time of its publication. */
function latestDelivery(slots: ResultsPage['slots']): string | null {
  const times = slots.map((slot) => toTimeText(readTime(slot['delivered_at']) ?? '')).filter((time) => time !== '');
  return times.toSorted().at(-1) ?? null;
}

/** Stores the path of the slots in a page as part of the service's shape. */
async function saveItemsPath({ prospecting, ledger, now }: ActivityDependencies, itemsPath: string): Promise<void> {
  const scope = serviceScope(prospecting.baseUrl);
  const json = JSON.stringify({ items: itemsPath });
  await ledger.shapes.save({ scope, operation: 'resultsPage', json, learntAt: now().toISOString() });
}

/** True when an earlier ingest has collected all slots but stored no certificate: the collected slots are used again. */
async function wasCollected(ledger: Ledger, orderId: string): Promise<boolean> {
  return (await ledger.shapes.ofOrder(orderId)) !== null && (await ledger.certificates.latest(orderId)) === undefined;
}

interface Changes {
  /** Slots that are not stored yet. */
  readonly added: StoredSlot[];
  /** Stored with other content. */
  readonly unexpected: StoredSlot[];
  /** Stored with other content, or with people that the service has withdrawn since. */
  readonly replaceable: StoredSlot[];
}

/**
 * Leaves out slots whose content is stored already: a later release of the service may word them differently. Withdrawn people are no error: reconciliation reports them.
 */
async function findChanges(
  ledger: Ledger,
  { orderId, peoplePath }: { readonly orderId: string; readonly peoplePath: string | null },
  rows: readonly StoredSlot[],
): Promise<Changes> {
  const from = rows[0]?.position ?? 0;
  const stored = new Map(
    (await ledger.slots.read(orderId, { from, to: from + rows.length })).map((row) => [row.position, row]),
  );
  const changes: Changes = { added: [], unexpected: [], replaceable: [] };
  for (const row of rows) {
    const known = stored.get(row.position);
    if (known === undefined) changes.added.push(row);
    // An erased slot is compared by its digest when the order is reconciled.
    else if (known.hash !== row.hash && !isPartlyErased(known)) {
      const comparison = compareReadings(toPublishedSlot(known), toPublishedSlot(row), peoplePath);
      if (comparison === 'changed') changes.unexpected.push(row);
      if (comparison !== 'same') changes.replaceable.push(row);
    }
  }
  return changes;
}
