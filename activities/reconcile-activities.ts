/** Proves that ledger, CRM and files hold the published results. */
import { z } from 'zod';
import { issueCertificate } from '../src/proof/certificate/issue-certificate.ts';
import type { OrderRow } from '../src/ledger/order-store.ts';
import { LedgerError } from '../src/ledger/ledger-error.ts';
import { toCheckFindings, toSlotChecks, type IdentityCheck } from '../src/proof/checks/check.ts';
import {
  countDelivered,
  toDeliveryFindings,
  toMissingValueFindings,
  toOrderChecks,
  toOrderKind,
  toOutputFindings,
} from '../src/proof/checks/order-checks.ts';
import { isSameContent } from '../src/proof/checks/slot-comparison.ts';
import { mergeFindings, toFindings } from '../src/proof/checks/slot-findings.ts';
import type { Finding } from '../src/proof/report/order-report.ts';
import { listDrift, saveAnswerShapes } from '../src/proof/report/service-drift.ts';
import type { AnswerDrift } from '../src/service/reading/find-drift.ts';
import { createSample, type SlotSample } from '../src/proof/checks/slot-sample.ts';
import { partsOf, type SlotRange } from '../src/ledger/stored-slot.ts';
import { slotsPerBatch } from '../src/delivery/crm/slot-batch.ts';
import { boundWords } from '../src/base/text/bound-text.ts';
import { nonRetryable } from '../src/base/failures/application-failure.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { heartbeat, cancellationSignal, currentWorkflow, lastHeartbeat, recordProgress } from './activity-heartbeat.ts';
import { checked, countSchema, orderIdSchema, rangeSchema } from './checked-input.ts';
import { assertNotErased } from './erased-order.ts';
import { reconcileCrm } from './reconcile-crm.ts';
import { checkFiles, reconcileServiceOutputs } from './reconcile-files.ts';
import { addProofs, proofSchema, type RangeProof } from './range-proof.ts';
import { compareSlots } from './reconcile-slots.ts';

export interface Conclusion extends RangeProof {
  /** Path of the signed certificate. */
  readonly certificate: string;
}

/** Heartbeat details: the next position, and the proof of the positions before it. */
const progressSchema = z.object({ next: countSchema, proof: proofSchema });

const openOrderSchema = z.object({ orderId: orderIdSchema });
/** `crm`: records were written. `sample`: number of slots whose records are read back; default: all. */
const reconcileRangeSchema = rangeSchema.safeExtend({ crm: z.boolean(), sample: countSchema.optional() });
const concludeSchema = z.object({ orderId: orderIdSchema, proofs: z.array(proofSchema) });

type CollectedOrder = OrderRow & { readonly total: number };
/** Slots by status. */
type StatusCounts = Readonly<Record<string, number>>;

export function createReconcileActivities(dependencies: ActivityDependencies) {
  const { prospecting, ledger, now, configuration } = dependencies;
  return {
    /** Reads the order from the ledger. @throws OrderNotCollected, non-retryable */
    openOrder: checked(openOrderSchema, async ({ orderId }) => {
      await assertNotErased(ledger, orderId);
      const order = await readOrder(orderId);
      const { companies } = await ledger.outcomes.tally(orderId);
      // After a second delivery by a run without a CRM, the order still has the outcomes of its first delivery.
      const crm = order.delivery?.crm === true || Object.values(companies).some((count) => count > 0);
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
        for (const part of partsOf({ from: progress.next, to }, slotsPerBatch)) {
          const batch = { orderId, ...part };
          proof = addProofs([proof, await reconcileBatch(dependencies, batch, crm ? sample : null)]);
          heartbeat({ next: batch.to, proof });
        }
        return proof;
      },
    ),

    /** Reads the order again, checks sums, outputs and files, and stores the certificate. */
    concludeReconciliation: checked(concludeSchema, async ({ orderId, proofs }): Promise<Conclusion> => {
      const order = await readOrder(orderId);
      const { reconciled, readBack, erased, findings: inRanges } = addProofs(proofs);
      const byStatus = await ledger.slots.countByStatus(orderId);
      const sums = await checkSums(order, byStatus);
      const findings = mergeFindings([inRanges, toCheckFindings(sums), ...(await checkOrder(order, byStatus))]);
      const certificate = await issueCertificate(
        { ledger, configuration, signal: cancellationSignal() },
        {
          order,
          workflow: currentWorkflow(),
          reconciled,
          checks: [...sums, ...toSlotChecks(order.total, inRanges)],
          readBack: readBack ?? null,
          drift: await readDrift(),
          findings,
          at: now(),
        },
      );
      return {
        reconciled,
        findings,
        certificate,
        ...(readBack === undefined ? {} : { readBack }),
        ...(erased === undefined ? {} : { erased }),
      };
    }),
  };

  /** @throws OrderNotCollected, non-retryable */
  async function readOrder(orderId: string): Promise<CollectedOrder> {
    const order = await ledger.orders.get(orderId);
    if (order !== undefined && order.total !== null) return { ...order, total: order.total };
    throw nonRetryable('OrderNotCollected', `the results of order ${orderId} are not in the ledger`);
  }

  /** The comparison of two sources for each sum of the order. */
  async function checkSums(stored: OrderRow, byStatus: StatusCounts): Promise<IdentityCheck[]> {
    const { orderId } = stored;
    const published = await prospecting.orders.get(orderId, { signal: cancellationSignal() });
    const kind = toOrderKind(stored.kind);
    const isSameSummary = isSameContent(JSON.parse(stored.summaryJson ?? 'null'), published.result_summary);
    const sums = toOrderChecks({
      status: published.status,
      resultsPublished: published.results_published,
      availableQuantity: published.available_briefing_quantity,
      briefingQuantity: published.briefing_quantity,
      summary: published.result_summary,
      kind,
      publishedKind: toOrderKind(published.order_type),
      submission: await ledger.orderRequests.submission(orderId),
      slots: await ledger.slots.count(orderId),
      byStatus,
      annotatedByReason: kind === 'enrichment' ? await countAnnotated(orderId) : {},
    });
    return [
      ...sums,
      ...(await checkSourceRows(orderId)),
      {
        code: 'summary_changed_since_collection',
        expectedFrom: 'summary at collection',
        expected: 1,
        foundIn: 'summary of the service',
        found: Number(isSameSummary),
      },
    ];
  }

  /** Every usable row of the source was ordered, excluded or rejected. Empty for orders that left no row out. */
  async function checkSourceRows(orderId: string): Promise<IdentityCheck[]> {
    const report = (await ledger.drafts.ofOrder(orderId))?.report;
    if (report?.excluded === undefined && report?.rejected === undefined) return [];
    const expected = report.rows - report.blank - report.unusable;
    const rejected = (await ledger.rejectedRows.countOf([orderId])).get(orderId) ?? 0;
    const found = (await ledger.slots.count(orderId)) + (await ledger.excludedRows.count(orderId)) + rejected;
    const sources = { expectedFrom: 'rows of the source', foundIn: 'slots, excluded and rejected rows in the ledger' };
    return [{ code: 'source_rows_differ', ...sources, expected, found }];
  }

  /** Findings of the order as a whole, one list for each subject. */
  async function checkOrder(stored: CollectedOrder, byStatus: StatusCounts): Promise<Finding[][]> {
    const { orderId } = stored;
    const delivery = toDeliveryFindings({
      kind: toOrderKind(stored.kind),
      ordered: stored.requestedCount,
      delivered: countDelivered(byStatus),
      minDeliveredPercent: stored.minDeliveredPercent,
    });
    return [
      delivery,
      await checkFiles(dependencies, orderId, stored.delivery),
      await reconcileServiceOutputs(dependencies, stored),
      await readLeaks(orderId, stored.total),
      toMissingValueFindings(await ledger.shapes.ofOrder(orderId), {
        features: stored.features ?? null,
        maxWithoutPeoplePercent: stored.maxWithoutPeoplePercent,
      }),
      toOutputFindings(await ledger.outputs.list(orderId)),
    ];
  }

  /** Drift of the service. Omitted from the certificate if the ledger cannot be read. */
  async function readDrift(): Promise<AnswerDrift[] | null> {
    try {
      await saveAnswerShapes(ledger, prospecting);
      return await listDrift(ledger, prospecting.baseUrl);
    } catch (error) {
      if (error instanceof LedgerError) return null;
      throw error;
    }
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

  /** Companies that the service should not have returned. The verdicts LATE and WEAK are no findings. */
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
  const { slots, differences, remarks, erased } = await compareSlots(dependencies, batch);
  const crm = sample === null ? null : await reconcileCrm(dependencies, { range: batch, slots, sample });
  const inCrm = crm?.findings ?? [];
  const positions = new Set([...differences, ...inCrm].map(({ position }) => position));
  const findings = toFindings([...differences, ...remarks, ...inCrm]);
  const reconciled = batch.to - batch.from - positions.size;
  return {
    reconciled,
    findings,
    ...(crm === null ? {} : { readBack: crm.figures }),
    ...(erased === 0 ? {} : { erased }),
  };
}
