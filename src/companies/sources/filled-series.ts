import { joinRows, noRows, withRow } from '../../base/text/named-rows.ts';

/** Two may be neighbours by chance. */
const fewestRows = 3;
/** A longer number would be rounded. */
const mostDigits = 15;

interface Member {
  /** The text without its last number. */
  readonly frame: string;
  readonly number: number;
}

/** Finds texts of consecutive rows that differ in a number that grows by one, as a spreadsheet program fills a column. */
export function createFilledSeries() {
  let total = noRows;
  let last: Member | null = null;
  let series = noRows;
  const found = () => (series.rows < fewestRows ? total : joinRows([total, series]));
  return {
    add(text: string, row: number): void {
      const member = toMember(text);
      const continues = member !== null && member.frame === last?.frame && member.number === last.number + 1;
      if (!continues) [total, series] = [found(), noRows];
      series = withRow(series, row);
      last = member;
    },
    rows: found,
  };
}

function toMember(text: string): Member | null {
  const parts = text.split(/(\d+)/);
  const digits = parts.at(-2);
  if (digits === undefined || digits.length > mostDigits) return null;
  return { frame: JSON.stringify([parts.slice(0, -2), parts.at(-1)]), number: Number(digits) };
}
