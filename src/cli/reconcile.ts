import { toActivityTimeouts } from '../config/run-plan.ts';
import { startReconcile } from '../runtime/start-workflows.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { toOrderId } from './ingest.ts';
import { describeOrder } from './order-state.ts';
import { awaitResult, beginWorkflow } from './await-workflow.ts';
import type { Summary } from './print-report.ts';
import type { Terminal } from './terminal.ts';
import { withRuntime } from './with-runtime.ts';

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
