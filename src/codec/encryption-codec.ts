/**
 * AES-256-GCM around whole payloads, in the layout of Temporal's samples (`binary/encrypted`), so that their codecs in
 * other languages read it with the same key: data = nonce (12 bytes), ciphertext, tag (16 bytes).
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import { toPrintable } from '../text/printable-text.ts';
import { ExplainedError } from '../text/explained-error.ts';

export interface CodecKey {
  /** Stands in every payload, readable. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Uint8Array;
}

export interface CodecKeys {
  /** Encrypts what is new. */
  readonly current: CodecKey;
  /** Only decrypt. */
  readonly older: readonly CodecKey[];
  /** Payloads that are not encrypted pass when decoded; they are refused unless it is true. */
  readonly acceptPlain?: boolean;
}

const encryptedEncoding = 'binary/encrypted';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const keyIdField = 'encryption-key-id';
const { Payload: wire } = proto.temporal.api.common.v1;

/**
 * Decoding rejects with CodecError. Whoever may start workflows could otherwise have them run with input of his own.
 * Nothing else is authenticated with a payload (its workflow, for example): the UI does not tell the codec server where
 * one comes from, and Temporal itself hands them from one workflow to the next.
 */
export function createEncryptionCodec({ current, older, acceptPlain = false }: CodecKeys): PayloadCodec {
  const keys = new Map([...older, current].map((key) => [key.id, key.bytes]));
  for (const [id, { length }] of keys)
    if (length !== keyBytes)
      throw new RangeError(`encryption key ${id} has ${length} bytes; AES-256 takes ${keyBytes}`);
  return {
    encode: async (payloads) => payloads.map((payload) => encrypt(payload, current)),
    decode: async (payloads) =>
      payloads.map((payload) => {
        if (isEncrypted(payload)) return decrypt(payload, keys);
        if (acceptPlain || isEmpty(payload)) return payload;
        throw notEncrypted();
      }),
  };
}

export function isEncrypted({ metadata }: Payload): boolean {
  return textOf(metadata?.['encoding']) === encryptedEncoding;
}

/** `null`, or nothing at all, as the server and other clients write it where there is no value. */
function isEmpty({ metadata, data }: Payload): boolean {
  return ['', 'binary/null'].includes(textOf(metadata?.['encoding'])) && !data?.length;
}

/** Of the key that a payload is encrypted with; null when it is not encrypted. */
export function keyIdOf(payload: Payload): string | null {
  return isEncrypted(payload) ? textOf(payload.metadata?.[keyIdField]) : null;
}

function encrypt(payload: Payload, { id, bytes }: CodecKey): Payload {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce, { authTagLength: tagBytes });
  const sealed = cipher.update(wire.encode(payload).finish());
  return {
    metadata: { encoding: Buffer.from(encryptedEncoding), [keyIdField]: Buffer.from(id) },
    data: Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()]),
  };
}

function decrypt({ metadata, data }: Payload, keys: ReadonlyMap<string, Uint8Array>): Payload {
  const id = textOf(metadata?.[keyIdField]);
  if (id === '' || !data || data.length < nonceBytes + tagBytes)
    throw new CodecError(
      'malformed',
      id || null,
      'a payload says that it is encrypted, but has no key id or is cut off',
    );
  const key = keys.get(id);
  if (key === undefined) throw unknownKey(id, [...keys.keys()]);
  const decipher = createDecipheriv('aes-256-gcm', key, data.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAuthTag(data.subarray(-tagBytes));
  const opened = decipher.update(data.subarray(nonceBytes, -tagBytes));
  try {
    return wire.decode(Buffer.concat([opened, decipher.final()]));
  } catch {
    const text = `a payload encrypted with key ${JSON.stringify(id)} cannot be decrypted: it was changed, or this is another key of that id`;
    throw new CodecError('not-authentic', id, text);
  }
}

function unknownKey(id: string, known: readonly string[]): CodecError {
  const text = `a payload is encrypted with key ${JSON.stringify(id)}, which is not configured (known here: ${known.join(', ')}): name it under temporal.encryption.older_keys`;
  return new CodecError('unknown-key', id, text);
}

function notEncrypted(): CodecError {
  const text =
    'a payload is not encrypted, and temporal.encryption.accept_plain is false. If runs from before encryption are still in progress, set it to true until they have ended';
  return new CodecError('not-encrypted', null, text);
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return bytes ? Buffer.from(bytes).toString('utf8') : '';
}

/** A payload that cannot be decrypted, or is not encrypted though it has to be. The message names the key by its id, never the key and never the content. */
export class CodecError extends ExplainedError {
  override readonly name = 'CodecError';
  readonly problem: 'unknown-key' | 'not-authentic' | 'malformed' | 'not-encrypted';
  readonly keyId: string | null;

  constructor(problem: CodecError['problem'], keyId: string | null, message: string) {
    super(toPrintable(message));
    this.problem = problem;
    this.keyId = keyId;
  }
}
