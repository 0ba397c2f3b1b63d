/** `npm run test:all` tries whole domains, `npm test` a sample of each: PROSPECT_SYNC_TESTS=all. */
export const isWholeDomain = process.env['PROSPECT_SYNC_TESTS'] === 'all';

/** The whole list, or `count` of its items at equal distances, always the same. */
export function sampleOf<T>(items: readonly T[], count: number): readonly T[] {
  if (isWholeDomain || items.length <= count) return items;
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)] as T);
}

/** How often a property is tried: `count` times, or a fifth of them. fast-check's own number is set in test/runtime.mjs. */
export const runsOf = (count: number): number => (isWholeDomain ? count : Math.ceil(count / 5));

/** A test of what a faster test shows too, under other conditions or with less of the program. */
export const itOfAll: Pick<jest.It, 'each'> & ((...test: Parameters<jest.It>) => void) = isWholeDomain
  ? it
  : Object.assign(() => {}, { each: () => () => {} });
