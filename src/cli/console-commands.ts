/** Lets the console run commands in its process, and read the progress of workflows. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { ConsoleWork, LiveProgress } from '../console/console-work.ts';
import { mayHaveWorkers } from '../temporal/connect-temporal.ts';
import type { Progress } from '../../workflows/progress-query.ts';
import { readTemporalConfiguration, type GlobalOptions } from './configuration.ts';
import { findUsedDataFolder } from './data-folder.ts';
import type { ExecuteCommand } from './command-context.ts';
import type { Terminal } from './terminal.ts';
import { openTemporal } from '../worker/temporal-session.ts';

const readEveryMs = 1_000;
const answerWithinMs = 5_000;

/** `options`: those with which the console was started; its commands get the same. */
export function createConsoleWork(terminal: Terminal, options: GlobalOptions, execute: ExecuteCommand): ConsoleWork {
  const globals = [
    '--config',
    options.config,
    ...(options.dataDir === undefined ? [] : ['--data-dir', options.dataDir]),
  ];
  return {
    run: (args, { say, print, confirm }) =>
      execute([...globals, ...args], {
        env: terminal.env,
        interrupted: terminal.interrupted,
        isInteractive: false,
        canAsk: true,
        say: (message, level = 'info') => say(message, level),
        print,
        confirm: (question) => Promise.resolve(confirm(question)),
        // A name that has to be typed is not asked for on a page.
        prompt: () => Promise.resolve(null),
        readHidden: () => Promise.resolve(null),
        redraw() {},
        speakIn() {},
      }),
    isTemporalRunning: async () => mayHaveWorkers(terminal.env, await findUsedDataFolder(options, terminal.env)),
    watch: (workflowId, signal) => watchWorkflow(terminal, options, { workflowId, signal }),
  };
}

interface Watched {
  readonly workflowId: string;
  readonly signal: AbortSignal;
}

async function* watchWorkflow(
  terminal: Terminal,
  options: GlobalOptions,
  { workflowId, signal }: Watched,
): AsyncGenerator<LiveProgress | null> {
  const dataDir = await findUsedDataFolder(options, terminal.env);
  // Else a local Temporal would be started, which has nothing in progress.
  if (!(await mayHaveWorkers(terminal.env, dataDir))) return;
  await using cleanup = new AsyncDisposableStack();
  const temporal = await readTemporalConfiguration(options.config, terminal.env);
  const context = { env: terminal.env, log: () => undefined };
  const { client } = cleanup.adopt(await openTemporal(context, dataDir, temporal), (opened) => opened.close());
  const handle = client.workflow.getHandle(workflowId);
  while (!signal.aborted) {
    const found = await handle.describe().catch(unlessUnknown);
    if (found?.status.name !== 'RUNNING') return;
    const asked = client.withDeadline(Date.now() + answerWithinMs, () => handle.query<Progress>('progress'));
    yield await asked.catch(() => null);
    await sleep(readEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

function unlessUnknown(error: unknown): null {
  if (error instanceof WorkflowNotFoundError) return null;
  throw error;
}
