/** Pages of a published set as they come, whatever the name of their array. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { operations, slotSchema } from '../../contract/index.ts';
import { CheckEnded, NotChecked } from '../not-checked.ts';
import type { PublishedOrder } from '../facts.ts';
import { observe } from '../observe.ts';
import type { Probe } from '../probe.ts';
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

const slotsSchema = z.array(slotSchema);
const headSchema = z.looseObject({ total: z.number(), has_more: z.boolean() });

export async function readPage(
  probe: Probe,
  orderId: string,
  query: { limit?: number; offset?: number },
): Promise<Page> {
  const { status, body } = await probe.answers(operations.listResults, 200, { ...byOrder(orderId), query });
  const head = headSchema.safeParse(body);
  if (status !== 200 || !head.success) throw new CheckEnded();
  const { total, has_more: hasMore } = head.data;
  return { offset: query.offset ?? 0, total, hasMore, slots: toRawSlots(probe, head.data), body };
}

/** The page's array of slots, whatever its name (A01); under another name the contract has not seen it yet. */
function toRawSlots(probe: Probe, page: Readonly<Record<string, unknown>>): readonly unknown[] {
  const named = z.array(z.unknown()).safeParse(page['items']);
  if (named.success) return named.data;
  const lists = Object.entries(page).flatMap(([name, value]) => {
    const list = z.array(z.looseObject({})).safeParse(value);
    return list.success ? [{ name, list: list.data }] : [];
  });
  const [only, second] = lists;
  if (!only || second) throw new NotChecked(`assumed A01: the page has ${lists.length} lists of objects`);
  probe.note(`assumed A01: the slots stand under ${/^\w{1,60}$/.test(only.name) ? only.name : 'another name'}`);
  for (const { kind, text } of observe(slotsSchema, only.list)) {
    if (kind === 'finding') probe.expect(false, `${resultsAbout}: ${text}`);
    else probe.note(text);
  }
  return only.list;
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
