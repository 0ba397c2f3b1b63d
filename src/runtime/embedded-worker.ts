/** A worker in this process that runs only while no other process works on the task queue. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { TransportError } from '@temporalio/worker';
import { ExplainedError } from '../text/explained-error.ts';
import type { Log } from '../telemetry/logs.ts';
import { pollerCheckIntervalMs, readPollers, watchOtherWorkers } from './other-workers.ts';
import type { openWorker, TemporalSession } from './temporal-session.ts';

export interface EmbeddedWorkerOptions {
  readonly session: TemporalSession;
  readonly log: Log;
  readonly open: () => ReturnType<typeof openWorker>;
  /** Stops the worker. */
  readonly signal: AbortSignal;
}

const openAttempts = 5;

/** Starts the worker as soon as no other process polls the task queue; resolves once aborted and closed. @throws when the worker stops by itself */
export async function runEmbeddedWorker({ session, log, open, signal }: EmbeddedWorkerOptions): Promise<void> {
  const aborted = once(signal, 'abort');
  const checkOtherWorkers = watchOtherWorkers({ readPollers: () => readPollers(session) });
  let isLogged = false;
  while (!signal.aborted) {
    const found = await Promise.race([checkOtherWorkers(), aborted.then(() => 'unsure' as const)]);
    if (found === 'none') break;
    if (found === 'working' && !isLogged) log('Worker: using the worker of another process on the task queue');
    isLogged ||= found === 'working';
    await sleep(pollerCheckIntervalMs, null, { signal }).catch(() => {});
  }
  if (signal.aborted) return;
  log('Worker: none is running, starting an embedded worker');
  const worker = await openThroughOutages(open, session, aborted);
  if (worker === null) return;
  if (!signal.aborted) await Promise.race([aborted, worker.ended]);
  await worker.close();
  if (!signal.aborted)
    throw new ExplainedError(
      'The embedded worker stopped unexpectedly: see the lines above. Started workflows are kept in Temporal; run the same command again to attach to them',
    );
}

/** Temporal may become unavailable between the first call of the client and that of the worker. null: aborted. */
async function openThroughOutages(
  open: EmbeddedWorkerOptions['open'],
  { client }: TemporalSession,
  aborted: Promise<unknown>,
) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof TransportError) || attempt === openAttempts) throw error;
    }
    // Returns once Temporal answers again.
    const answer = client.workflowService.getSystemInfo({}).then(() => 'answered' as const);
    if ((await Promise.race([answer, aborted])) !== 'answered') return null;
  }
}
