import type { ExpiryContext } from './erasure-context.ts';
import { batchesOf } from './query-batches.ts';

/** Selects rows without a time that were first seen before the cutoff. Marks the others, except in a preview. */
export async function findOld({ db, cutoff, at, preview }: ExpiryContext, place: string, keys: readonly string[]) {
  const marks = await db.selectFrom('retentionMarks').select(['key', 'seenAt']).where('place', '=', place).execute();
  const seen = new Map(marks.map(({ key, seenAt }) => [key, seenAt]));
  if (!preview) {
    const current = new Set(keys);
    for (const chunk of batchesOf([...seen.keys()].filter((key) => !current.has(key))))
      await db.deleteFrom('retentionMarks').where('place', '=', place).where('key', 'in', chunk).execute();
    for (const chunk of batchesOf(keys.filter((key) => !seen.has(key)))) {
      await db
        .insertInto('retentionMarks')
        .values(chunk.map((key) => ({ place, key, seenAt: at })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }
  return keys.filter((key) => (seen.get(key) ?? at) < cutoff);
}
