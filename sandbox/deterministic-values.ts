/** Generated values are a function of a seed and a position; nothing is random. */
import { hash } from 'node:crypto';

/** A well-mixed 32-bit number; for a fixed seed and salt no two indexes below 2^32 share one (murmur3's finalizer). */
export function hashAt(seed: number, index: number, salt: number): number {
  return mix(mix(index ^ mix(salt + 1)) ^ mix(seed ^ 0x9e37_79b9));
}

/** The id of the object at an index; two indexes of one seed and kind never share an id. */
export function uuidAt(seed: number, index: number, kind: number): string {
  const word = (lane: number) => toHex(hashAt(seed, index, kind * 4 + lane));
  return toUuid(word(0) + word(1) + word(2) + word(3));
}

/** An id derived from these parts. */
export function uuidOf(...parts: readonly (string | number)[]): string {
  return toUuid(digestOf(...parts));
}

/** SHA-256 over the parts, in hexadecimal. */
export function digestOf(...parts: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex');
}

/** A 32-bit number for a text (FNV-1a). */
export function hashText(text: string): number {
  let value = 0x811c_9dc5;
  for (let position = 0; position < text.length; position += 1) {
    value = Math.imul(value ^ text.charCodeAt(position), 0x0100_0193);
  }
  return value >>> 0;
}

export function pick<T>(list: readonly T[], number: number): T {
  const picked = list[number % list.length];
  if (picked === undefined) throw new RangeError('nothing to pick from');
  return picked;
}

/** Version 8 of RFC 9562: a UUID with application-defined bits. */
function toUuid(hex: string): string {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Eight digits, by bytes from a table: a page of results holds some thousand of them. */
function toHex(word: number): string {
  return (
    (bytes[word >>> 24] ?? '') +
    (bytes[(word >>> 16) & 0xff] ?? '') +
    (bytes[(word >>> 8) & 0xff] ?? '') +
    (bytes[word & 0xff] ?? '')
  );
}

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function mix(value: number): number {
  let mixed = value >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
