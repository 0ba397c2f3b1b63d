/**
 * Receives signed webhooks: replies to campaigns, and notifications of order status. The sender drops a delivery after almost any 4xx and
 * retries a 5xx for about 12 hours. So only a wrong signature returns 401, and every error of prospect-sync returns 503.
 */
import { timingSafeEqual, createHash } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import type { WebhookEndpointConfig } from '../config/reply-settings.ts';
import { rejectOnAbort } from '../base/host/reject-on-abort.ts';
import type { Fetch } from '../base/http/http-answer.ts';
import { LedgerError } from '../ledger/ledger-error.ts';
import type { ReplyStore } from '../ledger/reply-store.ts';
import type { ReplyPolicy } from '../config/reply-policy.ts';
import type { Log } from '../base/logs.ts';
import { ExplainedError } from '../base/text/explained-error.ts';
import { ageProblem, signatureHeaders, verify } from './webhook-signature.ts';
import { readReply } from './read-reply.ts';
import { readRefusal } from './refusal.ts';
import { createDeliveryWarnings } from './delivery-warnings.ts';
import { createSecretReader, type LoadedSecret } from './webhook-secrets.ts';

export const replyPath = '/replies';
export const orderStatusPath = '/order-status';

export interface ReceiverDependencies {
  readonly replies: WebhookEndpointConfig;
  readonly orderStatus: WebhookEndpointConfig;
  /** Returns the subjects to suppress if a forgotten person opts out, whose reply is not stored. */
  readonly policy: Pick<ReplyPolicy, 'suppress' | 'suppressColleagues'>;
  readonly inbox: Pick<ReplyStore, 'receive' | 'countSecretUse'>;
  /** Starts the workflow of a stored reply, unless it is in progress. */
  readonly startReply: (reply: { webhookId: string; classification: string | null }) => Promise<void>;
  /** Signals the workflow that waits for an order, if there is one. */
  readonly wakeOrder: (orderId: string) => Promise<void>;
  readonly log: Log;
  readonly now?: () => Date;
  /** Called with every answer to a delivery. */
  readonly onAnswer?:
    | ((answer: { readonly endpoint: EndpointName; readonly status: number; readonly reason: string }) => void)
    | undefined;
}

export type EndpointName = 'replies' | 'order_status';

export interface Receiver {
  readonly fetch: Fetch;
  /** @throws {ExplainedError} for a secret that cannot be read */
  readonly readSecrets: () => Promise<void>;
  /** Answers every further delivery with 503, so that the sender retries it. */
  readonly stop: () => void;
}

/** A larger body is quarantined without being stored. The longest reply of the specification takes about 120 kB. */
const storedBytes = 1024 ** 2;
/** A larger body is not read, and so cannot be verified. */
const readBytes = 4 * 1024 ** 2;
/** The sender waits 15 seconds for an answer. */
const answerWithinMs = 10_000;
const retryAfterSeconds = 60;

/** A verified delivery. */
interface Delivery {
  readonly webhookId: string;
  readonly body: Buffer;
  readonly fingerprint: string;
  readonly receivedAt: string;
}

interface Answer {
  readonly status: number;
  /** A code for the sender's history, without personal data. */
  readonly reason: string;
}

export function createReceiver(dependencies: ReceiverDependencies): Receiver {
  const { inbox, log, onAnswer = () => {}, now = () => new Date() } = dependencies;
  const warn = createDeliveryWarnings({ log, now });
  let isStopped = false;

  const endpoints = {
    replies: { ...openEndpoint(dependencies.replies), accept: acceptReply },
    order_status: { ...openEndpoint(dependencies.orderStatus), accept: acceptOrderStatus },
  };

  async function acceptReply({ webhookId, body, fingerprint, receivedAt }: Delivery): Promise<Answer> {
    const text = body.length > storedBytes ? null : body.toString('utf8');
    const read = readReply(webhookId, receivedAt, text);
    const refusedBy = read.state === 'received' ? readRefusal(text, dependencies.policy) : [];
    const stored = await inbox.receive({ webhookId, receivedAt, fingerprint, body: text, ...read }, refusedBy);
    const { state, reason } = stored;
    if (state === 'received') await dependencies.startReply({ webhookId, classification: read.classification });
    if (state === 'quarantined') log('Reply quarantined', 'warn', { webhookId, reason: reason ?? '' });
    return { status: 202, reason: state };
  }

  /** The payload is neither specified nor trusted: only its order id is used, to read the status again. */
  async function acceptOrderStatus({ webhookId, body, fingerprint, receivedAt }: Delivery): Promise<Answer> {
    await inbox.countSecretUse('order_status', fingerprint, receivedAt);
    const orderId = readOrderId(body);
    if (orderId === null) {
      log('Notification without an order id ignored', 'warn', { webhookId });
      return { status: 202, reason: 'no_order' };
    }
    await dependencies.wakeOrder(orderId);
    return { status: 202, reason: 'accepted' };
  }

  async function answer(name: EndpointName, request: Request): Promise<Answer> {
    const { readSecrets, key, accept } = endpoints[name];
    if (isStopped) return { status: 503, reason: 'stopping' };
    const secrets = await readSecrets();
    if (secrets.length === 0) return { status: 503, reason: 'no_secret' };
    const body = await readBody(request, readBytes);
    if (body === null) return { status: 401, reason: 'body_too_large' };
    const receivedAt = now();
    const verified = verifySignature(request.headers, body, secrets, receivedAt);
    if (verified.secret === null) return verified.answer;
    if (key !== null && !isEqual(request.headers.get(key.header) ?? '', key.value.reveal()))
      return { status: 503, reason: 'key_differs' };
    return accept({
      webhookId: request.headers.get(signatureHeaders.id) ?? '',
      body,
      fingerprint: verified.secret.fingerprint,
      receivedAt: receivedAt.toISOString(),
    });
  }

  async function respond(name: EndpointName, request: Request): Promise<Response> {
    const { status, reason } = await rejectOnAbort(answer(name, request), AbortSignal.timeout(answerWithinMs)).catch(
      (error: unknown): Answer => {
        const isExplained = error instanceof ExplainedError || error instanceof LedgerError;
        const cause = isExplained ? error.message : toName(error);
        log(`Delivery not accepted: ${cause}`, 'error', { endpoint: name });
        return { status: 503, reason: 'unavailable' };
      },
    );
    if (status === 401)
      log(reason === 'no_match' ? describeNoMatch(name) : 'Delivery refused', 'warn', { endpoint: name, reason });
    const problem = describeUnaccepted(name, reason);
    if (problem !== null) warn(`${name} ${reason}`, problem, { endpoint: name, reason });
    onAnswer({ endpoint: name, status, reason });
    const headers = status === 503 ? { 'retry-after': String(retryAfterSeconds) } : {};
    return Response.json({ status: reason }, { status, headers });
  }

  const app = new Hono({ strict: false });
  app.all(replyPath, ({ req }) => respond('replies', req.raw));
  app.all(orderStatusPath, ({ req }) => respond('order_status', req.raw));
  app.notFound((context) => {
    const reason = 'unknown_path';
    warn(
      reason,
      `Delivery refused: the receiver has no such path. The receiver address in the service must end with ${replyPath}, and the webhook_url of an order with ${orderStatusPath}`,
      { reason },
    );
    return context.json({ status: reason }, 404);
  });
  return {
    fetch: async (request) => app.fetch(request),
    async readSecrets() {
      await Promise.all([endpoints.replies.readSecrets(), endpoints.order_status.readSecrets()]);
    },
    stop() {
      isStopped = true;
    },
  };
}

function describeNoMatch(name: EndpointName): string {
  return `Delivery refused: no secret in ${name}.secrets verifies its signature, so the service signs with another one, or it is not from the service. Copy the secret of the receiver address from the service, which shows it to owners and admins`;
}

/** What to do about an answer of 503, which the sender repeats for hours; null for other answers. Names no delivery. */
function describeUnaccepted(name: EndpointName, reason: string): string | null {
  switch (reason) {
    case 'no_secret':
      return `Delivery not accepted: ${name}.secrets is not configured. Add the secret of the receiver address to the configuration, and restart the receiver`;
    case 'key_differs':
      return `Delivery not accepted: it does not have the configured ${name}.key. Correct the key, or the setting of the proxy that adds it`;
    case 'timestamp_too_old':
    case 'timestamp_too_new':
      return 'Delivery not accepted: its time is more than five minutes from the clock of the receiver. Correct the clock of this computer';
    default:
      return null;
  }
}

function openEndpoint({ secrets, key }: WebhookEndpointConfig) {
  return { readSecrets: createSecretReader(secrets), key };
}

type Verified = { readonly secret: LoadedSecret } | { readonly secret: null; readonly answer: Answer };

/** A valid signature with a wrong time returns 503: the local clock may be wrong, and the sender signs every retry again. */
function verifySignature(headers: Headers, body: Buffer, secrets: readonly LoadedSecret[], receivedAt: Date): Verified {
  const received = { headers, body, secrets: secrets.map(({ key }) => key), nowSeconds: receivedAt.getTime() / 1_000 };
  const signed = verify({ ...received, toleranceSeconds: Number.POSITIVE_INFINITY });
  if (!signed.ok) return { secret: null, answer: { status: 401, reason: signed.reason } };
  const problem = ageProblem(Number(headers.get(signatureHeaders.timestamp)), received);
  if (problem !== null) return { secret: null, answer: { status: 503, reason: problem } };
  const secret = secrets[signed.secretIndex];
  if (secret === undefined) throw new RangeError('verify returned an index without a secret');
  return { secret };
}

/** @returns null if the body is longer than `limit`; the rest is not read */
async function readBody({ body }: Request, limit: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const notificationSchema = z.object({ data: z.object({ order_id: z.guid() }) });

function readOrderId(body: Buffer): string | null {
  try {
    return notificationSchema.parse(JSON.parse(body.toString('utf8'))).data.order_id;
  } catch {
    return null;
  }
}

/** Compares in constant time. */
function isEqual(text: string, expected: string): boolean {
  const toDigest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(toDigest(text), toDigest(expected));
}

/** Messages of unexpected errors may contain personal data. */
function toName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error';
}
