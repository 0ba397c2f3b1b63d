/** Ed25519 signatures of certificates. The signed bytes are the canonical JSON (RFC 8785) of the document without its signature. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../base/json/canonical-json.ts';

/** Base64 of one form only: of two forms of the same bytes, one was changed after signing. */
const base64 = z
  .string()
  .max(200)
  .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, 'must be base64');

/** No further members: they would not be signed. */
export const signatureSchema = z.strictObject({
  algorithm: z.literal('Ed25519').describe('Algorithm of the signature'),
  public_key: base64.describe('Public key: base64 of the DER form of SubjectPublicKeyInfo'),
  value: base64.describe('Signature: base64 of 64 bytes'),
});
export type Signature = z.infer<typeof signatureSchema>;

/** A new private key: PKCS #8 in base64. */
export function generatePrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
}

/** Reads PKCS #8 in base64, with or without the lines of PEM. @throws Error for any other text; it does not quote the text */
export function readPrivateKey(text: string): KeyObject {
  const key = createPrivateKey({ key: toDer(text), format: 'der', type: 'pkcs8' });
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new Error('not an Ed25519 key');
}

/** Reads a public key: SubjectPublicKeyInfo in base64, with or without the lines of PEM. null for any other text. */
export function readPublicKey(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: toDer(text), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

function toDer(text: string): Buffer {
  return Buffer.from(text.replaceAll(/-----[A-Z ]+-----/g, ''), 'base64');
}

/** SubjectPublicKeyInfo in base64, of a private or a public key. */
export function publicKeyText(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
}

/** SHA-256 of the DER form of a public key, in hex. */
export function fingerprintOf(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex');
}

export function signDocument<T extends object>(document: T, privateKey: KeyObject): T & { signature: Signature } {
  const value = sign(null, Buffer.from(canonicalJson(document)), privateKey).toString('base64');
  return { ...document, signature: { algorithm: 'Ed25519', public_key: publicKeyText(privateKey), value } };
}

/** True when the holder of the private key has signed exactly this document. */
export function isSignedDocument(document: object, signature: Signature): boolean {
  const key = readPublicKey(signature.public_key);
  // Further bytes after a key are ignored when it is read, and would not be noticed.
  if (key === null || publicKeyText(key) !== signature.public_key) return false;
  const bytes = Buffer.from(canonicalJson(document));
  return verify(null, bytes, key, Buffer.from(signature.value, 'base64'));
}
