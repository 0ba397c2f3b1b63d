import { startChild, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { CrmTally } from '../activities/crm-activities.ts';
import { emptyTally } from '../src/ledger/crm-outcomes.ts';
import type { CreatedItems } from '../src/delivery/mapping/company-item-text.ts';
import type { ListReport } from '../src/delivery/mapping/list-names.ts';
import type { WebsiteTally } from '../src/ledger/website-store.ts';
import type { OrderReport } from '../src/proof/report/order-report.ts';
import type { DeliveryPlan } from '../src/config/run-plan.ts';
import { kindAttribute, runAttributePairs, orderAttribute } from '../src/temporal/search-attributes.ts';
import { describeReconciliation } from '../src/temporal/workflow-texts.ts';
import { shortActivities, batchActivities, prepareCrmSummary, publicationMs } from './activity-options.ts';
import { awaitPublication } from './await-publication.ts';
import { executeOrAttach } from './start-or-attach.ts';
import { withProgress } from './with-progress.ts';
import type { ProgressReporter } from './progress-query.ts';
import { readRunConfiguration } from './read-run-configuration.ts';
import { reconcileOrder } from './reconcile-order.ts';
import { toRanges } from './slot-ranges.ts';
import { obtainServiceOutputs } from './obtain-service-outputs.ts';

/** `runName`: the run whose configuration defines how the order is delivered. */
export interface IngestOrder {
  readonly orderId: string;
  readonly runName: string;
  /** Replaces slots that the service changed after they were collected. */
  readonly acceptChanges?: true;
  /** Overwrites records that a newer order wrote. */
  readonly force?: true;
}

/** Delivers one order: waits for publication, collects the results once, writes them to the CRM and to files, and reconciles. */
export function ingestOrder(input: IngestOrder): Promise<OrderReport> {
  return withProgress((progress) => ingest(input, progress));
}

async function ingest(input: IngestOrder, progress: ProgressReporter): Promise<OrderReport> {
  const { orderId, runName: deliveringRun, acceptChanges, force } = input;
  const { setStage, setDetails, finish } = progress;
  const { workflowId } = workflowInfo();
  const {
    plan: { delivery },
  } = await readRunConfiguration({ runName: deliveringRun });
  const deliver = { orderId, runName: deliveringRun };

  setDetails({ orderId });
  setStage('publication', {}, { what: `order ${orderId} to be published`, atMostMs: publicationMs });
  const { kind, total, runName } = await awaitPublication(deliver);
  upsertSearchAttributes([
    { key: orderAttribute, value: orderId },
    { key: kindAttribute, value: kind },
    ...runAttributePairs(runName),
  ]);

  const order = { orderId, total };
  const forced = force === undefined ? {} : { force };
  const accepting = acceptChanges === undefined ? {} : { acceptChanges };
  const slots = await collect({ ...order, ...accepting }, progress);
  const { byStatus, byReason } = slots;
  setDetails({ tables: { status: byStatus, reason: byReason } });

  setStage('checking exclusions');
  // Runs before the CRM step, so that excluded companies are not written there.
  const { leaks, file: evidence } = await batchActivities.checkLeaks.executeWithOptions(
    { summary: `compare ${total} slots with the blacklists of the order` },
    [deliver],
  );

  const websites = delivery.websites === undefined ? {} : { websites: await fetchTexts(order, progress) };
  const { companies, contacts, restoredLinks, recreated, newerOrders } = await project(
    { ...order, ...forced },
    delivery.crm,
    progress,
  );
  const crm = { companies, contacts };
  const { companyNotes, companyTasks } = delivery.crm?.mapping ?? {};
  const hasItems = companyNotes !== undefined || companyTasks !== undefined;
  const items = hasItems ? { companyItems: await createItems({ ...order, ...forced }, progress) } : {};
  const { lists } = delivery;
  const listed =
    delivery.crm === null || lists === null
      ? {}
      : { lists: await fillLists({ ...deliver, ...forced, total }, progress) };
  if (delivery.crm !== null) {
    const tables = { status: byStatus, reason: byReason, ...crm, links: { restored: restoredLinks } };
    setDetails({ tables });
  }
  const files = evidence === null ? [] : [evidence];
  setDetails({ files });
  const { spreadsheets } = delivery;
  for (const fileKind of spreadsheets?.kinds ?? []) {
    if (spreadsheets === null) break;
    setStage(`writing the ${fileKind} file`);
    const written = await batchActivities.writeSpreadsheet.executeWithOptions(
      { summary: `${fileKind} of ${total} slots` },
      [{ ...deliver, kind: fileKind }],
    );
    if (written !== null) files.push(written);
    setDetails({ files });
  }

  const serviceOutputs = await obtainServiceOutputs({ ...deliver, total }, { delivery, files }, progress);

  setStage('reconciling');
  const reconcileId = `${workflowId}/reconcile`;
  const onAttach = () => setStage('reconciling', {}, `${reconcileId}, which is already running`);
  const proof = await executeOrAttach({ workflowId: reconcileId, onAttach }, () =>
    startChild(reconcileOrder, {
      workflowId: reconcileId,
      args: [{ orderId }],
      ...describeReconciliation(orderId),
      typedSearchAttributes: [
        { key: orderAttribute, value: orderId },
        { key: kindAttribute, value: kind },
        ...runAttributePairs(runName),
      ],
    }),
  );
  const { reconciled, findings, certificate, readBack, erased } = proof;
  finish(findings, { ordered: slots.ordered, delivered: slots.delivered, reconciled });
  const figures = {
    orderId,
    kind,
    workflowId,
    slots: total,
    ...slots,
    crm,
    restoredLinks,
    recreated,
    newerOrders,
    ...websites,
    ...listed,
    ...items,
    leaks,
    files,
    reconciled,
    findings,
    ...(readBack === undefined ? {} : { readBack }),
    ...(erased === undefined ? {} : { erased }),
    certificate,
  };
  return delivery.serviceOutputs === null ? figures : { ...figures, serviceOutputs };
}

/** Fetches the website texts that the mapping or a column names. */
async function fetchTexts({ total, orderId }: PublishedOrder, { setStage }: ProgressReporter): Promise<WebsiteTally> {
  setStage('fetching website texts');
  let tally: WebsiteTally = { texts: 0, without: 0, failed: 0 };
  for (const { from, to, label } of toRanges(total)) {
    const summary = `companies of slots ${label}`;
    const more = await batchActivities.fetchWebsites.executeWithOptions({ summary }, [{ orderId, from, to }]);
    tally = {
      texts: tally.texts + more.texts,
      without: tally.without + more.without,
      failed: tally.failed + more.failed,
    };
    setStage('fetching website texts', { texts: tally.texts });
  }
  return tally;
}

/** Creates the notes and tasks that the mapping defines for reason codes. */
async function createItems({ total, ...order }: OrderToWrite, { setStage }: ProgressReporter): Promise<CreatedItems> {
  setStage('creating notes and tasks');
  let created: CreatedItems = { note: 0, task: 0, unwritten: {} };
  for (const { from, to, label } of toRanges(total)) {
    const summary = `companies of slots ${label}`;
    const more = await batchActivities.createCompanyItems.executeWithOptions({ summary }, [{ ...order, from, to }]);
    const unwritten = addCounts(created.unwritten, more.unwritten);
    created = { note: created.note + more.note, task: created.task + more.task, unwritten };
  }
  return created;
}

function addCounts(totals: Readonly<Record<string, number>>, more: Readonly<Record<string, number>>) {
  const sums = { ...totals };
  for (const [name, count] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

/** Adds the written records to the lists of the run. */
async function fillLists(
  { total, ...deliver }: OrderToWrite & { readonly runName: string },
  { setStage }: ProgressReporter,
): Promise<ListReport[]> {
  setStage('adding to lists');
  const lists = new Map<string, ListReport>();
  for (const { from, to, label } of toRanges(total)) {
    const summary = `records of slots ${label}`;
    const reports = await batchActivities.addToLists.executeWithOptions({ summary }, [{ ...deliver, from, to }]);
    for (const { object, listId, added, missing } of reports) {
      const before = lists.get(object);
      lists.set(object, {
        object,
        listId,
        added: added + (before?.added ?? 0),
        missing: missing + (before?.missing ?? 0),
      });
    }
  }
  return [...lists.values()];
}

interface PublishedOrder {
  readonly orderId: string;
  readonly total: number;
}

interface OrderToWrite extends PublishedOrder {
  readonly force?: boolean;
}

interface OrderToCollect extends PublishedOrder {
  readonly acceptChanges?: true;
}

async function collect({ total, ...order }: OrderToCollect, { setStage }: ProgressReporter) {
  setStage('collecting', { slots: total });
  for (const { from, to, label } of toRanges(total)) {
    await batchActivities.collectResults.executeWithOptions({ summary: `slots ${label}` }, [{ ...order, from, to }]);
    setStage('collecting', { collected: to });
  }
  return batchActivities.summarizeSlots.executeWithOptions({ summary: `all ${total} slots` }, [
    { orderId: order.orderId },
  ]);
}

async function project(
  { total, ...order }: OrderToWrite,
  crm: DeliveryPlan['crm'],
  { setStage }: ProgressReporter,
): Promise<CrmTally> {
  if (crm === null)
    return { companies: emptyTally, contacts: emptyTally, restoredLinks: 0, recreated: 0, newerOrders: {} };
  const { workflowId, originalExecutionRunId } = workflowInfo();
  const projectionId = `${workflowId}#${originalExecutionRunId}`;
  setStage('writing to the CRM');
  await batchActivities.prepareCrm.executeWithOptions({ summary: prepareCrmSummary }, [{}]);
  for (const { from, to, label } of toRanges(total)) {
    await batchActivities.projectToCrm.executeWithOptions({ summary: `slots ${label}` }, [
      { ...order, projectionId, onlyUnfinished: false, from, to },
    ]);
    setStage('writing to the CRM', { projected: to });
  }
  return shortActivities.tallyCrm.executeWithOptions({ summary: `companies and contacts of ${total} slots` }, [
    { orderId: order.orderId, projectionId },
  ]);
}
