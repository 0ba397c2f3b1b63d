/** Creates the notes and tasks of the companies that an order has written to HubSpot. */
import { ItemUnsettledError } from '../../hubspot/engagements.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import type { CrmRecord } from '../../hubspot/hubspot-record.ts';
import type { CompanyItemKey } from '../../ledger/company-item-store.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { partsOf } from '../../ledger/stored-slot.ts';
import { isWritten, newerOrderOf } from '../../ledger/crm-outcomes.ts';
import type { CrmMapping } from '../mapping/crm-plan.ts';
import {
  toCompanyItem,
  toItemMarker,
  toItemProperties,
  toItemReason,
  type CreatedItems,
} from '../mapping/company-item-text.ts';
import type { OrderSource } from '../mapping/source-paths.ts';
import { withoutNewer, type SlotsToDeliver } from './own-records.ts';
import { addWebsites } from './slot-batch.ts';
import { createItemsOnce, type ItemMemory, type ItemToCreate } from './create-items-once.ts';

interface ItemsDependencies {
  readonly hubspot: Pick<HubSpotClient, 'engagements' | 'objects'>;
  readonly ledger: Pick<
    Ledger,
    'companyItems' | 'orderRequests' | 'orders' | 'outcomes' | 'slots' | 'websites' | 'writtenRecords'
  >;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  readonly recordProgress: (position: number) => void;
}

const slotsPerBatch = 500;

interface WantedItem {
  readonly key: CompanyItemKey;
  readonly known: ItemMemory['known'];
  readonly text: string;
  readonly companyId: string;
}

/**
 * At most one note and one task a row, once: what people delete or close in HubSpot is not created again. Can be repeated.
 * Companies that a newer order has written get none.
 * @returns how many these rows have, from this attempt or before
 * @throws ItemUnsettledError at the end, when an earlier attempt may still create some of them
 */
export async function createCompanyItems(
  dependencies: ItemsDependencies,
  { orderId, force, ...range }: SlotsToDeliver,
  mapping: CrmMapping,
): Promise<CreatedItems> {
  const { hubspot, ledger, signal, recordProgress } = dependencies;
  const unwritten: Record<string, number> = {};
  let unsettled: ItemUnsettledError | null = null;
  const order = await ledger.orderRequests.source(orderId);
  for (const part of partsOf(range, slotsPerBatch)) {
    const { wanted, reasons } = await findWanted(ledger, { orderId, force, ...part }, order, mapping);
    for (const reason of reasons) unwritten[reason] = (unwritten[reason] ?? 0) + 1;
    const ids = [...new Set(wanted.map(({ companyId }) => companyId))];
    const companies = await hubspot.objects.read('companies', { ids, properties: ['hubspot_owner_id'], signal });
    const items = wanted.flatMap((item) => {
      const company = companies.get(item.companyId);
      // Deleted since it was written: reconciliation reports it.
      return company === undefined ? [] : [{ item: item.key.item, ...toItem(dependencies, item, company) }];
    });
    for (const [item, ofType] of Map.groupBy(items, (each) => each.item)) {
      const results = await createItemsOnce(dependencies, item === 'note' ? 'notes' : 'tasks', ofType);
      for (const result of results) {
        if (result instanceof ItemUnsettledError) unsettled = result;
        else if (result instanceof Error) throw result;
      }
    }
    recordProgress(part.to);
  }
  if (unsettled !== null) throw unsettled;
  return { ...(await ledger.companyItems.tally(orderId, range)), unwritten };
}

/**
 * The items of written companies that do not exist, as far as the ledger knows, and the reason of each row that gets none, because its
 * company was not written.
 */
async function findWanted(
  ledger: ItemsDependencies['ledger'],
  { orderId, force, ...range }: SlotsToDeliver,
  order: OrderSource,
  mapping: CrmMapping,
): Promise<{ wanted: WantedItem[]; reasons: string[] }> {
  const outcomes = await ledger.outcomes.read(orderId, range);
  const written = outcomes.flatMap(({ position, item, outcome, recordId }) =>
    item === 'company' && recordId !== null && isWritten(outcome) ? [[position, recordId] as const] : [],
  );
  const recordIds = written.map(([, recordId]) => recordId);
  const own = new Set(await withoutNewer(ledger, { orderId, force }, 'companies', recordIds));
  const companyIds = new Map(written.filter(([, recordId]) => own.has(recordId)));
  const items = await ledger.companyItems.read(orderId, range);
  const known = new Map(items.map((found) => [`${found.position} ${found.item}`, found]));
  const slots = await addWebsites(ledger, { orderId, mapping }, await ledger.slots.readParsed(orderId, range));
  const newer = outcomes.flatMap(({ position, rule }) => (newerOrderOf(rule) === null ? [] : [position]));
  const hasCompany = new Set([...newer, ...written.map(([position]) => position)]);
  const reasons = slots.flatMap(({ position, slot }) =>
    hasCompany.has(position) ? [] : (toItemReason(slot, mapping) ?? []),
  );
  const wanted = slots.flatMap(({ position, slot }) =>
    (['note', 'task'] as const).flatMap((item): WantedItem[] => {
      const companyId = companyIds.get(position);
      const text = companyId === undefined ? null : toCompanyItem(item, slot, order, mapping);
      const { id = null, sentAt = null } = known.get(`${position} ${item}`) ?? {};
      if (companyId === undefined || text === null || id !== null) return [];
      return [{ key: { orderId, position, item }, known: { id, sentAt }, text, companyId }];
    }),
  );
  return { wanted, reasons };
}

function toItem(
  { ledger, now }: ItemsDependencies,
  { key, known, text }: WantedItem,
  company: CrmRecord,
): ItemToCreate {
  const { orderId, position, item } = key;
  const marker = toItemMarker(orderId, position);
  const ownerId = company.properties['hubspot_owner_id'] || null;
  const memory: ItemMemory = {
    known,
    claim: (at) => ledger.companyItems.claim(key, { seen: known.sentAt, at }),
    save: (id) => ledger.companyItems.save(key, id),
  };
  return {
    memory,
    name: `${item} of row ${position + 1}`,
    parent: { object: 'companies', id: company.id },
    marker,
    properties: toItemProperties(item, text, { marker, at: now(), ownerId }),
  };
}
