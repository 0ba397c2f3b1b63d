import { createHash, timingSafeEqual } from 'node:crypto';

/** Takes the same time for every wrong text. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
