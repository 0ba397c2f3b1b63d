import { executeChild, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { outcomeOf, type FileReport, type OrderReport, type OutcomeTally } from '../src/order-report.ts';
import type { DeliveryPlan, Pace } from '../src/run-plan.ts';
import { kindAttribute, orderAttribute, outcomeAttribute } from '../src/search-attributes.ts';
import { calls, chunks, waits } from './activity-calls.ts';
import { reportProgress } from './progress.ts';
import { reconcileOrder } from './reconcile-order.ts';
import { toRanges } from './ranges.ts';

export interface IngestOrder {
  readonly orderId: string;
  readonly delivery: DeliveryPlan;
  readonly pace: Pace;
}

const nothing: OutcomeTally = { created: 0, updated: 0, unchanged: 0, skipped: 0, quarantined: 0, failed: 0 };

/** One order from publication to proof: collected once, projected to the CRM and to files, reconciled. */
export async function ingestOrder({ orderId, delivery, pace }: IngestOrder): Promise<OrderReport> {
  const { workflowId, originalExecutionRunId } = workflowInfo();
  const work = chunks(pace);
  const report = reportProgress();

  report('publication', {}, `order ${orderId} to be published`);
  const { kind, total, externalIdsAreRecordIds } = await waits().awaitPublication.executeWithOptions(
    { summary: 'until results are published' },
    [{ orderId, externalIdsAreRecordIds: delivery.externalIdsAreRecordIds, pace }],
  );
  upsertSearchAttributes([
    { key: orderAttribute, value: orderId },
    { key: kindAttribute, value: kind },
  ]);

  report('collecting', { slots: total });
  for (const range of toRanges(total)) {
    const options = { summary: `slots ${range.label} of ${total}` };
    await work.collectResults.executeWithOptions(options, [
      { orderId, isEnrichment: kind === 'enrichment', total, from: range.from, to: range.to },
    ]);
    report('collecting', { collected: range.to });
  }
  const slots = await work.summarizeSlots({ orderId, total });

  report('checking exclusions');
  // Before the CRM: a company that should not have been returned is not written there.
  const { evidence: directory } = delivery;
  const { leaks, file: evidence } = await work.checkLeaks({ orderId, directory });

  const { crm: plan } = delivery;
  if (plan !== null) {
    report('writing to the CRM');
    await work.prepareCrm({ plan });
    for (const range of toRanges(total)) {
      await work.projectToCrm.executeWithOptions({ summary: `slots ${range.label} of ${total}` }, [
        {
          orderId,
          projectionId: `${workflowId}#${originalExecutionRunId}`,
          plan,
          externalIdsAreRecordIds,
          onlyUnfinished: false,
          from: range.from,
          to: range.to,
        },
      ]);
      report('writing to the CRM', { projected: range.to });
    }
  }
  const crm = plan === null ? { companies: nothing, contacts: nothing } : await calls().tallyCrm({ orderId });

  const files: FileReport[] = evidence === null ? [] : [evidence];
  const { spreadsheets } = delivery;
  if (spreadsheets !== null) {
    for (const fileKind of spreadsheets.kinds) {
      report(`writing the ${fileKind} file`);
      const input = { orderId, kind: fileKind, plan: spreadsheets };
      files.push(await work.writeSpreadsheet.executeWithOptions({ summary: fileKind }, [input]));
    }
  }

  report('reconciling', { files: files.length });
  const proof = await executeChild(reconcileOrder, {
    workflowId: `${workflowId}/reconcile`,
    args: [{ orderId, pace }],
    staticSummary: `Proof of order ${orderId}`,
    typedSearchAttributes: [{ key: orderAttribute, value: orderId }],
  });
  const { reconciled, findings } = proof;
  const outcome = outcomeOf(findings);
  upsertSearchAttributes([{ key: outcomeAttribute, value: outcome }]);
  report(outcome, { reconciled, findings: findings.length });
  return { orderId, kind, workflowId, slots: total, ...slots, crm, leaks, files, reconciled, findings };
}
