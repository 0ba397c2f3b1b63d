/** `temporal:` of prospect-sync.yaml. Where Temporal is, its own configuration says (TEMPORAL_ADDRESS or a profile). */
import { z } from 'zod';
import { durationBetween } from './duration.ts';
import { toSecret, type Environment } from './environment.ts';
import type { Secret } from './secret.ts';
import { fromEnvironment } from './setting-values.ts';

const keySchema = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/, 'an id consists of up to 64 letters, digits, ., _ and -')
      .describe('Name of the key; it stands readable in every payload, so that the key is found again'),
    env: fromEnvironment.shape.env.describe(
      'Environment variable that holds the key: 32 bytes in base64 (openssl rand -base64 32)',
    ),
  })
  .describe('A key, as {id: 2026-11, env: NAME}');

export const temporalSchema = z
  .strictObject({
    encryption: z
      .strictObject({
        key: keySchema.describe('Encrypts what is new, as {id: 2026-11, env: NAME}'),
        older_keys: z.array(keySchema).default([]).describe('Keys that were used before: they decrypt only'),
        accept_plain: z
          .boolean()
          .default(false)
          .describe(
            'Also read payloads that are not encrypted; only while runs from before encryption are in progress',
          ),
      })
      .optional()
      .describe('Encrypts what Temporal keeps of inputs, results, summaries and failures'),
    heartbeat_timeout: durationBetween('1s', '10m')
      .prefault('30s')
      .describe('A step whose worker has sent no sign of life for so long is retried by another worker'),
  })
  .prefault({})
  .describe('What Temporal gets to see, and when it takes a worker for dead');

export interface EncryptionKey {
  readonly id: string;
  /** 32 bytes in base64. */
  readonly secret: Secret;
}

export interface EncryptionConfig {
  readonly key: EncryptionKey;
  readonly olderKeys: readonly EncryptionKey[];
  /** Whether payloads that are not encrypted are read, too. */
  readonly acceptPlain: boolean;
}

export interface TemporalConfig {
  /** null: Temporal keeps everything as it is. */
  readonly encryption: EncryptionConfig | null;
  readonly heartbeatTimeoutMilliseconds: number;
}

export function toTemporal(
  { encryption, heartbeat_timeout: heartbeatTimeoutMilliseconds }: z.infer<typeof temporalSchema>,
  env: Environment,
): TemporalConfig {
  if (encryption === undefined) return { encryption: null, heartbeatTimeoutMilliseconds };
  const toKey = ({ id, env: name }: z.infer<typeof keySchema>) => ({ id, secret: toSecret({ env: name }, env) });
  const { key, older_keys: olderKeys, accept_plain: acceptPlain } = encryption;
  return {
    encryption: { key: toKey(key), olderKeys: olderKeys.map(toKey), acceptPlain },
    heartbeatTimeoutMilliseconds,
  };
}
