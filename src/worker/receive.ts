/** The receiver of webhooks as a process runs it: with its HTTP server and its limits. */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { getRequestListener } from '@hono/node-server';
import type { Config } from '../config/config.ts';
import { closeServer, listenAsChosen } from '../base/http/local-server.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createReceiver, type ReceiverDependencies } from '../replies/receiver.ts';
import { orderStatusPath, replyPath } from '../config/reply-settings.ts';
import type { Log } from '../base/logs.ts';
import { ExplainedError } from '../base/text/explained-error.ts';
import { wakeOrder, withinTime } from './start-workflows.ts';

/** Resources that a receiver process opened. */
export interface ReceiverContext {
  readonly config: Pick<Config, 'replies' | 'orderStatus'>;
  readonly client: Client;
  readonly ledger: Pick<Ledger, 'replies' | 'secretUses'>;
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
/** Node looks for late requests this often. */
const timeoutCheckMs = 1_000;
/** With their free shares of memory for bodies, these take 128 MB at most. */
const mostConnections = 512;
/** For deliveries that are in progress when the receiver stops. */
const closeWithinMs = 5_000;

/**
 * @param place `flags`: the options of the command that choose another address
 * @throws {ExplainedError} when no endpoint has a secret, a secret cannot be read, or the address is in use
 */
export async function openReceiver(
  { config, client, ledger, log, onAnswer }: ReceiverContext,
  { flags, ...place }: { readonly port: number; readonly hostname: string; readonly flags: string },
): Promise<RunningReceiver> {
  const { replies, orderStatus } = config;
  if (replies.secrets.length + orderStatus.secrets.length === 0)
    throw new ExplainedError(
      'The configuration has no signing secret to verify webhooks with. Set replies.secrets, for example [{env: REPLIES_SECRET}]; the service shows the secret of an address to owners and admins',
    );
  const receiver = createReceiver({
    replies,
    orderStatus,
    policy: replies.policy,
    inbox: ledger.replies,
    secretUses: ledger.secretUses,
    wakeOrder: (orderId) => withinTime(client, () => wakeOrder(client, orderId)),
    log,
    onAnswer,
  });
  // A secret that is wrong from the start is reported here; later, deliveries are answered 503 until it is corrected.
  await receiver.readSecrets();
  const server = createServer(
    { requestTimeout: requestTimeoutMs, headersTimeout: requestTimeoutMs, connectionsCheckingInterval: timeoutCheckMs },
    // The host is for requests of HTTP/1.0, which may have none.
    getRequestListener(receiver.fetch, { overrideGlobalObjects: false, hostname: place.hostname }),
  );
  server.maxConnections = mostConnections;
  const { url } = await listenAsChosen(server, place, { subject: 'Webhooks cannot be received', flags });
  return {
    replies: replies.secrets.length === 0 ? null : `${url}${replyPath}`,
    orders: orderStatus.secrets.length === 0 ? null : `${url}${orderStatusPath}`,
    async close() {
      receiver.stop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await Promise.race([closed, sleep(closeWithinMs, null, { ref: false })]);
      await closeServer(server);
      await receiver.saveUses();
    },
  };
}

/** For the log: `Receiver: http://…/replies and http://…/order-status`. */
export function describeReceiver({ replies, orders }: RunningReceiver): string {
  return `Receiver: ${[replies, orders].filter((url) => url !== null).join(' and ')}`;
}
