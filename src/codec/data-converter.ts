/** How every client and worker of this program turns values into what Temporal keeps, and back. */
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import type { DataConverter } from '@temporalio/common';
import type { EncryptionConfig, EncryptionKey } from '../config/temporal-settings.ts';
import { createEncryptionCodec, type CodecKey, type CodecKeys } from './encryption-codec.ts';

/** Temporal loads it by path. The same ending as this file's: the package holds JavaScript. */
const failureConverterPath = createRequire(import.meta.url).resolve(
  `./failure-converter${extname(import.meta.filename)}`,
);

/** Without encryption Temporal's own. A bundle made beforehand needs `failureConverterPath` too. */
export function createDataConverter(encryption: EncryptionConfig | null): DataConverter {
  if (encryption === null) return {};
  return { payloadCodecs: [createEncryptionCodec(toCodecKeys(encryption))], failureConverterPath };
}

export function toCodecKeys({ key, olderKeys }: EncryptionConfig): CodecKeys {
  return { current: toCodecKey(key), older: olderKeys.map(toCodecKey) };
}

function toCodecKey({ id, secret }: EncryptionKey): CodecKey {
  return { id, bytes: Buffer.from(secret.reveal(), 'base64') };
}
