/** How every client and worker of this program turns values into what Temporal keeps, and back. */
import path from 'node:path';
import type { DataConverter } from '@temporalio/common';
import type { EncryptionConfig, EncryptionKey } from '../config/temporal-settings.ts';
import { createEncryptionCodec, type CodecKey, type CodecKeys } from './encryption-codec.ts';

/** Temporal loads it by path. TypeScript in the clone, JavaScript in the package. */
export const failureConverterPath = path.join(
  import.meta.dirname,
  `failure-converter${path.extname(import.meta.filename)}`,
);

/** Without encryption Temporal's own. A bundle made beforehand needs `failureConverterPath` too. */
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
