import { nameSubject } from '../telemetry/activity-logs.ts';
import { formatLine, type LogFormat, type LogLine } from '../telemetry/logs.ts';
import { toWarningLine } from '../telemetry/warnings.ts';
import { createDependencies, createSystems, openConfiguredLedger } from '../runtime/worker.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { announceLedger } from './data-folder.ts';
import { toDeployment } from './deployment.ts';
import { openHealthServer } from '../telemetry/health-server.ts';
import { forwardSdkLogs } from './sdk-logs.ts';
import { openTemporal, openWorker } from './temporal-session.ts';
import { CommandError, type Terminal } from './terminal.ts';
import { openConfiguredTracing } from './tracing.ts';

export interface WorkerFlags {
  readonly logFormat?: LogFormat;
  readonly healthPort?: number;
  readonly healthHost: string;
  readonly shutdownGrace: number;
}

/** Works until it is told to stop; what it was doing goes on in the next worker. */
export async function worker(
  terminal: Terminal,
  options: GlobalOptions,
  { logFormat, healthPort, healthHost, shutdownGrace: shutdownGraceMs }: WorkerFlags,
): Promise<void> {
  const format = logFormat ?? (terminal.isInteractive ? 'text' : 'json');
  terminal.speakIn((line) => formatLine(format, line, new Date()));
  tellWarnings(terminal);
  const deployment = toDeployment(terminal.env);
  const config = await readConfiguration(options.config, terminal.env);
  const dataDir = await announceLedger(terminal, config, options);
  await using cleanup = new AsyncDisposableStack();
  const tracing = cleanup.adopt(await openConfiguredTracing(terminal.env), (opened) => opened?.close());
  const place = { port: healthPort ?? 0, hostname: healthHost };
  const observation = healthPort === undefined ? null : await openHealthServer(place);
  cleanup.adopt(observation, (opened) => opened?.close());
  if (observation !== null) terminal.say(`Health: ${observation.url}/readyz, metrics ${observation.url}/metrics`);
  const write = ({ message, level, fields }: LogLine) => terminal.say(message, level, fields);
  const runtime = forwardSdkLogs({ level: 'DEBUG', coreLevel: 'WARN', write }, observation?.telemetry);
  const session = cleanup.adopt(
    await openTemporal(terminal, dataDir, config.temporal, { tracing, runtime }),
    (opened) => opened.close(),
  );
  const ledger = cleanup.adopt(await openConfiguredLedger(config, dataDir), (opened) => opened.close());
  const watchers = [tracing, observation?.metrics].flatMap((given) => (given == null ? [] : [given.watchCall]));
  const systems = createSystems(config, watchers);
  const counted = observation?.metrics.watchLedger(ledger) ?? ledger;
  const own = { shutdownGraceMs, deployment, interceptors: [nameSubject] };
  const opened = await openWorker(terminal, createDependencies(config, counted, systems), session, own);
  cleanup.defer(() => opened.close());
  const temporal = () => session.client.workflowService.getSystemInfo({});
  observation?.metrics.read({ ledger, hubspot: systems.hubspot, temporal });
  observation?.watch({ worker: opened.state, ledger: () => ledger.condition.ask(), temporal });
  terminal.say(`Worker: ready${session.uiUrl === null ? '' : `, Temporal UI ${session.uiUrl}`}`);
  const end = await Promise.race([terminal.interrupted, opened.ended.then(() => null)]);
  if (end === null) throw new CommandError('the worker ended by itself; see the lines above');
  const seconds = shutdownGraceMs / 1_000;
  terminal.say(`Worker: ${end}, stopping; activities have ${seconds} s, then others go on with them`);
}

/** Node's own listener prints in a form, and over as many lines, as it likes; without one, warnings are off. */
function tellWarnings(terminal: Terminal): void {
  if (process.listenerCount('warning') === 0) return;
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    const line = toWarningLine(warning);
    if (line !== null) terminal.say(line.message, line.level);
  });
}
