import { childOf } from './json-schema.ts';
import type { PathProblem } from './schema-problems.ts';

/** What the variable of an encryption key must hold. */
export const encryptionKey = {
  // 32 bytes are 43 characters, the last of which has two bits to spare, and one sign that fills up.
  pattern: /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/,
  rule: 'must hold a key of 32 bytes in base64 (openssl rand -base64 32)',
};

/** Where keys stand in the file as written. */
export function encryptionKeyPaths(file: unknown): PropertyKey[][] {
  const path = ['temporal', 'encryption'];
  const older = childOf(path.reduce(childOf, file), 'older_keys');
  return [[...path, 'key'], ...(Array.isArray(older) ? older.map((_, index) => [...path, 'older_keys', index]) : [])];
}

/** Two keys of one id: which one decrypts could not be told. */
export function checkEncryption(file: unknown): PathProblem[] {
  const seen = new Set<unknown>();
  return encryptionKeyPaths(file)
    .filter((path) => {
      const id = childOf(path.reduce(childOf, file), 'id');
      const isRepeated = typeof id === 'string' && seen.has(id);
      seen.add(id);
      return isRepeated;
    })
    .map((path) => ({
      path: [...path, 'id'],
      at: 'value',
      rule: 'is the id of another key already',
      found: null,
      remedy: 'Give each key an id of its own, for example the month of its first use',
    }));
}
