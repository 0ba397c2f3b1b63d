/** Erases people and companies from slots, with the keys that their outcomes, records and written values have. */
import { isErased } from '../base/json/erased-mark.ts';
import { parseJsonWithinLimits } from '../base/json/json-limits.ts';
import { eraseSlot } from './redaction/redact-slot.ts';

import type { Company } from '../service/contract/index.ts';
import { createSlotReader } from '../service/reading/read-slot.ts';
import { defaultShape } from '../service/reading/shape.ts';
import type { ExpiryContext, ForgetContext, FoundCrmRecord } from './erasure-context.ts';
import { indexCompanies, unindexCompanies } from './company-index.ts';
import { markErased } from './erased-orders.ts';
import { hubspotSink } from './tally-outcomes.ts';
import { keyPrefix } from './record-store.ts';
import { keepSlotDigests } from './slot-digest-store.ts';
import { keepsExternalIds, redactStoredSlot } from './redact-stored-slot.ts';
import { streamSlots } from './slots.ts';
import { isPartlyErased } from './stored-slot.ts';
import { createShapeStore } from './shape-store.ts';
import type { Database } from './tables.ts';
import { forgetChangedRecords } from './value-change-store.ts';
import { isRecord } from '../base/json/own-property.ts';

interface ErasedSlot {
  readonly orderId: string;
  readonly position: number;
  readonly json: string;
  readonly externalId: string | null;
  /** What remains of it. */
  readonly company: Company | null;
  /** Items whose keys are deleted; null: all. */
  readonly items: readonly string[] | null;
}

/** @returns the number of slots that name forgotten people or companies */
export async function forgetInSlots({ db, test, preview, at, learn, noteRecord }: ForgetContext): Promise<number> {
  let found = 0;
  for (const { orderId } of await db.selectFrom('slots').select('orderId').distinct().execute()) {
    const readSlot = createSlotReader((await createShapeStore(db).ofOrder(orderId))?.shape ?? defaultShape);
    const keepExternalId = await keepsExternalIds(db, orderId);
    for await (const rows of streamSlots(db, orderId)) {
      const erased: ErasedSlot[] = [];
      const whole = new Map(rows.map((row) => [row.position, row]));
      for (const row of rows) {
        const redacted = redactStoredSlot(row, test, { keepExternalId });
        if (redacted === null) continue;
        learn(orderId, redacted.identifiers);
        const { slot, stored } = redacted;
        const erasedBefore = new Set(erasedItems(parseJsonWithinLimits(row.json), readSlot));
        const items = erasedItems(slot, readSlot).filter((item) => !erasedBefore.has(item));
        const { position, json, externalId } = stored;
        const company = isErased(slot) ? null : readSlot(slot).company;
        erased.push({ orderId, position, json, externalId, company, items: isErased(slot) ? null : items });
      }
      found += erased.length;
      if (preview) for (const slot of erased) (await readRecords(db, slot)).forEach(noteRecord);
      if (preview || erased.length === 0) continue;
      await db.transaction().execute(async (transaction) => {
        // The digest of a partly erased slot was saved before its first erasure.
        const before = erased.flatMap(({ position }) => whole.get(position) ?? []);
        await keepSlotDigests(
          transaction,
          orderId,
          before.filter((row) => !isPartlyErased(row)),
        );
        for (const slot of erased) await saveErased(transaction, slot);
        await indexCompanies(
          transaction,
          'slot',
          erased.map(({ position, company }) => ({ ref: orderId, position, company })),
        );
        await markErased(transaction, orderId, 'people', at);
      });
    }
  }
  return found;
}

/** The people of a slot that were erased; their positions stay. */
function erasedItems(slot: unknown, readSlot: ReturnType<typeof createSlotReader>): string[] {
  const people = isRecord(slot) ? (readSlot(slot).company?.prospects ?? []) : [];
  return people.flatMap(({ raw }, index) => (isErased(raw) ? [`contact:${index}`] : []));
}

/** Slots of expired orders. An interrupted erasure is continued: `scope` stays `erasing` until all slots are erased. */
export async function eraseOrderSlots({ db, orderIds, preview, at }: ExpiryContext): Promise<number> {
  let found = 0;
  for (const orderId of orderIds) {
    if (!preview) await markErased(db, orderId, 'erasing', at);
    const keepExternalId = await keepsExternalIds(db, orderId);
    for await (const rows of streamSlots(db, orderId)) {
      const remaining = rows.flatMap(({ position, json }) => {
        const slot = parseJsonWithinLimits(json);
        // A slot that cannot be read is erased completely.
        const published = isRecord(slot) ? slot : {};
        return isErased(published) ? [] : [{ position, published }];
      });
      found += remaining.length;
      if (preview || remaining.length === 0) continue;
      await db.transaction().execute(async (transaction) => {
        const before = new Set(remaining.map(({ position }) => position));
        await keepSlotDigests(
          transaction,
          orderId,
          rows.filter((row) => before.has(row.position) && !isPartlyErased(row)),
        );
        await unindexCompanies(transaction, 'slot', orderId, [...before]);
        for (const { position, published } of remaining) {
          const json = JSON.stringify(eraseSlot(published, { keepExternalId }));
          await transaction
            .updateTable('slots')
            .set({ json, ...(keepExternalId ? {} : { externalId: null }) })
            .where('orderId', '=', orderId)
            .where('position', '=', position)
            .execute();
        }
        const [first, last] = [remaining[0]?.position ?? 0, remaining.at(-1)?.position ?? 0];
        // The keys of companies are domains; those of contacts are digests under the secret of the ledger, and stay.
        await transaction
          .updateTable('outcomes')
          .set({ matchKey: null })
          .where('orderId', '=', orderId)
          .where('item', '=', 'company')
          .where('position', '>=', first)
          .where('position', '<=', last)
          .execute();
      });
    }
  }
  return found;
}

async function saveErased(db: Database, { orderId, position, json, externalId, items }: ErasedSlot): Promise<void> {
  await db
    .updateTable('slots')
    .set({ json, externalId })
    .where('orderId', '=', orderId)
    .where('position', '=', position)
    .execute();
  if (items?.length === 0) return;
  const outcomes = await readOutcomes(db, { orderId, position, items });
  for (const { item, matchKey, recordId } of outcomes) {
    const object = toObject(item);
    const values = db.deleteFrom('writtenRecords').where('object', '=', object);
    if (recordId !== null) {
      await values.where('recordId', '=', recordId).execute();
      await forgetChangedRecords(db, object, [recordId]);
    }
    if (matchKey === null) continue;
    await values.where('recordId', '=', `${keyPrefix}${matchKey}`).execute();
    await db.deleteFrom('records').where('object', '=', object).where('key', '=', matchKey).execute();
    // Includes other orders.
    await db.updateTable('outcomes').set({ matchKey: null }).where('matchKey', '=', matchKey).execute();
  }
  await db
    .updateTable('outcomes')
    .set({ matchKey: null })
    .where('orderId', '=', orderId)
    .where('sink', '=', hubspotSink)
    .where('position', '=', position)
    .$if(items !== null, (query) => query.where('item', 'in', [...(items ?? [])]))
    .execute();
}

type ErasedItems = Pick<ErasedSlot, 'orderId' | 'position' | 'items'>;

/** Identifiers of the company and the people that are erased from a slot. */
function readOutcomes(db: Database, { orderId, position, items }: ErasedItems) {
  return db
    .selectFrom('outcomes')
    .select(['item', 'matchKey', 'recordId'])
    .where('orderId', '=', orderId)
    .where('position', '=', position)
    .$if(items !== null, (query) => query.where('item', 'in', [...(items ?? [])]))
    .execute();
}

async function readRecords(db: Database, erased: ErasedItems): Promise<FoundCrmRecord[]> {
  if (erased.items?.length === 0) return [];
  const outcomes = await readOutcomes(db, erased);
  return outcomes.flatMap(({ item, recordId }) =>
    recordId === null ? [] : [{ object: toObject(item), id: recordId }],
  );
}

function toObject(item: string): 'companies' | 'contacts' {
  return item === 'company' ? 'companies' : 'contacts';
}
