/** Standard Webhooks signatures ("Signature"), for the sender of the sandbox and for the receiver. No I/O. */
import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { limits } from '../service/contract/limits.ts';

export const signatureHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

const secretPrefix = 'whsec_';
/** Standard Webhooks, "Signature scheme": 24 to 64 random bytes. */
const secretBytes = { min: 24, max: 64 } as const;
const signatureBytes = 32;
/** Of the ids that our sender makes: without dots, because id.timestamp.body would be ambiguous, and without spaces. */
const idPattern = /^[!-\-/-~]{1,255}$/;
const timestampPattern = /^[1-9][0-9]{0,14}$/;

/** A signing secret is invalid. The message describes the problem without the secret. */
export class WebhookSecretError extends Error {
  override readonly name = 'WebhookSecretError';

  constructor(problem: string) {
    super(`The webhook signing secret ${problem}`);
  }
}

/** Reads the key of `whsec_<base64>`. A KeyObject, because it does not show its content when it is printed. Throws WebhookSecretError. */
export function parseSecret(text: string): KeyObject {
  const problem = secretProblem(text);
  if (problem !== null) throw new WebhookSecretError(problem);
  return createSecretKey(Buffer.from(text.slice(secretPrefix.length), 'base64'));
}

interface Message {
  readonly id: string;
  /** Unix time of this attempt, not of the event. */
  readonly timestampSeconds: number;
  readonly body: Uint8Array;
  /** Newest first; each adds one signature. */
  readonly secrets: readonly KeyObject[];
}

/** The value of webhook-signature: `v1,<base64>` for each secret in the given order. Throws RangeError for a message that no receiver could verify. */
export function sign({ id, timestampSeconds, body, secrets }: Message): string {
  if (!idPattern.test(id)) throw new RangeError('A webhook id is 1 to 255 printable ASCII characters without a dot');
  if (!Number.isInteger(timestampSeconds) || !timestampPattern.test(String(timestampSeconds))) {
    throw new RangeError('A webhook timestamp is a positive number of whole seconds');
  }
  requireSecrets(secrets);
  return secrets.map((secret) => `v1,${mac(secret, id, String(timestampSeconds), body).toString('base64')}`).join(' ');
}

interface Received {
  /** For example the Headers of fetch. Names are in lower case. */
  readonly headers: { readonly get: (name: string) => string | null };
  /** The received bytes: a parsed and serialized body does not verify. */
  readonly body: Uint8Array;
  readonly secrets: readonly KeyObject[];
  readonly nowSeconds: number;
  readonly toleranceSeconds?: number;
}

export type SignatureRefusal =
  | 'missing_header'
  | 'malformed_timestamp'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'no_match';

/** `secretIndex`: the first secret that matches one of the signatures. */
export type SignatureVerification =
  | { readonly ok: true; readonly secretIndex: number }
  | { readonly ok: false; readonly reason: SignatureRefusal };

/** The headers that a signature covers. */
export interface SignedHeaders {
  readonly id: string;
  /** Unix time in seconds. */
  readonly timestamp: number;
  readonly signature: string;
}

/**
 * Reads the headers before the body is. The id may be any text, and the time may have text after it, as for the reference library: a delivery
 * that it verifies must not be lost.
 */
export function readSignedHeaders(headers: Received['headers']): SignedHeaders | SignatureRefusal {
  const id = headers.get(signatureHeaders.id);
  const time = headers.get(signatureHeaders.timestamp);
  const signature = headers.get(signatureHeaders.signature);
  if (!id || !time || !signature) return 'missing_header';
  const timestamp = Number.parseInt(time, 10);
  return Number.isNaN(timestamp) ? 'malformed_timestamp' : { id, timestamp, signature };
}

/** Checks the signature and the timestamp of a request. Throws only when `secrets` is empty. */
export function verify(received: Received): SignatureVerification {
  requireSecrets(received.secrets);
  const headers = readSignedHeaders(received.headers);
  if (typeof headers === 'string') return { ok: false, reason: headers };
  const { id, timestamp, signature } = headers;
  const reason = ageProblem(timestamp, received);
  if (reason !== null) return { ok: false, reason };
  const macs = received.secrets.map((secret) => mac(secret, id, String(timestamp), received.body));
  const secretIndex = firstMatch(macs, readEntries(signature));
  return secretIndex === -1 ? { ok: false, reason: 'no_match' } : { ok: true, secretIndex };
}

function secretProblem(text: string): string | null {
  if (text === '') return 'is empty';
  if (/^\s|\s$/.test(text))
    return 'begins or ends with a space or a line break; a file with the secret must contain nothing else';
  if (/^v1a?,/.test(text)) return 'begins with "v1,"; use the part after it, which begins with whsec_';
  if (!text.startsWith(secretPrefix)) return 'does not begin with whsec_';
  const encoded = text.slice(secretPrefix.length);
  const key = Buffer.from(encoded, 'base64');
  // Buffer.from skips invalid characters and accepts the URL-safe alphabet; encoding again detects both.
  if (key.toString('base64') !== encoded) return 'is not padded standard base64 after whsec_';
  if (key.length >= secretBytes.min && key.length <= secretBytes.max) return null;
  return `has ${key.length} bytes; ${secretBytes.min} to ${secretBytes.max} are required`;
}

function requireSecrets(secrets: readonly KeyObject[]): void {
  if (secrets.length === 0) throw new WebhookSecretError('is missing');
}

/** Whether the time of a request lies within the tolerance. `timestamp`: Unix time in seconds, of its header. */
export function ageProblem(
  timestamp: number,
  received: Pick<Received, 'nowSeconds' | 'toleranceSeconds'>,
): SignatureRefusal | null {
  const tolerance = received.toleranceSeconds ?? limits.webhook.timestampToleranceSeconds;
  const age = Math.floor(received.nowSeconds) - timestamp;
  // Negated: when the clock is NaN, every request is refused.
  if (!(age <= tolerance)) return 'timestamp_too_old';
  return age >= -tolerance ? null : 'timestamp_too_new';
}

function mac(secret: KeyObject, id: string, timestamp: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest();
}

/** Ignores entries of other versions, and those that are not 32 bytes, which cannot match. The size of the headers bounds their number. */
function readEntries(signature: string): Buffer[] {
  return signature.split(' ').flatMap((entry) => {
    const [version, encoded = ''] = entry.split(',');
    const bytes = version === 'v1' ? Buffer.from(encoded, 'base64') : null;
    return bytes?.length === signatureBytes ? [bytes] : [];
  });
}

/** Compares all pairs, because the time of an early end would reveal a match. */
function firstMatch(macs: readonly Buffer[], signatures: readonly Buffer[]): number {
  const matches = macs.map((mac) => signatures.filter((entry) => timingSafeEqual(mac, entry)).length > 0);
  return matches.indexOf(true);
}
