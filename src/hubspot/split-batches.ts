/** Splits into pieces of `size` at most, in order. */
export function splitIntoBatches<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size));
  return chunks;
}

/**
 * Batches in which no key occurs twice: HubSpot refuses a whole batch for one repeated id. A repeated row goes into a later round
 * than the row before it, so that the last one wins as it would one by one. Rows without a key never repeat.
 * @returns rounds, each of batches that may be sent at once; a round begins when the one before it has ended
 */
export function splitIntoRounds<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | undefined,
  size: number,
): Row[][][] {
  const seen = new Map<string, number>();
  const rounds: Row[][] = [];
  for (const row of rows) {
    const key = keyOf(row);
    const round = key === undefined ? 0 : (seen.get(key) ?? 0);
    if (key !== undefined) seen.set(key, round + 1);
    (rounds[round] ??= []).push(row);
  }
  return rounds.map((round) => splitIntoBatches(round, size));
}
