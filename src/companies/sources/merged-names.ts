/** Names that are missing because their cells are merged with those of the rows above. */
import { listFirst } from '../../base/text/named-rows.ts';
import type { TallRange } from '../../base/spreadsheet/cell-range.ts';

const rangesShown = 5;

/** `column`: that of the names in `headers`; `rows`: those without a name. Empty if none of them is merged. */
export function describeMergedNames(
  ranges: readonly TallRange[],
  { column, rows }: { readonly column: number; readonly rows: readonly number[] },
): string[] {
  const found = ranges.filter(
    ({ top, bottom, indexes }) => indexes.includes(column) && rows.some((row) => top < row && row <= bottom),
  );
  if (found.length === 0) return [];
  const shown = listFirst(
    found.map(({ name }) => name),
    rangesShown,
  );
  return [
    `names are merged over several rows, and only the first row of each has the name: ${shown}. Unmerge them, and fill the names down`,
  ];
}
