/**
 * Encrypts what must not lie open in the database or in a snapshot ("Setup rules", 2): values of key headers, which are
 * somebody else's secrets. Its key dies with the process. API keys and signing secrets do lie open there: they are this
 * stand-in's own inventions, follow from its seed, open nothing elsewhere, and the file goes when the process ends.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface SecretStore {
  readonly encrypt: (text: string) => string;
  /** Throws for what this vault has not sealed. */
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
