/** Digests of slots and rows, from which anyone can recompute the digests of a certificate (docs/certificate.md). */
import { createHash } from 'node:crypto';
import { digest, isTextOrNull } from './canonical-json.ts';

/** Texts that may change between releases of the service ("Reason object": only the code is stable). */
const wordings: ReadonlySet<string> = new Set(['message', 'label']);

/** True for a text of such a field. A list or an object under its name counts as every other value. */
export function isWording(name: string, value: unknown): boolean {
  return wordings.has(name) && isTextOrNull(value);
}

/** SHA-256 of the canonical JSON of a slot without wordings, in hex. */
export function slotDigest(slot: unknown): string {
  return digest(slot, wordings);
}

/** SHA-256 over digests in the order in which they are added, each as 64 hex digits. */
export function createDigestList() {
  const hash = createHash('sha256');
  let length = 0;
  return {
    add(digest: string): void {
      hash.update(digest);
      length += 1;
    },
    get length() {
      return length;
    },
    /** Can be called once. */
    hex: () => hash.digest('hex'),
  };
}
