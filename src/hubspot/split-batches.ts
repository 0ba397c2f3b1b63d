/** @param size of each batch but the last */
export function splitIntoBatches<T>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = [];
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size));
  return batches;
}

/**
 * Batches without repeated keys, because HubSpot rejects a batch for one repeated id. A repeated row goes into a later round than the row
 * before it, so that the last one wins. Rows without a key are never repeated.
 * @returns rounds of batches; the batches of a round may be sent concurrently, the rounds one after another
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
