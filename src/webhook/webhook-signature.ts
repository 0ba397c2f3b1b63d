/** Standard Webhooks signatures ("Signature"), for the sandbox sender and for the receiver. Bytes in, no I/O. */
import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { limits } from '../contract/limits.ts';

export const signatureHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

const secretPrefix = 'whsec_';
/** The Standard Webhooks text, "Signature scheme": 24 to 64 random bytes. */
const secretBytes = { min: 24, max: 64 } as const;
const signatureBytes = 32;
/** Two while a secret is rotated; more would only cost computing time. */
const entriesAtMost = 16;
/** No dot: id.timestamp.body would be ambiguous. No space: two headers of one name arrive joined by ", ". */
const idPattern = /^[!-\-/-~]{1,255}$/;
const timestampPattern = /^[1-9][0-9]{0,14}$/;

/** A signing secret that cannot be used. The message names the mistake and never shows the secret. */
export class WebhookSecretError extends Error {
  override readonly name = 'WebhookSecretError';

  constructor(problem: string) {
    super(`The webhook signing secret ${problem}`);
  }
}

/** The key in `whsec_<base64>`. A KeyObject shows nothing of itself when it is printed. Throws WebhookSecretError. */
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
  /** The newest first; each gives one entry. */
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
  /** Fetch's Headers, or anything that finds a header by its lower-case name. */
  readonly headers: { readonly get: (name: string) => string | null };
  /** Exactly as received: a parsed and serialised body does not verify. */
  readonly body: Uint8Array;
  readonly secrets: readonly KeyObject[];
  readonly nowSeconds: number;
  readonly toleranceSeconds?: number;
}

export type SignatureRefusal =
  | 'missing_header'
  | 'malformed_id'
  | 'malformed_timestamp'
  | 'malformed_signature'
  | 'too_many_signatures'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'no_match';

/** `secretIndex`: the first of the given secrets that made one of the signatures. */
export type Verification =
  | { readonly ok: true; readonly secretIndex: number }
  | { readonly ok: false; readonly reason: SignatureRefusal };

/** Whether a request was signed with one of the secrets, at a time near `nowSeconds`. Throws only when no secret is given. */
export function verify(received: Received): Verification {
  requireSecrets(received.secrets);
  const id = received.headers.get(signatureHeaders.id);
  const timestamp = received.headers.get(signatureHeaders.timestamp);
  const signature = received.headers.get(signatureHeaders.signature);
  if (!id || !timestamp || !signature) return { ok: false, reason: 'missing_header' };
  const reason = headerProblem(id, timestamp, signature) ?? ageProblem(Number(timestamp), received);
  if (reason !== null) return { ok: false, reason };
  const macs = received.secrets.map((secret) => mac(secret, id, timestamp, received.body));
  const secretIndex = firstMatch(macs, readEntries(signature));
  return secretIndex === -1 ? { ok: false, reason: 'no_match' } : { ok: true, secretIndex };
}

function secretProblem(text: string): string | null {
  if (text === '') return 'is empty';
  if (/^\s|\s$/.test(text))
    return 'begins or ends with a space or a line break; a file that holds it must hold nothing else';
  if (/^v1a?,/.test(text)) return 'begins with "v1,": give what follows it, beginning with whsec_';
  if (!text.startsWith(secretPrefix)) return 'does not begin with whsec_';
  const encoded = text.slice(secretPrefix.length);
  const key = Buffer.from(encoded, 'base64');
  // Buffer.from skips what is not base64, and knows the URL-safe alphabet; writing it again shows both.
  if (key.toString('base64') !== encoded) return 'is not padded standard base64 after whsec_';
  if (key.length >= secretBytes.min && key.length <= secretBytes.max) return null;
  return `holds ${key.length} bytes; ${secretBytes.min} to ${secretBytes.max} are needed`;
}

function requireSecrets(secrets: readonly KeyObject[]): void {
  if (secrets.length === 0) throw new WebhookSecretError('is missing');
}

function headerProblem(id: string, timestamp: string, signature: string): SignatureRefusal | null {
  if (!idPattern.test(id)) return 'malformed_id';
  if (!timestampPattern.test(timestamp)) return 'malformed_timestamp';
  // Two headers of that name, joined by the HTTP server.
  if (signature.includes(', ')) return 'malformed_signature';
  return signature.split(' ', entriesAtMost + 1).length > entriesAtMost ? 'too_many_signatures' : null;
}

function ageProblem(timestamp: number, received: Received): SignatureRefusal | null {
  const tolerance = received.toleranceSeconds ?? limits.webhook.timestampToleranceSeconds;
  const age = Math.floor(received.nowSeconds) - timestamp;
  // Negated, so that a clock that is no number refuses everything.
  if (!(age <= tolerance)) return 'timestamp_too_old';
  return age >= -tolerance ? null : 'timestamp_too_new';
}

/** The timestamp is signed as it was written: text that reads as the same number is another text. */
function mac(secret: KeyObject, id: string, timestamp: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest();
}

/** Entries of other versions are not ours to judge; one that is no canonical base64 of 32 bytes cannot match. */
function readEntries(signature: string): Buffer[] {
  return signature.split(' ').flatMap((entry) => {
    if (!entry.startsWith('v1,')) return [];
    const given = Buffer.from(entry.slice(3), 'base64');
    return given.length === signatureBytes && given.toString('base64') === entry.slice(3) ? [given] : [];
  });
}

/** Every pair is compared, so that the time reveals nothing. */
function firstMatch(macs: readonly Buffer[], given: readonly Buffer[]): number {
  const matches = macs.map((mac) => given.filter((entry) => timingSafeEqual(mac, entry)).length > 0);
  return matches.indexOf(true);
}
