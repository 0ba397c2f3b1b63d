import { toDeliveryPlan, type DeliveryPlan } from '../config/run-plan.ts';
import { startIngest } from '../runtime/start-workflows.ts';
import { findRun, readConfiguration, type GlobalOptions } from './configuration.ts';
import { awaitResult, beginWorkflow } from './await-workflow.ts';
import { toOrderId } from './order-id.ts';
import type { Summary } from './print-report.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';
import { withRuntime } from './with-runtime.ts';

/** Collects and projects an existing order with the delivery settings of the named run, or of the only one. */
export async function ingest(
  terminal: Terminal,
  options: GlobalOptions,
  orderId: string,
  runName: string | undefined,
): Promise<Summary> {
  const id = toOrderId(orderId);
  const config = await readConfiguration(options.config, terminal.env);
  const names = runName === undefined ? Object.keys(config.runs) : [runName];
  const deliveries = names.map((name) => ({ runName: name, delivery: toDeliveryPlan(config, findRun(config, name)) }));
  const input = { orderId: id, ...toOnlyDelivery(deliveries) };
  const { result: orders, ...done } = await withRuntime(
    terminal,
    config,
    options,
    async ({ client, queue, ledger }) => {
      const isNew = (await ledger.orders.get(id)) === undefined;
      const { handle } = await beginWorkflow(terminal, startIngest(client, input, queue));
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
