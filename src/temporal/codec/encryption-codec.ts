/** Payload encryption, and the data converter that clients and workers use with or without it. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import path from 'node:path';
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { EncryptionConfig, EncryptionKey } from '../../config/temporal-settings.ts';
import { ExplainedError } from '../../base/text/explained-error.ts';
import { toPrintable } from '../../base/text/printable-text.ts';

export interface CodecKey {
  /** In every payload, not encrypted. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Uint8Array;
}

export interface CodecKeys {
  /** Encrypts new payloads. */
  readonly current: CodecKey;
  /** Decrypt only. */
  readonly older: readonly CodecKey[];
  /** True: decoding returns plain payloads unchanged. Default: they are rejected. */
  readonly acceptPlain?: boolean;
}

const encryptedEncoding = 'binary/encrypted';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const keyIdField = 'encryption-key-id';
const { Payload: wire } = proto.temporal.api.common.v1;

/**
 * AES-256-GCM around whole payloads, in the layout of Temporal's samples (`binary/encrypted`): nonce (12 bytes), ciphertext,
 * tag (16 bytes). Codecs in other languages read it with the same key.
 *
 * Decoding rejects plain payloads with CodecError, so that only holders of a key can start workflows. The workflow of a
 * payload is not authenticated: Temporal passes payloads between workflows, and the UI does not name it to the codec server.
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

/** `null` or no data: the server and other clients write both for a missing value. */
function isEmpty({ metadata, data }: Payload): boolean {
  return ['', 'binary/null'].includes(textOf(metadata?.['encoding'])) && !data?.length;
}

/** Id of the key that encrypted a payload; null for a plain payload. */
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
      'a payload is marked as encrypted, but has no key id or is truncated',
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

/** A payload cannot be decrypted, or is plain although it must be encrypted. The message has the id of the key, never the key or the content. */
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

/** Temporal loads failure-converter by its path: TypeScript in a clone, JavaScript in the package. */
export const failureConverterPath = path.join(
  import.meta.dirname,
  `failure-converter${path.extname(import.meta.filename)}`,
);

/** Without encryption, Temporal's default. A bundle that is built beforehand needs `failureConverterPath` too. */
export function createDataConverter(encryption: EncryptionConfig | null): DataConverter {
  if (encryption === null) return {};
  return { payloadCodecs: [createEncryptionCodec(toCodecKeys(encryption))], failureConverterPath };
}

export function toCodecKeys({ key, olderKeys, acceptPlain }: EncryptionConfig): CodecKeys {
  return { current: toCodecKey(key), older: olderKeys.map(toCodecKey), acceptPlain };
}

function toCodecKey({ id, secret }: EncryptionKey): CodecKey {
  return { id, bytes: Buffer.from(secret.reveal(), 'base64') };
}
