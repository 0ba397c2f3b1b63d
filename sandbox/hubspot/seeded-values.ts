// Pseudo-random values are hashes of the seed and a purpose: the same seed gives the same portal.

/** A 32-bit hash in the style of MurmurHash3; not cryptographic. */
export function hash(text: string): number {
  let h = 0x9747b28c ^ text.length;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 0x5bd1e995);
    h ^= h >>> 15;
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

export function uuidFrom(text: string): string {
  const hex = [0, 1, 2, 3].map((part) => hash(`${part}/${text}`).toString(16).padStart(8, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** Sorts the items in an order that depends only on the seed and their keys. */
export function shuffled<T>(items: readonly T[], seed: string, keyOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, rank: hash(`${seed}/${keyOf(item)}`) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
