import { toActivityTimeouts } from '../config/run-plan.ts';
import { startReconcile } from '../runtime/start-workflows.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { toOrderId } from './order-id.ts';
import { awaitResult, beginWorkflow } from './await-workflow.ts';
import type { Summary } from './print-report.ts';
import type { Terminal } from './terminal.ts';
import { withRuntime } from './with-runtime.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { toOutputReport, type LeakFigures, type OrderReport } from '../report/order-report.ts';

/** Reconciles an order again: compares the service, the ledger, HubSpot and the files. */
export async function reconcile(terminal: Terminal, options: GlobalOptions, orderId: string): Promise<Summary> {
  const id = toOrderId(orderId);
  const config = await readConfiguration(options.config, terminal.env);
  const { result: orders, ...done } = await withRuntime(
    terminal,
    config,
    options,
    async ({ client, queue, ledger }) => {
      const input = { orderId: id, pace: toActivityTimeouts(config) };
      const { handle } = await beginWorkflow(terminal, startReconcile(client, input, queue));
      const proof = await awaitResult(terminal, client, 'reconcile', handle);
      return [{ ...(await describeOrder(ledger, id, handle.workflowId)), ...proof }];
    },
  );
  return { ...done, orders };
}

/** What the ledger says of an order that was collected before. */
async function describeOrder(
  ledger: Ledger,
  orderId: string,
  workflowId: string,
): Promise<Omit<OrderReport, 'reconciled' | 'findings'>> {
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
    leaks: await describeLeaks(ledger, orderId),
    files: (await ledger.files.list(orderId)).map(({ path, kind: fileKind, rows }) => ({ path, kind: fileKind, rows })),
    serviceOutputs: (await ledger.outputs.list(orderId)).map(toOutputReport),
  };
}

/** null for an order whose blacklists nobody froze. */
async function describeLeaks(ledger: Ledger, orderId: string): Promise<LeakFigures | null> {
  const frozen = await ledger.exclusionSnapshots.ofOrder(orderId);
  const { LEAK, LATE, WEAK } = await ledger.leaks.tally(orderId);
  return frozen.length === 0 ? null : { leak: LEAK, late: LATE, weak: WEAK };
}
