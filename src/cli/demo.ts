import { join, resolve } from 'node:path';
import type { ExecuteCommand } from './command-context.ts';
import { createConsoleWork } from './console-commands.ts';
import { openConsole, type ConsolePages } from './run-console.ts';
import { ledgerFile } from '../ledger/sqlite.ts';
import { serveSandbox } from '../../sandbox/serve-sandbox.ts';
import { toRunPlan } from '../config/run-plan.ts';
import { startRun } from '../worker/start-workflows.ts';
import { createDependencies, openConfiguredLedger } from '../worker/configured-clients.ts';
import { findRun, readConfiguration, type GlobalOptions } from './configuration.ts';
import { dataFolderName } from '../config/setting-values.ts';
import { createDemoProject, demoRuns } from './demo-project.ts';
import { awaitResult, beginWorkflow } from './await-workflow.ts';
import type { OrderSummary } from './documents/order-document.ts';
import { exitCodeOf, toOrdersText } from './print-report.ts';
import { defaultTemporal } from '../config/temporal-settings.ts';
import { openTemporal, openWorker } from '../worker/temporal-session.ts';
import { exitCodes, type Terminal } from './terminal.ts';

const seed = 1;
const progression = {
  profiles: { after_seconds: 0.2 },
  orders: { after_seconds: 0.4 },
  outputs: { after_seconds: 0.1 },
};

/** Runs a discovery and an enrichment at once against the sandbox. `keep`: everything keeps running until a signal. */
export async function demo(
  terminal: Terminal,
  { dataDir = dataFolderName }: GlobalOptions,
  { keep, execute }: { readonly keep: boolean; readonly execute: ExecuteCommand },
): Promise<OrderSummary> {
  const folder = join(dataDir, 'demo');
  // Each demo has its own project and task queue: the sandbox starts empty, so must the ledger, and other workers must not interfere.
  const label = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const projectFolder = resolve(folder, label);
  const ledgerFolder = join(projectFolder, dataFolderName);
  const queue = `prospect-sync-demo/${label}`;
  terminal.say(`Ledger: ${ledgerFile(ledgerFolder)}`);
  const context = { env: terminal.env, log: terminal.say };
  await using cleanup = new AsyncDisposableStack();
  const settings = { promptTimers: true, answerWithinMs: null };
  const session = cleanup.adopt(await openTemporal(context, folder, defaultTemporal, settings), (opened) =>
    opened.close(),
  );
  const started = performance.now();
  const served = cleanup.adopt(await serveSandbox({ seed, progression }), (opened) => opened.close());
  const project = await createDemoProject(projectFolder, served, seed);
  terminal.say(`Project: ${project.config}`);
  if (session.uiUrl !== null) terminal.say(`Temporal UI: ${session.uiUrl}`);
  const config = await readConfiguration(project.config, { ...terminal.env, ...project.env });
  const ledger = cleanup.adopt(await openConfiguredLedger(config, ledgerFolder, terminal.say), (opened) =>
    opened.close(),
  );
  cleanup.adopt(await openWorker(context, createDependencies(config, ledger), { ...session, queue }), (opened) =>
    opened.close(),
  );

  const { client, uiUrl } = session;
  const reports = await Promise.all(
    demoRuns.map(async (name) => {
      const plan = toRunPlan(config, name, findRun(config, name));
      const { handle } = await beginWorkflow(
        terminal,
        startRun(client, plan, { label, isConfirmed: true, queue }),
        name,
      );
      return awaitResult(terminal, client, name, handle);
    }),
  );
  const summary = {
    seconds: (performance.now() - started) / 1_000,
    uiUrl,
    orders: reports.map(({ order, ...figures }) => ({ ...order, ...figures })),
  };
  if (keep) {
    const variables = {
      ...project.env,
      TEMPORAL_ADDRESS: session.service.connectOptions.address,
      TEMPORAL_TASK_QUEUE: queue,
    };
    const env = { ...terminal.env, ...variables };
    const options = { config: project.config, dataDir: ledgerFolder, json: false };
    const work = createConsoleWork({ ...terminal, env }, options, execute);
    const pages = { ledger, log: terminal.say, isSandbox: true, work };
    await keepRunning(terminal, summary, { pages, projectFolder, variables });
  }
  return summary;
}

interface KeptDemo {
  readonly pages: ConsolePages;
  readonly projectFolder: string;
  /** With these, commands in the project folder use the sandbox, the ledger and the worker of the demo. */
  readonly variables: Readonly<Record<string, string>>;
}

async function keepRunning(
  terminal: Terminal,
  summary: OrderSummary,
  { pages, projectFolder, variables }: KeptDemo,
): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const { url } = cleanup.adopt(
    await openConsole(pages, { port: 0, hostname: '127.0.0.1', flags: '' }, { signIn: null, personalData: 'shown' }),
    (opened) => opened.close(),
  );
  terminal.say(toOrdersText(summary));
  if (exitCodeOf(summary) !== exitCodes.done) terminal.say('The orders have findings.');
  terminal.say(`Console: ${url}`);
  terminal.say('To use commands on these orders, in another terminal:');
  terminal.say(`  cd "${projectFolder}"`);
  for (const [name, value] of Object.entries(variables)) terminal.say(`  export ${name}=${value}`);
  terminal.say(
    'Everything keeps running. Look at the orders in the console and in the Temporal UI; stop it with Ctrl-C.',
  );
  await terminal.interrupted;
}
