/** Reads back what an order created beside its records: notes, tasks and members of lists. People may remove them, so that is no finding. */
import { HubSpotError } from '../../hubspot/hubspot-error.ts';
import type { SlotRange } from '../../ledger/stored-slot.ts';
import type { ItemFigures } from '../report/read-back-figures.ts';
import type { ProofContext } from './proof-context.ts';

const types = { note: 'notes', task: 'tasks' } as const;

/** Notes and tasks of a range of slots. `has`: the slots that are read back. */
export async function readBackItems(
  { hubspot, ledger, signal }: ProofContext,
  { orderId, ...range }: SlotRange,
  has: (position: number) => boolean,
): Promise<ItemFigures> {
  const stored = await ledger.companyItems.read(orderId, range);
  const figures: Record<string, { written: number; gone: number }> = {};
  for (const [item, type] of Object.entries(types)) {
    const ids = stored.flatMap((each) => (each.item === item && has(each.position) ? (each.id ?? []) : []));
    if (ids.length === 0) continue;
    const found = await hubspot.objects.read(type, { ids, properties: [], signal });
    figures[type] = { written: ids.length, gone: ids.filter((id) => !found.has(id)).length };
  }
  return figures;
}

/** A list of more members takes minutes to read. */
const mostPages = 200;

/** Members of the lists to which the order added records. Lists that are too long, or that the token may not read, are left out. */
export async function readBackMembers(
  { hubspot, ledger, signal, recordProgress }: ProofContext,
  orderId: string,
): Promise<ItemFigures> {
  let [written, gone, pages] = [0, 0, 0];
  for (const { listId, added } of await ledger.listMembers.ofOrder(orderId)) {
    let present = 0;
    try {
      for await (const ids of hubspot.lists.members(listId, signal)) {
        recordProgress((pages += 1));
        if (pages > mostPages) return {};
        present += await ledger.listMembers.countAdded({ listId, orderId }, ids);
      }
    } catch (error) {
      if (!(error instanceof HubSpotError)) throw error;
      if (error.status === 403) return {};
      // The list was deleted.
      if (error.status !== 404) throw error;
    }
    written += added;
    gone += added - present;
  }
  return written === 0 ? {} : { list_members: { written, gone } };
}
