import type { ExecuteCommand } from './command-context.ts';
import { createConsoleWork } from './console-commands.ts';
import { isSandbox, openConsole } from './run-console.ts';
import { logActivitySubject, forwardSdkLogs } from '../worker/telemetry/sdk-logs.ts';
import type { LogFormat } from '../base/log-format.ts';
import { formatLine, toWarningLine, type LogLine } from '../base/logs.ts';
import { assertOwnWorkers, listLiveWorkers } from '../worker/embedded-worker.ts';
import { applyRetentionDaily } from '../worker/daily-retention.ts';
import { bindToPortal, createDependencies, createSystems, openConfiguredLedger } from '../worker/configured-clients.ts';
import { warnOfReplyProblems } from './preflight/reply-checks.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { announceLedger, findDataFolder } from './data-folder.ts';
import { toDeployment } from '../worker/worker.ts';
import { openHealthServer } from '../worker/telemetry/health-server.ts';
import { describeReceiver, openReceiver } from '../worker/receive.ts';
import { openTemporal, openWorker } from '../worker/temporal-session.ts';
import { CommandError, signalOf, type Terminal } from './terminal.ts';
import { openConfiguredTracing } from '../worker/telemetry/configured-tracing.ts';

export interface WorkerFlags {
  readonly logFormat?: LogFormat;
  readonly healthPort?: number;
  readonly healthHost: string;
  readonly shutdownGrace: number;
  /** Present: the process receives webhooks too. */
  readonly receivePort?: number;
  readonly receiveHost: string;
  /** Present: the process serves the console too, whose commands `execute` runs. */
  readonly consolePort?: number;
  readonly consoleHost: string;
  readonly execute: ExecuteCommand;
}

/** Runs a worker until stopped. Another worker continues its activities. */
export async function worker(terminal: Terminal, options: GlobalOptions, flags: WorkerFlags): Promise<void> {
  const { logFormat, healthPort, healthHost, shutdownGrace: shutdownGraceMs, receivePort, receiveHost } = flags;
  const format = logFormat ?? (terminal.isInteractive ? 'text' : 'json');
  terminal.speakIn((line) => formatLine(format, line, new Date()));
  logWarnings(terminal);
  const deployment = toDeployment(terminal.env);
  const config = await readConfiguration(options.config, terminal.env);
  const dataDir = await announceLedger(terminal, config, await findDataFolder(options));
  const context = { env: terminal.env, log: terminal.say };
  await using cleanup = new AsyncDisposableStack();
  const tracing = cleanup.adopt(await openConfiguredTracing(terminal.env), (opened) => opened?.close());
  const health = healthPort === undefined ? null : await openHealthServer({ port: healthPort, hostname: healthHost });
  cleanup.adopt(health, (opened) => opened?.close());
  if (health !== null) terminal.say(`Health: ${health.url}/readyz, metrics ${health.url}/metrics`);
  const write = ({ message, level, fields }: LogLine) => terminal.say(message, level, fields);
  const runtime = forwardSdkLogs({ level: 'DEBUG', coreLevel: 'WARN', write }, health?.telemetry);
  const waiting = signalOf(terminal);
  const session = cleanup.adopt(
    await openTemporal(context, dataDir, config.temporal, { tracing, waiting, runtime }),
    (opened) => opened.close(),
  );
  const ledger = cleanup.adopt(await openConfiguredLedger(config, dataDir, terminal.say), (opened) => opened.close());
  assertOwnWorkers(await listLiveWorkers(session), session, ledger);
  const watchers = [tracing, health?.metrics].flatMap((given) => (given == null ? [] : [given.watchCall]));
  const systems = await bindToPortal(config, ledger, createSystems(config, watchers), watchers);
  const measuredLedger = health?.metrics.watchLedger(ledger) ?? ledger;
  const workerSettings = { shutdownGraceMs, deployment, interceptors: [logActivitySubject] };
  const opened = await openWorker(
    context,
    createDependencies(config, measuredLedger, systems),
    session,
    workerSettings,
  );
  cleanup.defer(() => opened.close());
  const closing = new AbortController();
  const { retention } = config;
  const applied = applyRetentionDaily({ retention, ledger, log: terminal.say, signal: closing.signal });
  cleanup.defer(async () => {
    closing.abort();
    await applied;
  });
  if (receivePort !== undefined) {
    const receiverFlags = '--receive-port or --receive-host';
    const { client } = session;
    const context = { config, client, ledger, log: terminal.say, onAnswer: health?.metrics.countDelivery };
    const receiver = await openReceiver(context, { port: receivePort, hostname: receiveHost, flags: receiverFlags });
    cleanup.defer(() => receiver.close());
    terminal.say(describeReceiver(receiver));
  }
  const { consolePort, consoleHost, execute } = flags;
  if (consolePort !== undefined) {
    const work = createConsoleWork(terminal, options, execute);
    const pages = { ledger, log: terminal.say, isSandbox: isSandbox(config), work };
    const place = { port: consolePort, hostname: consoleHost, flags: '--console-port or --console-host' };
    const { url } = cleanup.adopt(await openConsole(pages, place, config.console), (served) => served.close());
    terminal.say(`Console: ${url}`);
  }
  // HubSpot may answer late, or not at all: nothing waits for it.
  void warnOfReplyProblems(config, { hubspot: systems.hubspot, ledger, log: terminal.say });
  const temporal = () => session.client.workflowService.getSystemInfo({});
  health?.metrics.readFrom({ ledger, hubspot: systems.hubspot, temporal });
  health?.watch({ worker: opened.state, ledger: () => ledger.condition.ask(), temporal });
  terminal.say(`Worker: ready${session.uiUrl === null ? '' : `, Temporal UI ${session.uiUrl}`}`);
  const end = await Promise.race([terminal.interrupted, opened.ended.then(() => null)]);
  if (end === null) throw new CommandError('The worker stopped unexpectedly: see the lines above');
  const seconds = shutdownGraceMs / 1_000;
  terminal.say(`Worker: ${end}, stopping. Activities may continue for ${seconds} s; another worker then retries them`);
}

/** Replaces Node's listener, whose output is not in log lines; without a listener, warnings are disabled. */
function logWarnings(terminal: Terminal): void {
  if (process.listenerCount('warning') === 0) return;
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    const line = toWarningLine(warning);
    if (line !== null) terminal.say(line.message, line.level);
  });
}
