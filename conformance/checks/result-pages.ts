/** Pages of a published set as they come, whatever the name of their array. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { operations } from '../../src/contract/index.ts';
import { CheckEnded, NotChecked } from '../probe/not-checked.ts';
import type { PublishedOrder } from '../probe/facts.ts';
import type { Probe } from '../probe/probe.ts';
import { byOrder } from './path-parameters.ts';

export const resultsAbout = 'GET results';

export interface Page {
  readonly offset: number;
  readonly total: number;
  readonly hasMore: boolean;
  readonly slots: readonly unknown[];
  /** As it came, for comparing. */
  readonly body: unknown;
}

/** "increase by number of items returned". Ends behind the last slot that is owed: a set without end must not keep us. */
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

/** The array of slots has been found by then, whatever its name (contract-shape.ts). */
export async function readPage(
  probe: Probe,
  orderId: string,
  query: { limit?: number; offset?: number },
): Promise<Page> {
  const { status, body } = await probe.answers(operations.listResults, 200, { ...byOrder(orderId), query });
  const head = headSchema.safeParse(body);
  if (status !== 200) throw new CheckEnded();
  if (!head.success)
    throw new NotChecked('assumed A01: the page has no array of slots that can be told: --results-items NAME');
  const { total, has_more: hasMore, items } = head.data;
  return { offset: query.offset ?? 0, total, hasMore, slots: items, body };
}

/** The same for the same content: the order of an object's fields says nothing. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('base64');
}

function canonical(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
  return text ?? 'undefined';
}
