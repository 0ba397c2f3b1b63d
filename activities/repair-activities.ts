/** Writes values again that the CRM does not hold as they were written. */
import { z } from 'zod';
import { isWritten } from '../src/ledger/crm-outcomes.ts';
import { partsOf, type SlotRange } from '../src/ledger/stored-slot.ts';
import { slotsPerBatch } from '../src/delivery/crm/slot-batch.ts';
import { toTraceId } from '../src/delivery/crm/write-records.ts';
import { toFigures } from '../src/proof/checks/read-back.ts';
import { addRepairs, noRepair, type RepairReport } from '../src/proof/report/read-back-figures.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { cancellationSignal, currentWorkflow, heartbeat, lastHeartbeat } from './activity-heartbeat.ts';
import { checked, countSchema, rangeSchema } from './checked-input.ts';
import {
  findOwnRecords,
  readBackRecords,
  typeOf,
  type ReadBackRecords,
  type SlotWithOutcomes,
} from './read-back-records.ts';
import { addOutcomes } from './reconcile-crm.ts';

const countsSchema = z.record(z.string(), countSchema);
export const readBackSchema = z.object({
  records: countSchema,
  equal: countSchema,
  edited: countSchema,
  missing: countSchema,
  merged: countSchema,
  archived: countSchema,
  wrong: countSchema,
  unknown: countSchema,
  properties: z.object({ edited: countsSchema, wrong: countsSchema }),
  sampled: countSchema.nullable(),
});

const repairSchema = z.object({ before: readBackSchema, rewritten: countSchema, reopened: countSchema });
const progressSchema = z.object({ next: countSchema, repair: repairSchema });

export function createRepairActivities(dependencies: ActivityDependencies) {
  const { ledger } = dependencies;
  return {
    /**
     * Writes wrong values again, and reopens the rows of missing records for a projection. Edited values and deleted records
     * stay as they are. Resumes from the last heartbeat.
     */
    repairRecords: checked(rangeSchema, async ({ orderId, from, to: end }): Promise<RepairReport> => {
      const to = Math.min(end, (await ledger.orders.get(orderId))?.total ?? 0);
      const progress = lastHeartbeat(progressSchema) ?? { next: from, repair: noRepair };
      let repair: RepairReport = progress.repair;
      for (const part of partsOf({ from: progress.next, to }, slotsPerBatch)) {
        const batch = { orderId, ...part };
        repair = addRepairs(repair, await repairBatch(dependencies, batch));
        heartbeat({ next: batch.to, repair });
      }
      return repair;
    }),
  };
}

async function repairBatch(dependencies: ActivityDependencies, range: SlotRange): Promise<RepairReport> {
  const parsed = await dependencies.ledger.slots.readParsed(range.orderId, range);
  const slots = await addOutcomes(dependencies, range, parsed);
  const records = await readBackRecords(dependencies, slots);
  const comparisons = [...records.companies.values(), ...records.contacts.values()].map((record) => record.comparison);
  // Excluded companies are never written again.
  const leaks = await dependencies.ledger.leaks.read(range.orderId, range);
  const repairable = slots.filter(({ position }) => leaks.get(position)?.verdict !== 'LEAK');
  return {
    before: toFigures(comparisons, null),
    rewritten: await rewriteValues(dependencies, range.orderId, repairable, records),
    reopened: await reopenMissing(dependencies, range, repairable, records),
  };
}

/** Rewrites only values that this order wrote last and that the ledger still has. @returns the number of records that HubSpot accepted */
async function rewriteValues(
  { hubspot }: ActivityDependencies,
  orderId: string,
  slots: readonly SlotWithOutcomes[],
  records: ReadBackRecords,
): Promise<number> {
  let rewritten = 0;
  for (const type of ['companies', 'contacts'] as const) {
    const inputs = slots.flatMap(({ position, outcomes }) =>
      outcomes.flatMap(({ item, recordId }) => {
        const record = typeOf(item) === type ? records[type].get(recordId ?? '') : undefined;
        if (record?.current === undefined || record.stored?.orderId !== orderId) return [];
        const values = record.comparison.wrong.flatMap((property): [string, string][] => {
          const value = record.stored?.values.get(property)?.value ?? null;
          return value === null ? [] : [[property, value]];
        });
        if (values.length === 0) return [];
        const { id } = record.current;
        return [{ id, properties: Object.fromEntries(values), traceId: toTraceId(orderId, position, item) }];
      }),
    );
    // HubSpot rejects a batch that names a record twice.
    const distinct = [...new Map(inputs.map((input) => [input.id, input])).values()];
    const results = await hubspot.objects.update(type, distinct, cancellationSignal());
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
  dependencies: ActivityDependencies,
  { orderId, ...range }: SlotRange,
  slots: readonly SlotWithOutcomes[],
  records: ReadBackRecords,
): Promise<number> {
  const { ledger, now } = dependencies;
  const at = now().toISOString();
  const { workflowId, runId } = currentWorkflow();
  const pass = { orderId, projectionId: `${workflowId}#${runId}/repair`, rule: 'record_missing' };
  const ownMissing = await findOwnRecords(
    dependencies,
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
