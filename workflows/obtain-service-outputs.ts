import type { FileReport } from '../src/delivery/order-spreadsheet.ts';
import type { ServiceOutputReport } from '../src/report/order-report.ts';
import type { DeliveryPlan, ActivityTimeouts } from '../src/config/run-plan.ts';
import { shortActivities, batchActivities, pollingActivities } from './activity-options.ts';
import type { ProgressReporter } from './progress-query.ts';
import { toSummary } from '../src/temporal/workflow-texts.ts';

export interface PublishedSlots {
  readonly orderId: string;
  /** The delivering run. */
  readonly runName: string;
  readonly total: number;
}

interface Delivery {
  readonly delivery: DeliveryPlan;
  readonly pace: ActivityTimeouts;
  /** Files that were written before. */
  readonly files: readonly FileReport[];
}

/**
 * Outputs that the service makes of the results: requested one after another, then awaited and fetched in parallel, so that their
 * deadlines run at the same time. An order without results has none ("Errors", ORDER_RESULTS_EMPTY).
 */
export async function obtainServiceOutputs(
  { total, ...order }: PublishedSlots,
  { delivery, pace, files }: Delivery,
  { setStage, setDetails }: ProgressReporter,
): Promise<ServiceOutputReport[]> {
  if (delivery.serviceOutputs === undefined || total === 0) return [];
  const { wanted, giveUpMs } = delivery.serviceOutputs;
  setStage('requesting service outputs', { 'outputs asked for': wanted.length });
  const pending: { readonly finish: () => Promise<ServiceOutputReport> }[] = [];
  for (const output of wanted) {
    const input = { ...order, output };
    const options = { summary: toSummary(`${output.type} ${output.language}`) };
    const requested = await shortActivities(pace).requestOutput.executeWithOptions(options, [input]);
    const finish = async () => {
      if (requested.state !== 'requested') return requested;
      const ended = await pollingActivities(pace).awaitOutput.executeWithOptions(options, [input]);
      return ended.state === 'ready' ? batchActivities(pace).fetchOutput.executeWithOptions(options, [input]) : ended;
    };
    pending.push({ finish });
  }
  const what = `${wanted.length} service outputs`;
  setStage('fetching service outputs', {}, { what, atMostMs: giveUpMs });
  const outputs = await Promise.all(pending.map(({ finish }) => finish()));
  setDetails({ files: [...files, ...toFiles(outputs)] });
  return outputs;
}

function toFiles(outputs: readonly ServiceOutputReport[]): FileReport[] {
  return outputs.flatMap(({ type, path, rows }) =>
    path === null || type === 'google_sheets' ? [] : [{ path, kind: type, rows: rows ?? 0 }],
  );
}
