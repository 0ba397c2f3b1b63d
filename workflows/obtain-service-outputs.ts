import type { FileReport, ServiceOutputReport } from '../src/report/order-report.ts';
import type { DeliveryPlan, ActivityTimeouts } from '../src/config/run-plan.ts';
import { shortActivities, batchActivities, pollingActivities } from './activity-options.ts';
import type { ProgressReporter } from './workflow-progress.ts';
import { toSummary } from '../src/temporal/workflow-texts.ts';

export interface PublishedSlots {
  readonly orderId: string;
  /** Of the run that delivers; absent in what earlier releases started. */
  readonly runName?: string;
  readonly total: number;
}

interface Delivery {
  readonly delivery: DeliveryPlan;
  readonly pace: ActivityTimeouts;
  /** Those that are there already. */
  readonly files: readonly FileReport[];
}

/**
 * What the service itself makes of the results: asked for one after another, then waited for and fetched side by side, so
 * that one that never ends costs its time once. An order without results has none ("Errors", ORDER_RESULTS_EMPTY).
 */
export async function obtainServiceOutputs(
  { total, ...order }: PublishedSlots,
  { delivery, pace, files }: Delivery,
  { setStage, setDetails }: ProgressReporter,
): Promise<ServiceOutputReport[]> {
  if (delivery.serviceOutputs === undefined || total === 0) return [];
  const { wanted, giveUpMs } = delivery.serviceOutputs;
  setStage('asking the service for outputs', { 'outputs asked for': wanted.length });
  const asked: { readonly finish: () => Promise<ServiceOutputReport> }[] = [];
  for (const output of wanted) {
    const step = { ...order, output };
    const options = { summary: toSummary(`${output.type} ${output.language}`) };
    const requested = await shortActivities(pace).requestOutput.executeWithOptions(options, [step]);
    const finish = async () => {
      if (requested.state !== 'requested') return requested;
      const ended = await pollingActivities(pace).awaitOutput.executeWithOptions(options, [step]);
      return ended.state === 'ready' ? batchActivities(pace).fetchOutput.executeWithOptions(options, [step]) : ended;
    };
    asked.push({ finish });
  }
  const what = `${wanted.length} outputs of the service`;
  setStage('fetching outputs of the service', {}, { what, atMostMs: giveUpMs });
  const outputs = await Promise.all(asked.map(({ finish }) => finish()));
  setDetails({ files: [...files, ...toFiles(outputs)] });
  return outputs;
}

function toFiles(outputs: readonly ServiceOutputReport[]): FileReport[] {
  return outputs.flatMap(({ type, path, rows }) =>
    path === null || type === 'google_sheets' ? [] : [{ path, kind: type, rows: rows ?? 0 }],
  );
}
