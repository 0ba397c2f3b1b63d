/** The rows of an order that its user sees before it is placed: no check knows all that a cell can be mistaken for. */
import { boundWord } from '../../base/text/bound-text.ts';
import { toPrintable } from '../../base/text/printable-text.ts';
import type { DraftRow } from '../../ledger/draft-store.ts';
import type { CompanyRow } from '../../service/contract/index.ts';
import { isLegalForm } from '../sources/legal-form.ts';

const firstShown = 3;
const unlikeShown = 5;

/** A trait of fewer rows than this share is rare. */
const rareShare = 0.1;

/** The first three rows, and the five with the rarest traits, as text; all of a source that has no more. */
export function toShownRows(rows: readonly DraftRow[]): string[] {
  const isWhole = rows.length <= firstShown + unlikeShown;
  const unlike = isWhole ? [] : findUnlike(rows);
  return [
    `rows ${isWhole ? 'to order' : 'at the beginning'}:`,
    ...rows.slice(0, isWhole ? rows.length : firstShown).map(toText),
    ...(unlike.length === 0 ? [] : ['rows that are least like the others:', ...unlike.map(toText)]),
  ];
}

/** `  row 7: Adler GmbH | https://adler.example | Ulm | Germany | 4711` */
function toText({ sourceRow, company }: DraftRow): string {
  const place = sourceRow === null ? '' : `row ${sourceRow}: `;
  const cells = shownFields.map((field) => toPrintable(boundWord(company[field] || '-')));
  return `  ${place}${cells.join(' | ')}`;
}

const shownFields = [
  'company_name',
  'website_url',
  'city',
  'country',
  'external_id',
] as const satisfies (keyof CompanyRow)[];

interface RareRow {
  readonly row: DraftRow;
  readonly traits: readonly string[];
}

/** Of rows with the same traits, others are chosen first. */
const repeatedTrait = 0.25;

function findUnlike(rows: readonly DraftRow[]): DraftRow[] {
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
  const unlike = new Set<DraftRow>();
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
function traitsOf({ company }: DraftRow): string[] {
  return shownFields.flatMap((field) => {
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
