import type { RetryReport } from '../../../workflows/retry-rows.ts';
import { findRemedy } from '../../report/finding-descriptions.ts';
import { toCrmPlan } from '../../mapping/crm-plan.ts';
import { outcomeNames, type OutcomeTally } from '../../ledger/record-outcome.ts';
import { toActivityTimeouts } from '../../config/run-plan.ts';
import { startRetry } from '../../runtime/start-workflows.ts';
import { readConfiguration, type GlobalOptions } from '../configuration.ts';
import { toOrderId } from '../order-id.ts';
import { awaitResult, beginWorkflow } from '../await-workflow.ts';
import { exitCodes, type ExitCode, type Terminal } from '../terminal.ts';
import { withRuntime } from '../with-runtime.ts';
import { toPrintable } from '../../text/printable-text.ts';

export interface Retried extends RetryReport {
  readonly orderId: string;
}

/** Writes once more what was quarantined or failed, as the configuration maps it now, then the files of the order. */
export async function retry(terminal: Terminal, options: GlobalOptions, orderId: string): Promise<Retried> {
  const id = toOrderId(orderId);
  const config = await readConfiguration(options.config, terminal.env);
  const { mappingVersion } = toCrmPlan(config.mapping, config.contacts);
  const input = { orderId: id, mappingVersion, pace: toActivityTimeouts(config) };
  const { result } = await withRuntime(
    terminal,
    config,
    options,
    async ({ client, queue }) => {
      const { handle } = await beginWorkflow(terminal, startRetry(client, input, queue));
      return awaitResult(terminal, client, 'retry', handle);
    },
    { needed: ['crm'] },
  );
  return { orderId: id, ...result };
}

export function exitCodeOfRetry({ findings }: Retried): ExitCode {
  return findings.length === 0 ? exitCodes.done : exitCodes.findings;
}

export function toRetryDocument({ orderId, crm, files, findings }: Retried) {
  return { ok: findings.length === 0, order_id: orderId, crm, files, findings };
}

export function toRetryText({ orderId, crm, files = [], findings }: Retried): string {
  return [
    'the order now:',
    toLine('companies', crm.companies),
    toLine('contacts', crm.contacts),
    ...files.map(({ path, rows }) => `${'file'.padEnd(10)}  ${toPrintable(path)} (${rows} rows)`),
    ...findings.map(
      ({ code, count }) => `still open  ${code}: ${count}  (${findRemedy(code)?.replaceAll('ORDER', orderId)})`,
    ),
    `prove it with prospect-sync reconcile ${orderId}`,
  ].join('\n');
}

function toLine(name: string, tally: OutcomeTally): string {
  const counts = outcomeNames.filter((outcome) => tally[outcome] > 0).map((outcome) => `${tally[outcome]} ${outcome}`);
  return `${name.padEnd(10)}  ${counts.join(', ') || 'none'}`;
}
