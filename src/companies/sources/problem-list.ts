/** The invalid rows of a source, for a message. */
import type { SourceRow } from '../../base/spreadsheet/table.ts';

/** Problems that a message names. */
const problemsShown = 10;

/** The problems of the first invalid rows, and how many rows more there are. */
export function createProblemList() {
  const shown: string[] = [];
  let rows = 0;
  let rowsShown = 0;
  return {
    add({ source, problems }: { readonly source: Pick<SourceRow, 'number'>; readonly problems: readonly string[] }) {
      rows += 1;
      if (shown.length >= problemsShown) return;
      rowsShown += 1;
      shown.push(...problems.map((problem) => `row ${source.number}: ${problem}`));
    },
    rows: () => rows,
    text: () =>
      [...shown.slice(0, problemsShown), ...(rows > rowsShown ? [`and ${toRows(rows - rowsShown)}`] : [])].join('; '),
  };
}

function toRows(count: number): string {
  return count === 1 ? '1 more row' : `${count.toLocaleString('en')} more rows`;
}
