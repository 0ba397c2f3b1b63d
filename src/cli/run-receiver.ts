import { openHealthServer } from '../worker/telemetry/health-server.ts';
import { formatLine } from '../base/logs.ts';
import type { LogFormat } from '../base/log-format.ts';
import { toPrintableJson } from '../base/text/printable-text.ts';
import { createRuntime } from '../worker/runtime.ts';
import { describeReceiver, openReceiver } from '../worker/receive.ts';
import { warnOfEmptyLedger, warnOfReplyProblems } from './preflight/reply-checks.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { announceLedger, findDataFolder } from './data-folder.ts';
import { signalOf, type Terminal } from './terminal.ts';

export interface ReceiveFlags {
  readonly port: number;
  readonly host: string;
  readonly healthPort?: number;
  readonly healthHost: string;
  readonly logFormat?: LogFormat;
}

/** Receives webhooks until stopped. A worker processes them: one in this process while no other works on the task queue. */
export async function receive(
  terminal: Terminal,
  options: GlobalOptions,
  { port, host, healthPort, healthHost, logFormat }: ReceiveFlags,
): Promise<void> {
  const format = logFormat ?? (terminal.isInteractive ? 'text' : 'json');
  terminal.speakIn((line) => formatLine(format, line, new Date()));
  const config = await readConfiguration(options.config, terminal.env);
  const dataDir = await announceLedger(terminal, config, await findDataFolder(options));
  await using cleanup = new AsyncDisposableStack();
  const health = healthPort === undefined ? null : await openHealthServer({ port: healthPort, hostname: healthHost });
  cleanup.adopt(health, (opened) => opened?.close());
  if (health !== null) terminal.say(`Health: ${health.url}/readyz, metrics ${health.url}/metrics`);
  const waiting = signalOf(terminal);
  const runtime = await createRuntime(config, { env: terminal.env, log: terminal.say, dataDir, waiting });
  cleanup.defer(() => runtime.close());
  const { client, ledger, systems } = runtime;
  const log = terminal.say;
  await warnOfEmptyLedger({ ledger, log });
  const context = { config, client, ledger, log, onAnswer: health?.metrics.countDelivery };
  const receiver = await openReceiver(context, { port, hostname: host, flags: '--port or --host' });
  cleanup.defer(() => receiver.close());
  // HubSpot may answer late, or not at all: nothing waits for it.
  void warnOfReplyProblems(config, { hubspot: systems.hubspot, ledger, log });
  let state = 'RUNNING';
  const temporal = () => client.workflowService.getSystemInfo({});
  health?.metrics.readFrom({ ledger, hubspot: systems.hubspot, temporal });
  health?.watch({ worker: () => state, ledger: () => ledger.condition.ask(), temporal });
  const worker = runtime.runWorker();
  const { replies, orders } = receiver;
  if (options.json) terminal.print(toPrintableJson({ replies: { url: replies }, orders: { url: orders } }));
  terminal.say(describeReceiver(receiver));
  // The worker ends before a signal only if it fails.
  const end = await Promise.race([terminal.interrupted, worker]);
  state = 'STOPPING';
  terminal.say(`Receiver: ${end ?? 'the worker ended'}, stopping`);
}
