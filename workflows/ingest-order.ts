import { startChild, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { CrmTally } from '../activities/crm.ts';
import type { OrderReport, OutcomeTally } from '../src/order-report.ts';
import type { DeliveryPlan, Pace } from '../src/run-plan.ts';
import { kindAttribute, ofRun, orderAttribute } from '../src/search-attributes.ts';
import { describeProof } from '../src/workflow-texts.ts';
import { calls, chunks, preparing, publicationMs, waits } from './activity-calls.ts';
import { executeOrJoin } from './join-child.ts';
import { observed } from './observed.ts';
import type { View } from './progress.ts';
import { reconcileOrder } from './reconcile-order.ts';
import { toRanges } from './ranges.ts';
import { obtainServiceOutputs } from './service-outputs.ts';

export interface IngestOrder {
  readonly orderId: string;
  readonly delivery: DeliveryPlan;
  readonly pace: Pace;
}

const nothing: OutcomeTally = { created: 0, updated: 0, unchanged: 0, skipped: 0, quarantined: 0, failed: 0 };

/** One order from publication to proof: collected once, projected to the CRM and to files, reconciled. */
export function ingestOrder(input: IngestOrder): Promise<OrderReport> {
  return observed((view) => ingest(input, view));
}

async function ingest({ orderId, delivery, pace }: IngestOrder, view: View): Promise<OrderReport> {
  const { report, show, conclude } = view;
  const { workflowId } = workflowInfo();

  report('publication', {}, { what: `order ${orderId} to be published`, atMostMs: publicationMs });
  const { kind, total, runName, externalIdsAreRecordIds } = await waits(pace).awaitPublication.executeWithOptions(
    { summary: `order ${orderId}, until it is published` },
    [{ orderId, externalIdsAreRecordIds: delivery.externalIdsAreRecordIds, pace }],
  );
  upsertSearchAttributes([
    { key: orderAttribute, value: orderId },
    { key: kindAttribute, value: kind },
    ...ofRun(runName),
  ]);

  const order = { orderId, kind, total, externalIdsAreRecordIds };
  const slots = await collect(order, pace, view);
  const { byStatus, byReason } = slots;
  show({ tables: { status: byStatus, reason: byReason } });

  report('checking exclusions');
  // Before the CRM: a company that should not have been returned is not written there.
  const { evidence: directory } = delivery;
  const { leaks, file: evidence } = await chunks(pace).checkLeaks.executeWithOptions(
    { summary: `${total} slots against the blacklists of the order` },
    [{ orderId, directory }],
  );

  const { companies, contacts, restoredLinks = 0 } = await project(order, { delivery, pace }, view);
  const crm = { companies, contacts };
  if (delivery.crm !== null) {
    const tables = { status: byStatus, reason: byReason, ...crm, links: { restored: restoredLinks } };
    show({ tables });
  }
  const files = evidence === null ? [] : [evidence];
  show({ files });
  const { spreadsheets } = delivery;
  for (const fileKind of spreadsheets?.kinds ?? []) {
    if (spreadsheets === null) break;
    report(`writing the ${fileKind} file`);
    const input = { orderId, kind: fileKind, plan: spreadsheets };
    files.push(
      await chunks(pace).writeSpreadsheet.executeWithOptions({ summary: `${fileKind} of ${total} slots` }, [input]),
    );
    show({ files });
  }

  const serviceOutputs = await obtainServiceOutputs(order, { delivery, pace, files }, view);

  report('reconciling');
  const proofId = `${workflowId}/reconcile`;
  const onJoin = () => report('reconciling', {}, `${proofId}, which goes on already`);
  const proof = await executeOrJoin({ workflowId: proofId, pace, onJoin }, () =>
    startChild(reconcileOrder, {
      workflowId: proofId,
      args: [{ orderId, pace }],
      ...describeProof(orderId),
      typedSearchAttributes: [
        { key: orderAttribute, value: orderId },
        { key: kindAttribute, value: kind },
        ...ofRun(runName),
      ],
    }),
  );
  const { reconciled, findings } = proof;
  conclude(findings, { reconciled });
  const figures = {
    orderId,
    kind,
    workflowId,
    slots: total,
    ...slots,
    crm,
    restoredLinks,
    leaks,
    files,
    reconciled,
    findings,
  };
  return delivery.serviceOutputs === undefined ? figures : { ...figures, serviceOutputs };
}

interface PublishedOrder {
  readonly orderId: string;
  readonly kind: OrderReport['kind'];
  readonly total: number;
  readonly externalIdsAreRecordIds: boolean;
}

async function collect({ orderId, kind, total }: PublishedOrder, pace: Pace, { report }: View) {
  const work = chunks(pace);
  report('collecting', { slots: total });
  for (const { from, to, label } of toRanges(total)) {
    await work.collectResults.executeWithOptions({ summary: `slots ${label}` }, [
      { orderId, isEnrichment: kind === 'enrichment', total, from, to },
    ]);
    report('collecting', { collected: to });
  }
  return work.summarizeSlots.executeWithOptions({ summary: `all ${total} slots` }, [{ orderId, total }]);
}

async function project(
  { orderId, total, externalIdsAreRecordIds }: PublishedOrder,
  { delivery: { crm: plan }, pace }: Pick<IngestOrder, 'delivery' | 'pace'>,
  { report }: View,
): Promise<CrmTally> {
  if (plan === null) return { companies: nothing, contacts: nothing };
  const { workflowId, originalExecutionRunId } = workflowInfo();
  const projectionId = `${workflowId}#${originalExecutionRunId}`;
  const work = chunks(pace);
  report('writing to the CRM');
  await work.prepareCrm.executeWithOptions({ summary: preparing }, [{ plan }]);
  for (const { from, to, label } of toRanges(total)) {
    await work.projectToCrm.executeWithOptions({ summary: `slots ${label}` }, [
      { orderId, projectionId, plan, externalIdsAreRecordIds, onlyUnfinished: false, from, to },
    ]);
    report('writing to the CRM', { projected: to });
  }
  return calls(pace).tallyCrm.executeWithOptions({ summary: `companies and contacts of ${total} slots` }, [
    { orderId, projectionId },
  ]);
}
