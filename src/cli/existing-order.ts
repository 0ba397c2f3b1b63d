/** Commands about an order that exists in the service: ingest, reconcile and retry. */
import { toDeliveryPlan, type DeliveryPlan, toActivityTimeouts } from '../config/run-plan.ts';
import { startIngest, startReconcile, startRetry } from '../runtime/start-workflows.ts';
import { findRun, readConfiguration, type GlobalOptions } from './configuration.ts';
import { awaitResult, beginWorkflow } from './await-workflow.ts';
import type { OrderSummary, RetriedOrder } from '../report/order-document.ts';
import { CommandError, exitCodes, type Terminal, type ExitCode } from './terminal.ts';
import { withRuntime } from './with-runtime.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { readLeakFigures, toOutputReport, type OrderReport } from '../report/order-report.ts';
import type { Proof } from '../../workflows/reconcile-order.ts';
import { assertNotErased, toOrderId } from './order-rows.ts';
import { findRemedy } from '../report/finding-descriptions.ts';
import { toCrmPlan } from '../mapping/crm-plan.ts';
import { outcomeNames, type OutcomeTally } from '../mapping/crm-outcomes.ts';
import { toPrintable } from '../text/printable-text.ts';

interface IngestFlags {
  readonly orderId: string;
  readonly runName: string | undefined;
  /** Slots that the service has changed since they were collected are replaced. */
  readonly acceptChanges: boolean;
  /** Also records that a newer order has written are written. */
  readonly force: boolean;
}

/** Collects an existing order and delivers it with the settings of the named run, or with those that all runs share. */
export async function ingest(
  terminal: Terminal,
  options: GlobalOptions,
  { orderId, runName, acceptChanges, force }: IngestFlags,
): Promise<OrderSummary> {
  const id = toOrderId(orderId);
  const config = await readConfiguration(options.config, terminal.env);
  const names = runName === undefined ? Object.keys(config.runs) : [runName];
  const deliveries = names.map((name) => ({ runName: name, delivery: toDeliveryPlan(config, findRun(config, name)) }));
  const input = { orderId: id, acceptChanges, force, ...toOnlyDelivery(deliveries) };
  const { result: orders, ...done } = await withRuntime(
    terminal,
    config,
    options,
    async ({ client, queue, ledger }) => {
      await assertNotErased(ledger, id);
      const isNew = (await ledger.orders.get(id)) === undefined;
      const { handle, joined } = await beginWorkflow(terminal, startIngest(client, input, queue));
      if (joined && (acceptChanges || force))
        throw new CommandError(
          `An ingest of order ${id} is running already, without ${force ? '--force' : '--accept-changes'}. Wait until it ends, then run this command again`,
          exitCodes.failed,
        );
      const order = await awaitResult(terminal, client, 'ingest', handle);
      // The order of a run whose response was lost: the next run of that name places a new order.
      const [name] = names;
      if (isNew && names.length === 1 && name !== undefined) await ledger.orderRequests.settleRun(name, id);
      return [order];
    },
  );
  return { ...done, orders };
}

interface RunDelivery {
  readonly runName: string;
  readonly delivery: DeliveryPlan;
}

/** The delivery settings that all runs share. */
function toOnlyDelivery(deliveries: readonly RunDelivery[]): RunDelivery {
  const [first] = deliveries;
  const isSame = ({ delivery }: RunDelivery) => JSON.stringify(delivery) === JSON.stringify(first?.delivery);
  if (first !== undefined && deliveries.every(isSame)) return first;
  if (first === undefined)
    throw new CommandError(
      'The configuration has no run, so the delivery settings are unknown. Add a run',
      exitCodes.usage,
    );
  throw new CommandError(
    `The runs of the configuration have different delivery settings. Add --run NAME, one of: ${deliveries.map(({ runName }) => runName).join(', ')}`,
    exitCodes.usage,
  );
}

export interface ReconcileFlags {
  /** Of how many slots the CRM records are read back; all unless given. */
  readonly sample?: number;
  readonly repair: boolean;
}

/** Reconciles an order again: compares the service, the ledger, HubSpot and the files. */
export async function reconcile(
  terminal: Terminal,
  options: GlobalOptions,
  orderId: string,
  { sample, repair }: ReconcileFlags,
): Promise<OrderSummary> {
  const id = toOrderId(orderId);
  const config = await readConfiguration(options.config, terminal.env);
  const { mappingVersion } = toCrmPlan(config.mapping, config.contacts);
  const input = {
    orderId: id,
    pace: toActivityTimeouts(config),
    ...(sample === undefined ? {} : { sample }),
    ...(repair ? { repair: { mappingVersion } } : {}),
  };
  const { result: orders, ...done } = await withRuntime(
    terminal,
    config,
    options,
    async ({ client, queue, ledger }) => {
      await assertNotErased(ledger, id);
      const { handle, joined } = await beginWorkflow(terminal, startReconcile(client, input, queue));
      const proof = await awaitResult(terminal, client, 'reconcile', handle);
      if (joined && (repair || sample !== undefined) && proof.repair === undefined) {
        throw new CommandError(
          'A reconciliation without these options was in progress, and has ended. Run the command again',
        );
      }
      return [{ ...(await describeOrder(ledger, id, handle.workflowId)), ...proof }];
    },
  );
  return { ...done, orders };
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

/** Writes quarantined and failed records again with the current mapping, then the files of the order. */
export async function retry(terminal: Terminal, options: GlobalOptions, orderId: string): Promise<RetriedOrder> {
  const id = toOrderId(orderId);
  const config = await readConfiguration(options.config, terminal.env);
  const { mappingVersion } = toCrmPlan(config.mapping, config.contacts);
  const input = { orderId: id, mappingVersion, pace: toActivityTimeouts(config) };
  const { result } = await withRuntime(
    terminal,
    config,
    options,
    async ({ client, queue, ledger }) => {
      await assertNotErased(ledger, id);
      const { handle } = await beginWorkflow(terminal, startRetry(client, input, queue));
      return awaitResult(terminal, client, 'retry', handle);
    },
    { needed: ['crm'] },
  );
  return { orderId: id, ...result };
}

export function exitCodeOfRetry({ findings }: RetriedOrder): ExitCode {
  return findings.length === 0 ? exitCodes.done : exitCodes.findings;
}

export function toRetryText({ orderId, crm, files = [], findings }: RetriedOrder): string {
  return [
    `order ${orderId} after the retry:`,
    toLine('companies', crm.companies),
    toLine('contacts', crm.contacts),
    ...files.map(({ path, rows }) => `${'file'.padEnd(10)}  ${toPrintable(path)} (${rows} rows)`),
    ...findings.map(
      ({ code, count }) => `still open  ${code}: ${count}  (${findRemedy(code)?.replaceAll('ORDER', orderId)})`,
    ),
    `Check the result with: prospect-sync reconcile ${orderId}`,
  ].join('\n');
}

function toLine(name: string, tally: OutcomeTally): string {
  const counts = outcomeNames.filter((outcome) => tally[outcome] > 0).map((outcome) => `${tally[outcome]} ${outcome}`);
  return `${name.padEnd(10)}  ${counts.join(', ') || 'none'}`;
}
