/** Commands about an order that exists in the service: ingest and reconcile. */
import type { Config } from '../config/config.ts';
import { toDeliveryPlan } from '../config/run-plan.ts';
import { startIngest, startReconcile } from '../worker/start-workflows.ts';
import { findRun, readConfiguration, type GlobalOptions } from './configuration.ts';
import { awaitResult, beginWorkflow } from './await-workflow.ts';
import type { OrderSummary } from './documents/order-document.ts';
import {
  CommandError,
  confirmWarnings,
  exitCodes,
  signalOf,
  type ConfirmationFlags,
  type Terminal,
} from './terminal.ts';
import { withRuntime, type OpenRuntime } from './with-runtime.ts';
import { toCommandError } from './connections.ts';
import { toOrderKind } from '../proof/checks/order-checks.ts';
import { createSample } from '../proof/checks/slot-sample.ts';
import { listDifferences } from '../proof/reconcile/range-proof.ts';
import type { OrderRow } from '../ledger/order-store.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { readLeakFigures, toOutputReport, type OrderReport } from '../proof/report/order-report.ts';
import type { Proof } from '../../workflows/reconcile-order.ts';
import { toListingId } from '../ledger/identity.ts';
import { findRecordedRun, listingProvesNothing, refuseErasedOrder, readCollected, findOrderId } from './known-order.ts';
import { toStorableText } from '../base/text/storable.ts';
import { toCrmPlan } from '../delivery/mapping/crm-plan.ts';

interface IngestFlags {
  readonly orderId: string;
  readonly runName: string | undefined;
  /** Slots that the service has changed since they were collected are replaced. */
  readonly acceptChanges: boolean;
  /** Overwrites records that a newer order wrote. */
  readonly force: boolean;
}

/** Collects an existing order and delivers it with the settings of the named run, of the run that placed it, or of those that all runs share. */
export async function ingest(
  terminal: Terminal,
  options: GlobalOptions & ConfirmationFlags,
  { orderId, runName, acceptChanges, force }: IngestFlags,
): Promise<OrderSummary> {
  const config = await readConfiguration(options.config, terminal.env);
  const id = await findOrderId(terminal, config, options, orderId);
  if (runName !== undefined) findRun(config, runName);
  const prepare = async ({ ledger, systems }: OpenRuntime) => {
    await refuseErasedOrder(ledger, id);
    const known = (await ledger.orders.get(id)) ?? null;
    const delivering = runName ?? chooseRun(config, known);
    const run = findRun(config, delivering);
    // An order of the ledger whose run is known, or that was delivered with this run before, has its settings.
    const isOwn = known !== null && (known.runName !== null || known.deliveringRun === delivering);
    const order = isOwn ? null : await readOrder(systems, id);
    const kind = known?.kind ?? toOrderKind(order?.order_type);
    if (kind !== 'unknown' && kind !== run.kind)
      throw new CommandError(
        `Order ${id} is of kind ${kind}, and run ${delivering} of kind ${run.kind}: its settings do not fit. Name another run with --run. Nothing was started.`,
        exitCodes.usage,
      );
    await confirmWarnings(terminal, options, {
      warnings: [
        ...(known?.runName == null || known.runName === delivering
          ? []
          : [
              `Other run: order ${id} was placed by run ${known.runName}. Run ${delivering} delivers it with its own settings, and writes the files of the order again.`,
            ]),
        ...warnOfOtherTitle(config, { orderId: id, runName: delivering, title: order?.title ?? null }),
        ...(force
          ? [
              'Newer orders: --force also overwrites what newer orders have written to the same records of HubSpot, and creates records again that a person deleted there.',
            ]
          : []),
      ],
      question: `Deliver order ${id} with run ${delivering}?`,
      declined: `the delivery of order ${id} was not confirmed`,
    });
    return delivering;
  };
  const work = async ({ client, queue, ledger }: OpenRuntime, delivering: string) => {
    const isNew = (await ledger.orders.get(id)) === undefined;
    const delivery = toDeliveryPlan(config, findRun(config, delivering));
    const input = { orderId: id, acceptChanges, force, runName: delivering, delivery };
    const { handle, joined } = await beginWorkflow(terminal, startIngest(client, input, queue));
    if (joined && (acceptChanges || force))
      throw new CommandError(
        `An ingest of order ${id} is running already, without ${force ? '--force' : '--accept-changes'}. Wait until it ends, then run this command again`,
        exitCodes.failed,
      );
    const order = await awaitResult(terminal, client, 'ingest', handle);
    // The order of a run whose response was lost: the next run of that name places a new order.
    if (isNew) await ledger.orderRequests.settleRun(delivering, id);
    return [order];
  };
  const { result: orders, ...done } = await withRuntime(terminal, config, options, { prepare }, work);
  return { ...done, orders };
}

async function readOrder({ prospecting }: OpenRuntime['systems'], orderId: string) {
  try {
    return await prospecting.orders.get(orderId);
  } catch (error) {
    throw toCommandError(error, 'Nothing was started.');
  }
}

/** The ledger does not know the run of the order, but the title shows it. null: the service does not return the title. */
export function warnOfOtherTitle(
  config: { readonly runs: Readonly<Record<string, { readonly title: string }>> },
  { orderId, runName, title }: { readonly orderId: string; readonly runName: string; readonly title: string | null },
): string[] {
  const titleOf = (name: string) => toStorableText(config.runs[name]?.title ?? '');
  if (title === null || toStorableText(title) === titleOf(runName)) return [];
  const named = Object.keys(config.runs).filter((name) => titleOf(name) === toStorableText(title));
  const remedy = named.length === 0 ? '' : `. To deliver it with the run of its title, use --run ${named[0]}`;
  return [
    `Other run: order ${orderId} has the title ${JSON.stringify(title)} in the service, and run ${runName} sends ${JSON.stringify(titleOf(runName))}. Run ${runName} delivers it with its own settings${remedy}`,
  ];
}

/** The run that placed the order; otherwise one whose delivery settings all runs share. */
function chooseRun(config: Config, known: Pick<OrderRow, 'runName' | 'deliveringRun' | 'kind'> | null): string {
  const kind = known === null || known.kind === 'unknown' ? null : known.kind;
  const names = Object.keys(config.runs).filter((name) => kind === null || findRun(config, name).kind === kind);
  const recorded = known === null ? null : findRecordedRun(known, names);
  if (recorded !== null) return recorded;
  const [first] = names;
  const settingsOf = (name: string) => JSON.stringify(toDeliveryPlan(config, findRun(config, name)));
  if (first === undefined)
    throw new CommandError(
      `The configuration has no run${kind === null ? '' : ` of kind ${kind}`}, so the delivery settings are unknown. Add ${known?.runName == null ? 'a run' : `run ${known.runName}, which placed the order`}`,
      exitCodes.usage,
    );
  if (names.every((name) => settingsOf(name) === settingsOf(first))) return first;
  throw new CommandError(
    `The runs of the configuration have different delivery settings. Add --run NAME, one of: ${names.join(', ')}`,
    exitCodes.usage,
  );
}

export interface ReconcileFlags {
  /** Number of slots whose CRM records are read back; default: all. */
  readonly sample?: number;
  readonly repair: boolean;
  /** Each differing value is listed. */
  readonly differences: boolean;
}

/** Reconciles an order again: compares the service, the ledger, HubSpot and the files. */
export async function reconcile(
  terminal: Terminal,
  options: GlobalOptions,
  orderId: string,
  { sample, repair, differences: isListing }: ReconcileFlags,
): Promise<OrderSummary> {
  const config = await readConfiguration(options.config, terminal.env);
  const id = await findOrderId(terminal, config, options, orderId);
  const { mappingVersion } = toCrmPlan(config.mapping, config.contacts);
  const input = {
    orderId: id,
    ...(sample === undefined ? {} : { sample }),
    ...(repair ? { repair: { mappingVersion } } : {}),
  };
  const { result: orders, ...done } = await withRuntime(
    terminal,
    config,
    options,
    { prepare: ({ ledger }) => assertCollected(ledger, id) },
    async ({ client, queue, ledger, systems }) => {
      const { handle, joined } = await beginWorkflow(terminal, startReconcile(client, input, queue));
      const proof = await awaitResult(terminal, client, 'reconcile', handle);
      if (joined && (repair || sample !== undefined) && proof.repair === undefined) {
        throw new CommandError(
          'A reconciliation without these options was in progress, and has ended. Run the command again',
        );
      }
      const order = { ...(await describeOrder(ledger, id, handle.workflowId)), ...proof };
      if (!isListing) return [order];
      // The values are about people: they are read again here, since the result of a workflow must not contain them.
      const context = { ...systems, ledger, now: () => new Date(), signal: signalOf(terminal), recordProgress() {} };
      const read = proof.readBack === undefined ? null : createSample(id, order.slots, proof.readBack.sampled ?? null);
      const differences = await Array.fromAsync(listDifferences(context, { orderId: id, total: order.slots }, read));
      return [{ ...order, differences }];
    },
  );
  return { ...done, orders };
}

/** Before a worker starts. @throws {CommandError} */
export async function assertCollected(ledger: Ledger, id: string): Promise<void> {
  const listingId = toListingId(id);
  if ((await ledger.orders.get(id)) === undefined && (await ledger.outcomes.isStored(listingId)))
    throw listingProvesNothing(listingId);
  await readCollected(ledger, id);
  await refuseErasedOrder(ledger, id);
}

/** The order as the ledger has it. */
async function describeOrder(
  ledger: Ledger,
  orderId: string,
  workflowId: string,
): Promise<Omit<OrderReport, keyof Proof>> {
  const kind = (await ledger.orders.get(orderId))?.kind;
  return {
    orderId,
    kind: kind === 'discovery' || kind === 'enrichment' ? kind : 'unknown',
    workflowId,
    slots: await ledger.slots.count(orderId),
    byStatus: await ledger.slots.countByStatus(orderId),
    byReason: await ledger.slots.countByReason(orderId),
    unknown: {},
    crm: await ledger.outcomes.tally(orderId),
    newerOrders: await ledger.outcomes.newerOrders(orderId),
    leaks: await readLeakFigures(ledger, orderId),
    files: (await ledger.files.list(orderId)).map(({ path, kind: fileKind, rows }) => ({ path, kind: fileKind, rows })),
    serviceOutputs: (await ledger.outputs.list(orderId)).map(toOutputReport),
  };
}
