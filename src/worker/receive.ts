/** The receiver of webhooks as a process runs it: its HTTP server, and the replies that are started again. */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { getRequestListener } from '@hono/node-server';
import type { Config } from '../config/config.ts';
import { closeServer, listenAsChosen } from '../base/http/local-server.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createReceiver, orderStatusPath, replyPath, type ReceiverDependencies } from '../replies/receiver.ts';
import { createWorkflowStarter } from '../replies/workflow-starter.ts';
import type { Log } from '../base/logs.ts';
import { ExplainedError } from '../base/text/explained-error.ts';
import { startReply, wakeOrder } from './start-workflows.ts';

/** Resources that a receiver process opened. */
export interface ReceiverContext {
  readonly config: Pick<Config, 'replies' | 'orderStatus'>;
  readonly client: Client;
  /** Task queue for workflows. */
  readonly queue: string;
  readonly ledger: Pick<Ledger, 'replies'>;
  readonly log: Log;
  readonly onAnswer?: ReceiverDependencies['onAnswer'] | undefined;
}

export interface RunningReceiver {
  /** Addresses of the endpoints; null for one without a secret. */
  readonly replies: string | null;
  readonly orders: string | null;
  /** Answers 503 from now on, lets the deliveries in progress end, and closes the server. */
  readonly close: () => Promise<void>;
}

/** A sender that stalls must not hold a connection: the service itself waits 15 seconds. */
const requestTimeoutMs = 15_000;
/** Less than the sender waits for an answer. */
const startWithinMs = 8_000;
/** For deliveries that are in progress when the receiver stops. */
const closeWithinMs = 5_000;

/**
 * @param place `flags`: the options of the command that choose another address
 * @throws {ExplainedError} when no endpoint has a secret, a secret cannot be read, or the address is in use
 */
export async function openReceiver(
  { config, client, queue, ledger, log, onAnswer }: ReceiverContext,
  { flags, ...place }: { readonly port: number; readonly hostname: string; readonly flags: string },
): Promise<RunningReceiver> {
  const { replies, orderStatus } = config;
  if (replies.secrets.length + orderStatus.secrets.length === 0)
    throw new ExplainedError(
      'The configuration has no signing secret to verify webhooks with. Set replies.secrets, for example [{env: REPLIES_SECRET}]; the service shows the secret of an address to owners and admins',
    );
  // The sender repeats the delivery: a call that waits for Temporal to come back must not outlive it.
  const withinTime = (call: () => Promise<void>) => client.withDeadline(Date.now() + startWithinMs, call);
  const starter = createWorkflowStarter(
    (reply) => withinTime(() => startReply(client, reply, queue)),
    () => log('Temporal does not start workflows: deliveries are stored, and answered 503 until it does', 'warn'),
  );
  const receiver = createReceiver({
    replies,
    orderStatus,
    policy: replies.policy,
    inbox: ledger.replies,
    startReply: starter.start,
    wakeOrder: (orderId) => withinTime(() => wakeOrder(client, orderId)),
    log,
    onAnswer,
  });
  // A secret that is wrong from the start is reported here; later, deliveries are answered 503 until it is corrected.
  await receiver.readSecrets();
  const server = createServer(
    { requestTimeout: requestTimeoutMs, headersTimeout: requestTimeoutMs },
    getRequestListener(receiver.fetch, { overrideGlobalObjects: false }),
  );
  const { url } = await listenAsChosen(server, place, { subject: 'Webhooks cannot be received', flags });
  return {
    replies: replies.secrets.length === 0 ? null : `${url}${replyPath}`,
    orders: orderStatus.secrets.length === 0 ? null : `${url}${orderStatusPath}`,
    async close() {
      receiver.stop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const ended = Promise.all([closed, starter.idle()]);
      await Promise.race([ended, sleep(closeWithinMs, null, { ref: false })]);
      await closeServer(server);
    },
  };
}

/** For the log: `Receiver: http://…/replies and http://…/order-status`. */
export function describeReceiver({ replies, orders }: RunningReceiver): string {
  return `Receiver: ${[replies, orders].filter((url) => url !== null).join(' and ')}`;
}

const restartEveryMs = 60_000;
/** Younger replies are left to the receiver that has stored them. */
const restartAfterMs = 60_000;
const mostRestarted = 1_000;

/**
 * Starts the workflows of stored replies that are not processed: the process may have died between storing and starting, or Temporal
 * was not reachable. Running workflows are left as they are. Repeats every minute until aborted.
 */
export async function restartReplies(
  { client, queue, ledger, log }: Pick<ReceiverContext, 'client' | 'queue' | 'ledger' | 'log'>,
  { signal, now = Date.now, everyMs = restartEveryMs, olderThanMs = restartAfterMs }: RestartSettings,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const before = new Date(now() - olderThanMs).toISOString();
      for (const reply of await ledger.replies.unfinished(before, mostRestarted)) {
        if (signal.aborted) return;
        await startReply(client, reply, queue);
      }
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown error';
      if (!signal.aborted) log(`Stored replies were not started: ${name}. The next attempt is in a minute`, 'warn');
    }
    await sleep(everyMs, null, { signal, ref: false }).catch(() => undefined);
  }
}

export interface RestartSettings {
  readonly signal: AbortSignal;
  readonly now?: () => number;
  readonly everyMs?: number;
  readonly olderThanMs?: number;
}
