/** Sends one POST to a receiver over HTTP/1.1, with limits for time and size, to permitted addresses only. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { limits } from '../../src/service/contract/limits.ts';
import { AddressRefusedError, openGuardedRequest, type ResolveHost } from '../../src/base/http/public-fetch.ts';
import { checkPublicUrl, type AddressAllowance } from '../../src/base/http/public-address.ts';
import { truncateText } from './truncate-text.ts';
import type { NoAnswer, ReceiverAnswer } from './delivery-outcome.ts';
import type { DeliveryError } from '../state/webhook-records.ts';

const { answerTimeoutSeconds, answerReadBytes, answerKeptCharacters } = limits.webhook;

export interface WebhookPost {
  readonly url: string;
  /** Without host, content-length and connection, which are set here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly allowed: AddressAllowance;
  readonly resolve?: ResolveHost;
  /** Aborts the request; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** For the whole request, from DNS resolution to the last byte that is read. */
  readonly timeoutMs?: number;
}

/**
 * Returns the receiver's answer, or the reason why there is none. Redirects are not followed. An answer of more than 64 KB
 * counts as an answer; an incomplete or late one does not. A body without a length ends with its connection.
 * Throws TypeError for an invalid header.
 */
export async function postWebhook(post: WebhookPost): Promise<ReceiverAnswer | NoAnswer> {
  const refusal = checkPublicUrl(post.url, { allowed: post.allowed });
  if (refusal !== null) return noAnswer(refusal.error, null);
  post.signal?.throwIfAborted();
  const deadline = new AbortController();
  const signal = post.signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, post.signal]);
  const request = openRequest(post, signal);
  const timer = setTimeout(() => deadline.abort(), post.timeoutMs ?? answerTimeoutSeconds * 1_000);
  try {
    request.end(post.body);
    const response = await answerTo(request);
    const text = await readStart(response);
    // A body without a length looks complete when its connection is destroyed, also after an abort.
    signal.throwIfAborted();
    const { location = null, 'retry-after': retryAfter = null } = response.headers;
    return { kind: 'answer', status: response.statusCode ?? 0, text, location, retryAfter };
  } catch (error) {
    post.signal?.throwIfAborted();
    return deadline.signal.aborted ? noAnswer('timeout', null) : describeFailure(error, request.socket);
  } finally {
    clearTimeout(timer);
    request.destroy();
  }
}

/** The connection ended without an answer; Node has no error for it. */
class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly error: DeliveryError;

  constructor(error: DeliveryError) {
    super(error);
    this.error = error;
  }
}

function openRequest({ url, headers, body, allowed, resolve }: WebhookPost, signal: AbortSignal): ClientRequest {
  return openGuardedRequest(
    new URL(url),
    { allowed, resolve },
    { method: 'POST', headers: { ...headers, 'content-length': String(body.byteLength) }, signal },
  );
}

function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // `on`, not `once`: a second error event without a listener would end the process.
    request.on('error', reject);
    // A 101 answer emits only `close`.
    request.once('close', () => reject(new NoAnswerError('protocol')));
  });
}

/** Reads the first characters of at most 64 KB. Leaving the loop early destroys the socket. */
async function readStart(response: IncomingMessage): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let unread: number = answerReadBytes;
  for await (const chunk of response) {
    const bytes: Buffer = chunk;
    text += decoder.decode(bytes.subarray(0, unread), { stream: true });
    unread -= bytes.length;
    if (unread <= 0) return truncateText(text, answerKeptCharacters);
  }
  return truncateText(text + decoder.decode(), answerKeptCharacters);
}

function describeFailure(failure: unknown, socket: Socket | null): NoAnswer {
  if (failure instanceof NoAnswerError) return noAnswer(failure.error, null);
  if (failure instanceof AddressRefusedError) return noAnswer(failure.reason, systemCodeOf(failure.cause));
  const code = systemCodeOf(failure);
  // The TLS handshake sets it for every certificate error.
  if (socket instanceof TLSSocket && socket.authorizationError) return noAnswer('certificate', code);
  if (syscallOf(failure) === 'connect') return noAnswer('connect', code);
  return noAnswer(code !== null && resetCodes.has(code) ? 'reset' : 'protocol', code);
}

const resetCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT']);

function noAnswer(error: DeliveryError, code: string | null): NoAnswer {
  return { kind: 'error', error, code };
}

function systemCodeOf(failure: unknown): string | null {
  if (typeof failure !== 'object' || failure === null || !('code' in failure)) return null;
  return typeof failure.code === 'string' ? failure.code : null;
}

function syscallOf(failure: unknown): unknown {
  return typeof failure === 'object' && failure !== null && 'syscall' in failure ? failure.syscall : null;
}
