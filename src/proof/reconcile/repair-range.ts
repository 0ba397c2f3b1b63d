/** Writes values again that the CRM does not hold as they were written. */
import { isWritten } from '../../ledger/crm-outcomes.ts';
import type { SlotRange } from '../../ledger/stored-slot.ts';
import { keyProperties } from '../../delivery/crm/record-match.ts';
import { toTraceId } from '../../delivery/crm/write-records.ts';
import { toFigures } from '../checks/read-back.ts';
import type { RepairReport } from '../report/read-back-figures.ts';
import type { ProofContext } from './proof-context.ts';
import {
  findOwnRecords,
  readBackRecords,
  typeOf,
  type ReadBackRecords,
  type SlotWithOutcomes,
} from './read-back-records.ts';
import { addOutcomes } from './reconcile-crm.ts';
import { keyOf } from './written-records.ts';

export interface RepairContext extends ProofContext {
  /** Names the pass of the outcomes of this repair. */
  readonly repairId: string;
}

/** Values that a person edited and deleted records stay as they are. */
export async function repairRange(context: RepairContext, range: SlotRange): Promise<RepairReport> {
  const parsed = await context.ledger.slots.readParsed(range.orderId, range);
  const slots = await addOutcomes(context, range, parsed);
  const records = await readBackRecords(context, slots);
  const comparisons = [...records.companies.values(), ...records.contacts.values()].map((record) => record.comparison);
  // Excluded companies are never written again.
  const leaks = await context.ledger.leaks.read(range.orderId, range);
  const repairable = slots.filter(({ position }) => leaks.get(position)?.verdict !== 'LEAK');
  return {
    before: toFigures(comparisons, { sampled: null, items: {} }),
    rewritten: await rewriteValues(context, range.orderId, repairable, records),
    reopened: await reopenMissing(context, range, repairable, records),
  };
}

/** Rewrites only values that this order wrote last and that the ledger still has. @returns the number of records that HubSpot accepted */
async function rewriteValues(
  { hubspot, signal }: ProofContext,
  orderId: string,
  slots: readonly SlotWithOutcomes[],
  records: ReadBackRecords,
): Promise<number> {
  let rewritten = 0;
  for (const type of ['companies', 'contacts'] as const) {
    const inputs = slots.flatMap(({ position, slot, outcomes }) =>
      outcomes.flatMap(({ item, recordId }) => {
        const record = typeOf(item) === type ? records[type].get(recordId ?? '') : undefined;
        if (record?.current === undefined || record.stored?.orderId !== orderId) return [];
        const values = record.comparison.wrong.flatMap((property): [string, string][] => {
          // The ledger holds the keys of contacts as digests only.
          const key = property === keyProperties[type] ? keyOf(slot, item) : null;
          const value = record.stored?.values.get(property)?.value ?? key;
          return value === null ? [] : [[property, value]];
        });
        if (values.length === 0) return [];
        const { id } = record.current;
        return [{ id, properties: Object.fromEntries(values), traceId: toTraceId(orderId, position, item) }];
      }),
    );
    // HubSpot rejects a batch that names a record twice.
    const distinct = [...new Map(inputs.map((input) => [input.id, input])).values()];
    const results = await hubspot.objects.update(type, distinct, signal);
    rewritten += results.filter(({ ok }) => ok).length;
  }
  return rewritten;
}

/**
 * Reopens the rows of missing records in a pass of its own. The contacts of a missing company are written again too, because their
 * associations are missing with it. A record that a newer order has written is left to the repair of that order.
 * @returns how many rows of these slots are reopened, in this attempt or before
 */
async function reopenMissing(
  context: RepairContext,
  { orderId, ...range }: SlotRange,
  slots: readonly SlotWithOutcomes[],
  records: ReadBackRecords,
): Promise<number> {
  const { ledger, now, repairId } = context;
  const at = now().toISOString();
  const pass = { orderId, projectionId: repairId, rule: 'record_missing' };
  const ownMissing = await findOwnRecords(
    context,
    orderId,
    records,
    ({ comparison }) => comparison.state === 'missing',
  );
  const reopened = slots.flatMap(({ outcomes }) => {
    const written = outcomes.filter(({ outcome }) => isWritten(outcome));
    const missing = written.filter(({ item, recordId }) => ownMissing[typeOf(item)].has(recordId ?? ''));
    return missing.some(({ item }) => item === 'company') ? written : missing;
  });
  await ledger.outcomes.record(
    reopened.map((row) => ({ ...row, ...pass, planned: null, outcome: 'failed' as const, at })),
  );
  return ledger.outcomes.countByRule(pass, range);
}
