/**
 * Encrypts the values of key headers, which are real secrets of receivers, in the database and in snapshots ("Setup rules", 2).
 * The key exists only in this process, or in a file of a kept sandbox that no snapshot contains. API keys and signing secrets are not encrypted, because the sandbox derives them
 * from its seed and they are valid nowhere else.
 */
import type { KeptValue } from '../state/data-folder.ts';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface SecretStore {
  readonly encrypt: (text: string) => string;
  /** Throws for a text that this store has not encrypted. */
  readonly decrypt: (sealed: string) => string;
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export function createSecretStore(kept?: KeptValue<string>): SecretStore {
  const key = Buffer.from(kept?.load() ?? randomBytes(32).toString('hex'), 'hex');
  kept?.save(key.toString('hex'));
  return {
    encrypt(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce);
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64');
    },
    decrypt(sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const encrypted = bytes.subarray(nonceBytes + tagBytes);
      return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8');
    },
  };
}
