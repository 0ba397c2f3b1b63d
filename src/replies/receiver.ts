/**
 * Receives signed webhooks: replies to campaigns, and notifications of order status. The sender drops a delivery after almost any 4xx and
 * retries a 5xx for about 12 hours. So only a wrong signature returns 401, and every error of prospect-sync returns 503.
 */
import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { isSameSecret } from '../base/same-secret.ts';
import { orderStatusPath, replyPath, type WebhookEndpointConfig } from '../config/reply-settings.ts';
import { rejectOnAbort } from '../base/host/reject-on-abort.ts';
import type { Fetch } from '../base/http/http-answer.ts';
import { errorName } from '../base/failures/error-name.ts';
import { LedgerError } from '../ledger/ledger-error.ts';
import type { ReplyStore } from '../ledger/reply-store.ts';
import type { SecretUseStore } from '../ledger/secret-use-store.ts';
import type { ReplyPolicy } from '../config/reply-policy.ts';
import type { Log } from '../base/logs.ts';
import { ExplainedError } from '../base/text/explained-error.ts';
import { createBodyReader } from './read-body.ts';
import { ageProblem, readSignedHeaders, verify, type SignedHeaders } from './webhook-signature.ts';
import { parseReply, readReply, tooLargeReply, toReplyId } from './read-reply.ts';
import { readRefusal } from './refusal.ts';
import { createSecretUses } from './secret-uses.ts';
import { createDeliveryWarnings, problemOf, type AnswerReason, type EndpointName } from './delivery-warnings.ts';
import { createSecretReader, type LoadedSecret } from './webhook-secrets.ts';

export interface ReceiverDependencies {
  readonly replies: WebhookEndpointConfig;
  readonly orderStatus: WebhookEndpointConfig;
  /** Returns the subjects to suppress if a forgotten person opts out, whose reply is not stored. */
  readonly policy: Pick<ReplyPolicy, 'suppress' | 'suppressColleagues'>;
  readonly inbox: Pick<ReplyStore, 'receive'>;
  readonly secretUses: Pick<SecretUseStore, 'add'>;
  /** Signals the workflow that waits for an order, if there is one. */
  readonly wakeOrder: (orderId: string) => Promise<void>;
  readonly log: Log;
  readonly now?: () => Date;
  /** Called with every answer to a delivery. */
  readonly onAnswer?:
    | ((answer: { readonly endpoint: EndpointName; readonly status: number; readonly reason: string }) => void)
    | undefined;
}

export interface Receiver {
  readonly fetch: Fetch;
  /** @throws {ExplainedError} for a secret that cannot be read */
  readonly readSecrets: () => Promise<void>;
  /** Answers every further delivery with 503, so that the sender retries it. */
  readonly stop: () => void;
  /** Saves the uses of the secrets that are not saved yet. */
  readonly saveUses: () => Promise<void>;
}

/** A larger body is quarantined without being stored. The longest reply of the specification takes about 120 kB. */
const storedBytes = 1024 ** 2;
/** The sender waits 15 seconds for an answer. */
const answerWithinMs = 10_000;
const retryAfterSeconds = 60;

/** A verified delivery. */
interface Delivery {
  readonly webhookId: string;
  readonly body: Buffer;
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
  const readBody = createBodyReader();
  const uses = createSecretUses(dependencies.secretUses, log);
  let isStopped = false;

  const endpoints = {
    replies: { ...openEndpoint(dependencies.replies), accept: acceptReply },
    order_status: { ...openEndpoint(dependencies.orderStatus), accept: acceptOrderStatus },
  };

  async function acceptReply({ webhookId, body, receivedAt }: Delivery): Promise<Answer> {
    // A body in another encoding is kept readable for a person, and is searched for a refusal only.
    const isText = isUtf8(body);
    const text = body.toString(isText ? 'utf8' : 'latin1');
    const isStored = body.length <= storedBytes;
    const reply = isText && isStored ? parseReply(text) : null;
    const read = isText && !isStored ? tooLargeReply : readReply(webhookId, receivedAt, reply);
    const refusedBy = readRefusal(text, dependencies.policy, reply);
    const stored = await inbox.receive({ webhookId, receivedAt, body: isStored ? text : null, ...read }, refusedBy);
    const { state, reason, isOther } = stored;
    if (isOther) warn('other_body', otherBody, { webhookId });
    if (state === 'quarantined') log('Reply quarantined', 'warn', { webhookId, reason: reason ?? '' });
    return { status: 202, reason: state };
  }

  /** The payload is neither specified nor trusted: only its order id is used, to read the status again. */
  async function acceptOrderStatus({ webhookId, body }: Delivery): Promise<Answer> {
    const orderId = readOrderId(body);
    if (orderId === null) {
      log('Notification without an order id ignored', 'warn', { webhookId });
      return { status: 202, reason: 'no_order' };
    }
    try {
      await dependencies.wakeOrder(orderId);
    } catch {
      return refuse(503, 'temporal_unavailable');
    }
    return { status: 202, reason: 'accepted' };
  }

  /** The headers are judged before the body is read. */
  async function answer(name: EndpointName, request: Request): Promise<Answer> {
    const { readSecrets, key, accept } = endpoints[name];
    if (isStopped) return refuse(503, 'stopping');
    const headers = readSignedHeaders(request.headers);
    if (typeof headers === 'string') return refuse(401, headers);
    const secrets = await readSecrets();
    if (secrets.length === 0) return refuse(503, 'no_secret');
    const body = await readBody(request);
    if (body === 'too_large') return refuse(401, 'body_too_large');
    if (body === 'busy') return refuse(503, 'busy');
    const receivedAt = now();
    const secret = verifySignature(headers, { request, body, secrets, receivedAt });
    if ('reason' in secret) return secret;
    if (key !== null && !isSameSecret(request.headers.get(key.header) ?? '', key.value.reveal()))
      return refuse(503, 'key_differs');
    const delivery = { webhookId: toReplyId(headers.id), body, receivedAt: receivedAt.toISOString() };
    const accepted = await accept(delivery);
    if (accepted.status === 202) uses.count(name, secret.fingerprint, delivery.receivedAt);
    return accepted;
  }

  async function respond(name: EndpointName, request: Request): Promise<Response> {
    const aborted = AbortSignal.timeout(answerWithinMs);
    const { status, reason } = await rejectOnAbort(answer(name, request), aborted).catch((error: unknown): Answer => {
      const isExplained = error instanceof ExplainedError;
      const cause =
        error instanceof LedgerError
          ? 'ledger_unavailable'
          : isExplained
            ? 'secret_unreadable'
            : aborted.aborted
              ? 'too_slow'
              : 'unexpected';
      warn(`${name} ${cause}`, `Delivery not accepted: ${isExplained ? error.message : errorName(error)}`, {
        endpoint: name,
        reason: cause,
      });
      return { status: 503, reason: cause };
    });
    const problem = problemOf(name, reason);
    if (problem !== null) warn(`${name} ${reason}`, problem, { endpoint: name, reason });
    onAnswer({ endpoint: name, status, reason });
    return toResponse(status, reason);
  }

  return {
    async fetch(request) {
      const path = pathOf(request);
      const name = path === replyPath ? 'replies' : path === orderStatusPath ? 'order_status' : null;
      if (name === null) {
        warn('unknown_path', unknownPath, { reason: 'unknown_path' });
        return toResponse(404, 'unknown_path');
      }
      // A probe is no delivery: it is neither counted nor logged.
      return request.method === 'POST' ? respond(name, request) : toResponse(405, 'only_post', { allow: 'POST' });
    },
    async readSecrets() {
      await Promise.all([endpoints.replies.readSecrets(), endpoints.order_status.readSecrets()]);
    },
    stop() {
      isStopped = true;
    },
    saveUses: uses.save,
  };
}

const otherBody =
  'Delivery dropped: its webhook-id is that of another one, and its content is not. The service repeats an id only with the same content: report it to the service';
const unknownPath = `Delivery refused: the receiver has no such path. The receiver address in the service must end with ${replyPath}, and the webhook_url of an order with ${orderStatusPath}`;

/** Proxies join paths with one slash too many. */
function pathOf({ url }: Request): string {
  return new URL(url).pathname.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}

function toResponse(status: number, reason: string, headers: Record<string, string> = {}): Response {
  const retry = status === 503 ? { 'retry-after': String(retryAfterSeconds) } : {};
  // The rest of a body that is not read must not hold the connection.
  const closed = status === 202 ? {} : { connection: 'close' };
  return Response.json({ status: reason }, { status, headers: { ...headers, ...retry, ...closed } });
}

function refuse(status: 401 | 503, reason: AnswerReason): Answer {
  return { status, reason };
}

function openEndpoint({ secrets, key }: WebhookEndpointConfig) {
  return { readSecrets: createSecretReader(secrets), key };
}

interface ReadDelivery {
  readonly request: Request;
  readonly body: Buffer;
  readonly secrets: readonly LoadedSecret[];
  readonly receivedAt: Date;
}

/** A valid signature with a wrong time returns 503: the local clock may be wrong, and the sender signs every retry again. */
function verifySignature(
  { timestamp }: SignedHeaders,
  { request: { headers }, body, secrets, receivedAt }: ReadDelivery,
): LoadedSecret | Answer {
  const received = { headers, body, secrets: secrets.map(({ key }) => key), nowSeconds: receivedAt.getTime() / 1_000 };
  const signed = verify({ ...received, toleranceSeconds: Number.POSITIVE_INFINITY });
  if (!signed.ok) return refuse(401, signed.reason);
  const problem = ageProblem(timestamp, received);
  if (problem !== null) return refuse(503, problem);
  const secret = secrets[signed.secretIndex];
  if (secret === undefined) throw new RangeError('verify returned an index without a secret');
  return secret;
}

const notificationSchema = z.object({ data: z.object({ order_id: z.guid() }) });

function readOrderId(body: Buffer): string | null {
  try {
    return notificationSchema.parse(JSON.parse(body.toString('utf8'))).data.order_id;
  } catch {
    return null;
  }
}
