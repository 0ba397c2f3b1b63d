/** Reads the records that slots wrote back from HubSpot, and compares them with the values in the ledger. */
import { z } from 'zod';
import { withoutNewer } from '../../delivery/crm/own-records.ts';
import type { CrmRecord, ObjectType } from '../../hubspot/hubspot-record.ts';
import type { PropertyHistories } from '../../hubspot/object-reads.ts';
import type { Item, OutcomeRow } from '../../ledger/outcome-store.ts';
import { isWritten } from '../../ledger/crm-outcomes.ts';
import type { WrittenRecord as StoredRecord } from '../../ledger/written-record-store.ts';
import type { Slot } from '../../service/contract/index.ts';
import { isWrittenValue, toKeyId } from '../../delivery/crm/written-values.ts';
import {
  compareRecord,
  differingProperties,
  entriesOf,
  toOtherInstallation,
  orderProperty,
  type RecordComparison,
} from '../checks/read-back.ts';
import type { RecordState } from '../report/read-back-figures.ts';
import type { ProofContext } from './proof-context.ts';
import { keyOf, readWritten, type RecordOfOrder } from './written-records.ts';

export interface SlotWithOutcomes {
  readonly position: number;
  readonly slot: Slot;
  readonly outcomes: readonly OutcomeRow[];
}

/** A record as it is now, what the ledger says was written, and the difference. */
export interface ReadBackRecord {
  /** The id that was written. */
  readonly recordId: string;
  /** undefined: missing or archived. */
  readonly current: CrmRecord | undefined;
  /** undefined: the ledger has no values of the record. */
  readonly stored: StoredRecord | undefined;
  readonly comparison: RecordComparison;
  /** Newest first; of the properties that differ. */
  readonly histories: PropertyHistories;
}

/** Records by the record ids of the outcomes. */
export type ReadBackRecords = Readonly<Record<ObjectType, ReadonlyMap<string, ReadBackRecord>>>;

export function typeOf(item: Item): ObjectType {
  return item === 'company' ? 'companies' : 'contacts';
}

export async function readBackRecords(
  context: ProofContext,
  slots: readonly SlotWithOutcomes[],
): Promise<ReadBackRecords> {
  const written = slots.flatMap(({ slot, outcomes }) =>
    outcomes.flatMap(({ outcome, recordId, item }) =>
      recordId === null || !isWritten(outcome) ? [] : [{ recordId, key: keyOf(slot, item), type: typeOf(item) }],
    ),
  );
  const ofType = (type: ObjectType) =>
    readBackType(
      context,
      type,
      written.filter((record) => record.type === type),
    );
  return { companies: await ofType('companies'), contacts: await ofType('contacts') };
}

/** Records that no newer order has written, of those that are wanted. */
export async function findOwnRecords(
  { ledger }: ProofContext,
  orderId: string,
  records: ReadBackRecords,
  isWanted: (record: ReadBackRecord) => boolean = () => true,
): Promise<ReadBackRecords> {
  const ofType = async (type: ObjectType) => {
    const wanted = new Map([...records[type]].filter(([, record]) => isWanted(record)));
    const own = new Set(await withoutNewer(ledger, { orderId, force: false }, type, [...wanted.keys()]));
    return new Map([...wanted].filter(([id]) => own.has(id)));
  };
  return { companies: await ofType('companies'), contacts: await ofType('contacts') };
}

async function readBackType(
  context: ProofContext,
  type: ObjectType,
  written: readonly RecordOfOrder[],
): Promise<Map<string, ReadBackRecord>> {
  if (written.length === 0) return new Map();
  const { hubspot, ledger, signal } = context;
  const rows = await ledger.writtenRecords.read(
    type,
    written.map(({ recordId }) => recordId),
  );
  // Values are stored under the key until HubSpot's answer with the record id has arrived.
  const rowsByKey = await ledger.writtenRecords.read(
    type,
    written.flatMap(({ recordId, key }) => (key === null || rows.has(recordId) ? [] : [toKeyId(key)])),
  );
  // A projection that runs at the same time may have moved a row from the key to the id between these two readings.
  const isUnread = ({ recordId, key }: RecordOfOrder) =>
    key !== null && !rows.has(recordId) && !rowsByKey.has(toKeyId(key));
  const movedRows = await ledger.writtenRecords.read(
    type,
    written.filter(isUnread).map(({ recordId }) => recordId),
  );
  for (const [recordId, row] of movedRows) rows.set(recordId, row);
  const storedRecords = [...rows.values(), ...rowsByKey.values()];
  const properties = [...new Set(storedRecords.flatMap(({ values }) => [...values.keys()]))];
  const records = await readWritten(context, type, written, properties);
  const archived = await hubspot.objects.read(type, {
    ids: written.flatMap(({ recordId }) => (records.has(recordId) ? [] : [recordId])),
    properties: [],
    archived: true,
    signal,
  });

  const compared = new Map(
    written.map(({ recordId, key }) => {
      const stored = rows.get(recordId) ?? (key === null ? undefined : rowsByKey.get(toKeyId(key)));
      const current = records.get(recordId);
      const differing =
        stored === undefined || current === undefined
          ? []
          : differingProperties(stored, current.properties, isWrittenValue);
      return [recordId, { recordId, stored, current, differing }] as const;
    }),
  );
  const differing = [...compared.values()].filter((record) => record.differing.length > 0);
  const writerOf = await findOtherOrders(ledger, type, differing);
  const histories = await hubspot.objects.readHistories(type, {
    ids: differing.flatMap(({ current }) => current?.id ?? []),
    properties: [...new Set([orderProperty, ...differing.flatMap((record) => record.differing)])],
    signal,
  });
  // Most differing values are edits, which have a history. Only others can belong to a property that was archived.
  const isUnseen = (record: (typeof differing)[number]) =>
    record.differing.some(
      (property) => entriesOf(histories.get(record.current?.id ?? '') ?? {}, property).length === 0,
    );
  const existing = differing.some(isUnseen) ? await hubspot.properties.list(type, signal) : null;
  return new Map(
    [...compared.values()].map(({ recordId, stored, current, differing }): [string, ReadBackRecord] => {
      const isMerged = current !== undefined && current.id !== recordId;
      const withState = (state: RecordState) => ({ state, isMerged, edited: [], wrong: [] });
      if (current === undefined) {
        const comparison = withState(archived.has(recordId) ? 'archived' : 'missing');
        return [recordId, { recordId, stored, current, comparison, histories: {} }];
      }
      const history = histories.get(current.id) ?? {};
      const writer = stored === undefined ? 'this order' : writerOf(current, stored);
      if (stored === undefined || writer === 'other order')
        return [recordId, { recordId, stored, current, comparison: withState('unknown'), histories: history }];
      const compared = compareRecord(stored, {
        differing,
        histories: history,
        isMerged,
        isWritten: isWrittenValue,
        isRemoved: (property) => existing !== null && !existing.has(property),
      });
      const isElsewhere = writer === 'other installation' && compared.wrong.includes(orderProperty);
      const comparison = isElsewhere ? toOtherInstallation(compared) : compared;
      return [recordId, { recordId, stored, current, comparison, histories: history }];
    }),
  );
}

/** `other installation`: the record names the id of an order that this ledger does not have. */
type Writer = 'this order' | 'other order' | 'other installation';

/**
 * Two orders that write the same record at the same time may reach HubSpot in another order than the ledger. The record names the one
 * that came last, and the ledger has the values of the other. An order that has not written the record does not explain a difference.
 */
async function findOtherOrders(
  ledger: ProofContext['ledger'],
  type: ObjectType,
  differing: readonly Pick<ReadBackRecord, 'recordId' | 'current'>[],
): Promise<(current: CrmRecord, stored: StoredRecord) => Writer> {
  const idsByOrder = Map.groupBy(differing, ({ current }) => current?.properties[orderProperty] ?? '');
  const writtenBy = new Map<string, ReadonlySet<string>>();
  for (const [orderId, records] of idsByOrder)
    if ((await ledger.orders.get(orderId)) !== undefined)
      writtenBy.set(
        orderId,
        await ledger.outcomeQueries.writtenIds(
          orderId,
          type,
          records.map(({ recordId }) => recordId),
        ),
      );
  return ({ properties }, { recordId, values }) => {
    const orderId = properties[orderProperty] ?? '';
    if (orderId === values.get(orderProperty)?.value) return 'this order';
    const written = writtenBy.get(orderId);
    if (written !== undefined) return written.has(recordId) ? 'other order' : 'this order';
    return z.guid().safeParse(orderId).success ? 'other installation' : 'this order';
  };
}
