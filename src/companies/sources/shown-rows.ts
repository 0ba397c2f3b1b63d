/** Rows that a user sees before they are ordered or excluded: no check knows all that a cell can be mistaken for. */
import { boundWord } from '../../base/text/bound-text.ts';
import { toPrintable } from '../../base/text/printable-text.ts';
import { tableFields } from './table-companies.ts';
import { isLegalForm } from './legal-form.ts';

const firstShown = 3;
const unlikeShown = 5;

/** A trait of fewer rows than this share is rare. */
const rareShare = 0.1;

export interface ShownRow {
  /** null: the source has no rows with numbers. */
  readonly sourceRow: number | null;
  readonly company: { readonly [Field in (typeof tableFields)[number]]?: string | null | undefined };
}

/** What is above the rows: above all of a short source, and of another one above the first and the others. */
export interface ShownTitles {
  readonly all: string;
  readonly first: string;
  readonly unlike: string;
}

const rowTitles: ShownTitles = {
  all: 'rows to order:',
  first: 'rows at the beginning:',
  unlike: 'rows that are least like the others:',
};

/** The first three rows, and the five with the rarest traits, as text; all of a source that has no more. */
export function toShownRows(rows: readonly ShownRow[], titles = rowTitles): string[] {
  if (rows.length <= firstShown + unlikeShown) return rows.length === 0 ? [] : [titles.all, ...rows.map(toText)];
  const unlike = findUnlike(rows);
  return [
    titles.first,
    ...rows.slice(0, firstShown).map(toText),
    ...(unlike.length === 0 ? [] : [titles.unlike, ...unlike.map(toText)]),
  ];
}

/** `  row 7: Adler GmbH | https://adler.example | Ulm | Germany | 4711` */
function toText({ sourceRow, company }: ShownRow): string {
  const place = sourceRow === null ? '' : `row ${sourceRow}: `;
  const cells = tableFields.map((field) => toPrintable(boundWord(company[field] || '-')));
  return `  ${place}${cells.join(' | ')}`;
}

interface RareRow {
  readonly row: ShownRow;
  readonly traits: readonly string[];
}

/** Of rows with the same traits, others are chosen first. */
const repeatedTrait = 0.25;

function findUnlike(rows: readonly ShownRow[]): ShownRow[] {
  const counts = new Map<string, number>();
  for (const row of rows) for (const trait of traitsOf(row)) counts.set(trait, (counts.get(trait) ?? 0) + 1);
  const weights = new Map(
    [...counts]
      .filter(([, count]) => count < rareShare * rows.length)
      .map(([trait, count]) => [trait, Math.log2(rows.length / count)] as const),
  );
  const rare = rows
    .slice(firstShown)
    .map((row): RareRow => ({ row, traits: traitsOf(row).filter((trait) => weights.has(trait)) }))
    .filter(({ traits }) => traits.length > 0);
  const unlike = new Set<ShownRow>();
  while (unlike.size < unlikeShown) {
    let rarest: RareRow | null = null;
    let most = 0;
    for (const each of rare) {
      const weight = each.traits.reduce((sum, trait) => sum + (weights.get(trait) ?? 0), 0);
      if (weight > most && !unlike.has(each.row)) [rarest, most] = [each, weight];
    }
    if (rarest === null) break;
    unlike.add(rarest.row);
    for (const trait of rarest.traits) weights.set(trait, repeatedTrait * (weights.get(trait) ?? 0));
  }
  return [...unlike];
}

const fewWords = 6;
const shortText = 2;

/** Each with its field: that it is empty, its signs, how it begins, its length and its script. */
function traitsOf({ company }: ShownRow): string[] {
  return tableFields.flatMap((field) => {
    const text = company[field] ?? '';
    const traits = text === '' ? ['empty'] : [...new Set(text.match(/[^\p{L}\p{N}\s]/gu)), ...formOf(text)];
    if (field === 'company_name' && !isLegalForm(text.slice(text.lastIndexOf(' ') + 1))) traits.push('no legal form');
    return traits.map((trait) => `${field} ${trait}`);
  });
}

function formOf(text: string): string[] {
  const begin = [/^\p{Lu}/u, /^\p{Ll}/u, /^\p{L}/u, /^\p{N}/u].findIndex((pattern) => pattern.test(text));
  return [
    `begins ${begin}`,
    ...(/\p{N}/u.test(text) ? ['number'] : []),
    ...(/[^\p{Script=Latin}\P{L}]/u.test(text) ? ['other script'] : []),
    ...(text === text.toUpperCase() ? ['capitals'] : []),
    ...(text.length <= shortText ? ['short'] : []),
    ...(text.split(/\s+/, fewWords + 1).length > fewWords ? ['many words'] : []),
  ];
}
