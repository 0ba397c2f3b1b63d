/** `npm run test:all` tries whole domains, `npm test` a sample of each: PROSPECT_SYNC_TESTS=all. */
export const isWholeDomain = process.env['PROSPECT_SYNC_TESTS'] === 'all';

/** The whole list, or `count` of its items at equal distances, always the same. */
export function sampleOf<T>(items: readonly T[], count: number): readonly T[] {
  if (isWholeDomain || items.length <= count) return items;
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)] as T);
}

/** A test of what another test shows too, under other conditions. */
export const itOfAll: (...test: Parameters<jest.It>) => void = isWholeDomain ? it : () => {};
