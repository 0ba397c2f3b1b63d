/** Proves that ledger, CRM and files hold the published results. */
import { z } from 'zod';
import type { OrderRow } from '../src/ledger/order-store.ts';
import {
  countDelivered,
  toDeliveryFindings,
  brokenIdentities,
  toOutputFindings,
  toMissingValueFindings,
} from '../src/reconcile/identities.ts';
import { addFigures, noReadBack, type ReadBackFigures } from '../src/report/read-back-figures.ts';
import { isSameContent, mergeFindings, toFindings } from '../src/reconcile/slot-findings.ts';
import type { Finding } from '../src/report/order-report.ts';
import { createSample, type SlotSample } from '../src/reconcile/slot-sample.ts';
import { slotsPerBatch } from '../src/projection/slot-batch.ts';
import { boundWords } from '../src/text/bound-text.ts';
import { nonRetryable } from '../src/failures/application-failure.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { heartbeat, cancellationSignal, lastHeartbeat, recordProgress } from './activity-heartbeat.ts';
import { checked, countSchema, orderIdSchema, rangeSchema } from './checked-input.ts';
import { reconcileCrm } from './reconcile-crm.ts';
import { readBackSchema } from './repair-activities.ts';
import { checkFiles } from './reconcile-files.ts';
import { compareSlots, type SlotRange } from './reconcile-slots.ts';

export interface RangeProof {
  /** Slots without a finding in the ledger and in the CRM. */
  readonly reconciled: number;
  readonly findings: Finding[];
  /** Of records in the CRM. Absent when none was written, and in proofs of earlier releases. */
  readonly readBack?: ReadBackFigures | undefined;
}

const proofSchema = z.object({
  reconciled: countSchema,
  findings: z.array(
    z.object({ code: z.string().max(200), count: countSchema, positions: z.array(countSchema).readonly() }),
  ),
  readBack: readBackSchema.optional(),
});
/** Heartbeat details: the next position, and the proof of those before it. */
const progressSchema = z.object({ next: countSchema, proof: proofSchema });

const openOrderSchema = z.object({ orderId: orderIdSchema });
/** `crm`: records were written. `sample`: of how many slots of the order they are read back; all unless given. */
const reconcileRangeSchema = rangeSchema.safeExtend({ crm: z.boolean(), sample: countSchema.optional() });
const concludeSchema = z.object({ orderId: orderIdSchema, proofs: z.array(proofSchema) });

export function createReconcileActivities(dependencies: ActivityDependencies) {
  const { prospecting, ledger, now } = dependencies;
  return {
    /** What the ledger knows of an order. @throws OrderNotCollected, non-retryable */
    openOrder: checked(openOrderSchema, async ({ orderId }) => {
      const order = await ledger.orders.get(orderId);
      if (order === undefined || order.total === null) {
        throw nonRetryable('OrderNotCollected', `order ${orderId} is not in the ledger`);
      }
      const { companies } = await ledger.outcomes.tally(orderId);
      const crm = Object.values(companies).some((count) => count > 0);
      const { total, kind, runName, externalIdsAreRecordIds } = order;
      return { total, kind, runName, crm, externalIdsAreRecordIds };
    }),

    /** Resumes from the last heartbeat. */
    reconcileRange: checked(
      reconcileRangeSchema,
      async ({ orderId, from, to: end, crm, sample: size = null }): Promise<RangeProof> => {
        const total = (await ledger.orders.get(orderId))?.total ?? 0;
        const to = Math.min(end, total);
        const sample = createSample(orderId, total, size);
        const progress = lastHeartbeat(progressSchema) ?? { next: from, proof: { reconciled: 0, findings: [] } };
        let proof: RangeProof = progress.proof;
        for (let start = progress.next; start < to; start += slotsPerBatch) {
          const batch = { orderId, from: start, to: Math.min(start + slotsPerBatch, to) };
          proof = addProofs([proof, await reconcileBatch(dependencies, batch, crm ? sample : null)]);
          heartbeat({ next: batch.to, proof });
        }
        return proof;
      },
    ),

    /** Reads the order again, checks sums, outputs and files, and stores the certificate. */
    concludeReconciliation: checked(concludeSchema, async ({ orderId, proofs }): Promise<RangeProof> => {
      const order = await ledger.orders.get(orderId);
      const { reconciled, readBack, findings: found } = addProofs(proofs);
      const findings = mergeFindings([found, ...(await checkOrder(orderId, order))]);
      await ledger.certificates.save({
        orderId,
        at: now().toISOString(),
        reconciled,
        total: order?.total ?? 0,
        findingsJson: JSON.stringify(findings),
      });
      return { reconciled, findings, ...(readBack === undefined ? {} : { readBack }) };
    }),
  };

  /** Findings of the order as a whole, one list for each check. */
  async function checkOrder(orderId: string, stored: OrderRow | undefined): Promise<Finding[][]> {
    const published = await prospecting.orders.get(orderId, { signal: cancellationSignal() });
    const byStatus = await ledger.slots.countByStatus(orderId);
    const isEnrichment = stored?.kind === 'enrichment';
    const broken = brokenIdentities({
      status: published.status,
      resultsPublished: published.results_published,
      availableQuantity: published.available_briefing_quantity,
      summary: published.result_summary,
      isEnrichment,
      slots: await ledger.slots.count(orderId),
      byStatus,
      annotatedByReason: isEnrichment ? await countAnnotated(orderId) : {},
    });
    const isSameSummary =
      stored === undefined || isSameContent(JSON.parse(stored.summaryJson ?? 'null'), published.result_summary);
    const delivery = toDeliveryFindings({
      ordered: stored?.requestedCount ?? 0,
      delivered: countDelivered(byStatus),
      minDeliveredPercent: stored?.minDeliveredPercent ?? null,
    });
    return [
      broken,
      isSameSummary ? [] : [{ code: 'summary_changed_since_collection', count: 1, positions: [] }],
      delivery,
      await checkFiles(dependencies, orderId),
      await readLeaks(orderId, stored?.total ?? 0),
      toMissingValueFindings(await ledger.shapes.ofOrder(orderId), stored?.features ?? null),
      toOutputFindings(await ledger.outputs.list(orderId)),
    ];
  }

  /** Slots that are not ENRICHED, by reason code. The summary of the service does not count codes of enriched slots. */
  async function countAnnotated(orderId: string): Promise<Record<string, number>> {
    const counts = new Map<string, number>();
    for await (const slots of ledger.slots.stream(orderId)) {
      for (const { status, reasonCodes } of slots) {
        if (status === 'ENRICHED') continue;
        for (const code of boundWords(reasonCodes)) counts.set(code, (counts.get(code) ?? 0) + 1);
      }
      recordProgress(slots.at(-1)?.position ?? 0);
    }
    return Object.fromEntries(counts);
  }

  /** Companies that the service should not have returned; verdicts LATE and WEAK are no findings. */
  async function readLeaks(orderId: string, total: number): Promise<Finding[]> {
    const verdicts = await ledger.leaks.read(orderId, { from: 0, to: total });
    const leaks = [...verdicts].filter(([, { verdict }]) => verdict === 'LEAK');
    return toFindings(leaks.map(([position]) => ({ code: 'exclusion_leak', position })));
  }
}

/** `sample`: null when no record was written to the CRM. */
async function reconcileBatch(
  dependencies: ActivityDependencies,
  batch: SlotRange,
  sample: SlotSample | null,
): Promise<RangeProof> {
  const { differences, replaced } = await compareSlots(dependencies, batch);
  const crm = sample === null ? null : await reconcileCrm(dependencies, batch, sample);
  const inCrm = crm?.findings ?? [];
  const positions = new Set([...differences, ...inCrm].map(({ position }) => position));
  const findings = toFindings([...differences, ...replaced, ...inCrm]);
  const reconciled = batch.to - batch.from - positions.size;
  return { reconciled, findings, ...(crm === null ? {} : { readBack: crm.figures }) };
}

function addProofs(proofs: readonly RangeProof[]): RangeProof {
  const readBacks = proofs.flatMap(({ readBack }) => readBack ?? []);
  return {
    reconciled: proofs.reduce((total, proof) => total + proof.reconciled, 0),
    findings: mergeFindings(proofs.map(({ findings }) => findings)),
    ...(readBacks.length === 0 ? {} : { readBack: readBacks.reduce(addFigures, noReadBack) }),
  };
}
