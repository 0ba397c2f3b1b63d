/** `retry`: writes the rows of an order again that HubSpot does not have. */
import { startRetry } from '../worker/start-workflows.ts';
import { outcomeNames, type OutcomeTally } from '../ledger/crm-outcomes.ts';
import { toCrmPlan } from '../delivery/mapping/crm-plan.ts';
import { findRemedy } from '../proof/report/finding-descriptions.ts';
import { awaitResult, beginWorkflow } from './await-workflow.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import type { RetriedOrder } from './documents/order-document.ts';
import { assertCollected } from './existing-order.ts';
import { toFileEntries } from './file-entries.ts';
import { findOrderId } from './known-order.ts';
import { exitCodes, type ExitCode, type Terminal } from './terminal.ts';
import { withRuntime } from './with-runtime.ts';

/** Writes quarantined and failed records again with the current mapping, then the files of the order. */
export async function retry(terminal: Terminal, options: GlobalOptions, orderId: string): Promise<RetriedOrder> {
  const config = await readConfiguration(options.config, terminal.env);
  const id = await findOrderId(terminal, config, options, orderId);
  const { mappingVersion } = toCrmPlan(config.mapping, config.contacts);
  const input = { orderId: id, mappingVersion };
  const { result } = await withRuntime(
    terminal,
    config,
    options,
    {
      needed: ['crm'],
      async prepare({ ledger }) {
        await assertCollected(ledger, id);
        const { companies, contacts } = await ledger.outcomes.keptTally(id);
        return [companies, contacts].reduce((sum, { quarantined, failed }) => sum + quarantined + failed, 0);
      },
    },
    async ({ client, queue }, open) => {
      const { handle } = await beginWorkflow(terminal, startRetry(client, input, queue));
      return { ...(await awaitResult(terminal, client, 'retry', handle)), open };
    },
  );
  return { orderId: id, ...result };
}

export function exitCodeOfRetry({ findings }: RetriedOrder): ExitCode {
  return findings.length === 0 ? exitCodes.done : exitCodes.findings;
}

export function toRetryText({ orderId, open, crm, files, findings }: RetriedOrder): string {
  return [
    ...(open === 0
      ? [
          'nothing to retry: no company and no contact of the order was quarantined or failed. Its files are written again',
        ]
      : []),
    `order ${orderId} after the retry:`,
    toLine('companies', crm.companies),
    toLine('contacts', crm.contacts),
    ...files.flatMap(toFileEntries).map(([name, text]) => `${name.padEnd(10)}  ${text}`),
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
