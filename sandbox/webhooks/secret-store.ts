/**
 * Encrypts secrets that must not be readable in the database or in a snapshot ("Setup rules", 2): values of key headers, which are
 * real secrets of receivers. Its key ends with the process. API keys and signing secrets are stored in plain text: the
 * sandbox derives them from its seed, they are valid nowhere else, and the file is removed when the process ends.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface SecretStore {
  readonly encrypt: (text: string) => string;
  /** Throws for a text that this store has not encrypted. */
  readonly decrypt: (sealed: string) => string;
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export function createSecretStore(): SecretStore {
  const key = randomBytes(32);
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
