import { startChild, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { CrmTally } from '../activities/crm.ts';
import type { OrderReport, OutcomeTally } from '../src/report/order-report.ts';
import type { DeliveryPlan, Pace } from '../src/config/run-plan.ts';
import { kindAttribute, ofRun, orderAttribute } from '../src/temporal/search-attributes.ts';
import { describeProof } from '../src/temporal/workflow-texts.ts';
import { calls, chunks, preparing, publicationMs, waits } from './activity-calls.ts';
import { executeOrJoin } from './join-child.ts';
import { observed } from './observed.ts';
import type { View } from './progress.ts';
import { readRun } from './read-run.ts';
import { reconcileOrder } from './reconcile-order.ts';
import { toRanges } from './ranges.ts';
import { obtainServiceOutputs } from './service-outputs.ts';

/** `runName`: the run that says how the order is delivered. */
export interface IngestOrder {
  readonly orderId: string;
  readonly runName: string;
}

/** Earlier releases sent the plan of the delivery. */
export interface IngestPlan {
  readonly orderId: string;
  readonly delivery: DeliveryPlan;
  readonly pace: Pace;
}

const nothing: OutcomeTally = { created: 0, updated: 0, unchanged: 0, skipped: 0, quarantined: 0, failed: 0 };

/** One order from publication to proof: collected once, projected to the CRM and to files, reconciled. */
export function ingestOrder(input: IngestOrder | IngestPlan): Promise<OrderReport> {
  return observed((view) => ingest(input, view));
}

async function ingest(input: IngestOrder | IngestPlan, view: View): Promise<OrderReport> {
  const { orderId } = input;
  const { report, show, conclude } = view;
  const { workflowId } = workflowInfo();
  const { delivery, pace, runName: deliveringRun } = await findDelivery(input);
  const deliver = deliveringRun === null ? { orderId } : { orderId, runName: deliveringRun };

  report('publication', {}, { what: `order ${orderId} to be published`, atMostMs: publicationMs });
  const { kind, total, runName } = await waits(pace).awaitPublication.executeWithOptions(
    { summary: `order ${orderId}, until it is published` },
    [deliver],
  );
  upsertSearchAttributes([
    { key: orderAttribute, value: orderId },
    { key: kindAttribute, value: kind },
    ...ofRun(runName),
  ]);

  const order = { orderId, total };
  const slots = await collect(order, pace, view);
  const { byStatus, byReason } = slots;
  show({ tables: { status: byStatus, reason: byReason } });

  report('checking exclusions');
  // Before the CRM: a company that should not have been returned is not written there.
  const { leaks, file: evidence } = await chunks(pace).checkLeaks.executeWithOptions(
    { summary: `${total} slots against the blacklists of the order` },
    [deliver],
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
    const written = await chunks(pace).writeSpreadsheet.executeWithOptions(
      { summary: `${fileKind} of ${total} slots` },
      [{ ...deliver, kind: fileKind }],
    );
    if (written !== null) files.push(written);
    show({ files });
  }

  const serviceOutputs = await obtainServiceOutputs({ ...deliver, total }, { delivery, pace, files }, view);

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

async function findDelivery(
  input: IngestOrder | IngestPlan,
): Promise<{ delivery: DeliveryPlan; pace: Pace; runName: string | null }> {
  if ('delivery' in input) return { ...input, runName: null };
  const { runName } = input;
  const { plan } = await readRun({ runName });
  return { delivery: plan.delivery, pace: plan.pace, runName };
}

interface PublishedOrder {
  readonly orderId: string;
  readonly total: number;
}

async function collect({ orderId, total }: PublishedOrder, pace: Pace, { report }: View) {
  const work = chunks(pace);
  report('collecting', { slots: total });
  for (const { from, to, label } of toRanges(total)) {
    await work.collectResults.executeWithOptions({ summary: `slots ${label}` }, [{ orderId, from, to }]);
    report('collecting', { collected: to });
  }
  return work.summarizeSlots.executeWithOptions({ summary: `all ${total} slots` }, [{ orderId }]);
}

async function project(
  { orderId, total }: PublishedOrder,
  { delivery, pace }: { delivery: DeliveryPlan; pace: Pace },
  { report }: View,
): Promise<CrmTally> {
  if (delivery.crm === null) return { companies: nothing, contacts: nothing };
  const { workflowId, originalExecutionRunId } = workflowInfo();
  const projectionId = `${workflowId}#${originalExecutionRunId}`;
  const work = chunks(pace);
  report('writing to the CRM');
  await work.prepareCrm.executeWithOptions({ summary: preparing }, [{}]);
  for (const { from, to, label } of toRanges(total)) {
    await work.projectToCrm.executeWithOptions({ summary: `slots ${label}` }, [
      { orderId, projectionId, onlyUnfinished: false, from, to },
    ]);
    report('writing to the CRM', { projected: to });
  }
  return calls(pace).tallyCrm.executeWithOptions({ summary: `companies and contacts of ${total} slots` }, [
    { orderId, projectionId },
  ]);
}
