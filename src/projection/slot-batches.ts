import { slotSchema } from '../contract/index.ts';
import type { Range } from '../ledger/slots.ts';
import type { Projection, Tools } from './projection.ts';
import { openSlotBatch, type SlotBatch } from './slot-batch.ts';

/** So many slots are worked on together: their companies, people and links then fill HubSpot's batches of 100 and 1,000. */
const slotsPerBatch = 1_000;

/** The slots of a range, a batch after the other, without what a blacklist of the order names. */
export async function* openSlotBatches(
  tools: Tools,
  projection: Projection,
  { from, to }: Range,
): AsyncGenerator<SlotBatch> {
  const { slots, leaks } = tools.ledger;
  const { orderId, externalIdsAreRecordIds } = projection;
  const twins = externalIdsAreRecordIds ? await slots.duplicates(orderId, originalOf) : new Map<number, string[]>();
  for (let start = from; start < to; start += slotsPerBatch) {
    const range = { from: start, to: Math.min(start + slotsPerBatch, to) };
    const leaked = [...(await leaks.read(orderId, range))].filter(([, { verdict }]) => verdict === 'LEAK');
    const positions = new Set(leaked.map(([position]) => position));
    yield openSlotBatch(tools, projection, await slots.read(orderId, range), positions, twins);
  }
}

const duplicateSchema = slotSchema.pick({ duplicate_of_input_position: true });

function originalOf(json: string): number | null {
  return duplicateSchema.parse(JSON.parse(json)).duplicate_of_input_position ?? null;
}
