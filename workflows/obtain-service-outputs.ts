import type { FileReport } from '../src/delivery/files/order-spreadsheet.ts';
import type { ServiceOutputReport } from '../src/proof/report/order-report.ts';
import type { DeliveryPlan } from '../src/config/run-plan.ts';
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
  /** Files that were written before. */
  readonly files: readonly FileReport[];
}

/**
 * Requests the outputs of the service one after another, then awaits and fetches them in parallel, so that their deadlines run at the
 * same time. The service makes no output of an order without results ("Errors", ORDER_RESULTS_EMPTY).
 */
export async function obtainServiceOutputs(
  { total, ...order }: PublishedSlots,
  { delivery, files }: Delivery,
  { setStage, setDetails }: ProgressReporter,
): Promise<ServiceOutputReport[]> {
  if (delivery.serviceOutputs === null || total === 0) return [];
  const { wanted, giveUpMs } = delivery.serviceOutputs;
  setStage('requesting service outputs', { 'outputs requested': wanted.length });
  const pending: { readonly finish: () => Promise<ServiceOutputReport> }[] = [];
  for (const output of wanted) {
    const input = { ...order, output };
    const options = { summary: toSummary(`${output.type} ${output.language}`) };
    const requested = await shortActivities.requestOutput.executeWithOptions(options, [input]);
    const finish = async () => {
      if (requested.state !== 'requested') return requested;
      const ended = await pollingActivities.awaitOutput.executeWithOptions(options, [input]);
      return ended.state === 'ready' ? batchActivities.fetchOutput.executeWithOptions(options, [input]) : ended;
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
