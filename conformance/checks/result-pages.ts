/** Reads the pages of a published set, with any name of the array of slots. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { operations } from '../../src/service/contract/index.ts';
import { CheckEnded, NotChecked } from '../probe/not-checked.ts';
import type { PublishedOrder } from '../probe/run-state.ts';
import type { Probe } from '../probe/probe.ts';
import { byOrder } from './path-parameters.ts';

export const resultsAbout = 'GET results';

export interface Page {
  readonly offset: number;
  readonly total: number;
  readonly hasMore: boolean;
  readonly slots: readonly unknown[];
  /** The whole body, for comparison. */
  readonly body: unknown;
}

/** "increase by number of items returned". Stops after `available` slots, so that an endless set cannot block the check. */
export async function* readPages(
  probe: Probe,
  { orderId, available }: PublishedOrder,
  limit: number,
): AsyncGenerator<Page> {
  for (let offset = 0, hasMore = true; hasMore && offset <= available;) {
    const page = await readPage(probe, orderId, { limit, offset });
    yield page;
    offset += page.slots.length;
    hasMore = page.hasMore && page.slots.length > 0;
  }
}

const headSchema = z.looseObject({ total: z.number(), has_more: z.boolean(), items: z.array(z.unknown()) });

/** contract-shape.ts has already found the array of slots. */
export async function readPage(
  probe: Probe,
  orderId: string,
  query: { limit?: number; offset?: number },
): Promise<Page> {
  const { status, body } = await probe.answers(operations.listResults, 200, { ...byOrder(orderId), query });
  const head = headSchema.safeParse(body);
  if (status !== 200) throw new CheckEnded();
  if (!head.success)
    throw new NotChecked('assumed A01: the array of slots was not recognised; name it with --results-items NAME');
  const { total, has_more: hasMore, items } = head.data;
  return { offset: query.offset ?? 0, total, hasMore, slots: items, body };
}

/** A digest that ignores the order of object fields. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('base64');
}

function canonical(value: unknown): string {
  if (value === undefined) return 'undefined';
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
