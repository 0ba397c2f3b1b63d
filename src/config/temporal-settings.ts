/** `temporal`: encryption and the heartbeat timeout. The address comes from TEMPORAL_ADDRESS or a Temporal profile. */
import type { Environment } from '../base/host/environment-variables.ts';
import { z } from 'zod';
import { durationBetween } from './duration.ts';
import { checkVariable, toSecret, fromEnvironment } from './environment.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { childOf } from './partial-validation.ts';

const keySchema = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/, 'an id consists of up to 64 letters, digits, ., _ and -')
      .describe('Name of the key; every payload carries it unencrypted, to find the key for decryption'),
    env: fromEnvironment.shape.env.describe(
      'Environment variable that holds the key: 32 bytes in base64 (openssl rand -base64 32)',
    ),
  })
  .describe('A key, as {id: 2026-11, env: NAME}');

export const temporalSchema = z
  .strictObject({
    encryption: z
      .strictObject({
        key: keySchema.describe('Key that encrypts new payloads, as {id: 2026-11, env: NAME}'),
        older_keys: z.array(keySchema).default([]).describe('Earlier keys; they only decrypt'),
        accept_plain: z
          .boolean()
          .default(false)
          .describe('Also accept unencrypted payloads; needed only while runs from before encryption are in progress'),
      })
      .optional()
      .describe('Encryption of the inputs, results, summaries and failures that Temporal stores'),
    heartbeat_timeout: durationBetween('1s', '10m')
      .prefault('30s')
      .describe(
        'Heartbeat timeout of activities: another worker retries an activity that has sent no heartbeat for this long',
      ),
  })
  .prefault({})
  .describe('Encryption of payloads, and the heartbeat timeout');

const keyVariable = {
  // 32 bytes are 43 base64 characters, the last of which carries two unused bits, and one padding character.
  pattern: /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/,
  rule: 'must hold a key of 32 bytes in base64 (openssl rand -base64 32)',
};

export function checkTemporal(temporal: unknown, env: Environment): PathProblem[] {
  const path = ['temporal', 'encryption'];
  const encryption = childOf(temporal, 'encryption');
  const olderKeys = childOf(encryption, 'older_keys');
  const keys: [path: PropertyKey[], key: unknown][] = [
    [[...path, 'key'], childOf(encryption, 'key')],
    ...(Array.isArray(olderKeys) ? olderKeys : []).map((key: unknown, index): [PropertyKey[], unknown] => [
      [...path, 'older_keys', index],
      key,
    ]),
  ];
  const ids = new Set<string>();
  return keys.flatMap(([keyPath, key]) => {
    const id = keySchema.shape.id.safeParse(childOf(key, 'id'));
    const isRepeated = id.success && ids.has(id.data);
    if (id.success) ids.add(id.data);
    return [
      ...checkVariable([...keyPath, 'env'], key, keyVariable, env),
      // Decryption finds the key by its id.
      ...(isRepeated ? [problemAt([...keyPath, 'id'], 'is already the id of another key', uniqueId)] : []),
    ];
  });
}

const uniqueId = 'Give each key its own id, for example the month of its first use';

export function toTemporal({ encryption, heartbeat_timeout }: z.infer<typeof temporalSchema>, env: Environment) {
  const toKey = ({ id, env: name }: z.infer<typeof keySchema>) => ({ id, secret: toSecret({ env: name }, env) });
  return {
    /** null: payloads are not encrypted. */
    encryption:
      encryption === undefined
        ? null
        : {
            key: toKey(encryption.key),
            olderKeys: encryption.older_keys.map(toKey),
            /** Whether unencrypted payloads are accepted. */
            acceptPlain: encryption.accept_plain,
          },
    heartbeatTimeoutMs: heartbeat_timeout,
  };
}

export type TemporalConfig = ReturnType<typeof toTemporal>;
export type EncryptionConfig = NonNullable<TemporalConfig['encryption']>;
/** `secret`: 32 bytes in base64. */
export type EncryptionKey = EncryptionConfig['key'];

/** Of a project without a configuration file. */
export const defaultTemporal = toTemporal(temporalSchema.parse({}), {});

export const temporalTemplate = `# Temporal stores inputs, results, summaries and failures: they are encrypted with keys of 32 bytes (openssl rand -base64 32).
# temporal:
#   encryption:                           # \`npx prospect-sync codec-server\` decrypts for the Temporal UI
#     key:
#       id: 2026-11                       # every payload carries it unencrypted
#       env: ENCRYPTION_KEY
#     older_keys: [{id: 2026-05, env: OLD_ENCRYPTION_KEY}]   # they only decrypt
#     accept_plain: false                 # true only while runs from before encryption are in progress
#   heartbeat_timeout: 30s                # another worker retries an activity that has sent no heartbeat for this long
`;
