import { toPrintable, toPrintableKey } from '../text/printable-text.ts';

/** One thing that is wrong with the configuration, where it stands, and what to do about it. */
export interface ConfigProblem {
  readonly line: number;
  readonly column: number;
  /** Path of the setting, for example `runs.dach-discovery.features[0]`; empty for the file as a whole. */
  readonly field: string;
  /** The rule that is broken, for example `at most 500 characters`. */
  readonly rule: string;
  /** What was found, by value where that is safe, else by size or kind; null where it says nothing. */
  readonly found: string | null;
  /** What to write instead; null when the rule says it. */
  readonly remedy: string | null;
}

/** All that is wrong, of which so many are named: a person corrects a few at a time, and a way out takes a search. */
export const problemsShown = 20;

/** What is wrong with a file: the first problems, and how many there are beside them. */
export interface FoundProblems {
  readonly problems: ConfigProblem[];
  readonly more: number;
}

/** One line a problem: `prospect-sync.yaml:12:5 runs.weekly.kind: must be …, found "x". …` */
export function formatProblems({ problems, more }: FoundProblems, file: string): string {
  const lines = problems.map(({ line, column, field, rule, found, remedy }) => {
    const subject = field === '' ? '' : `${field}: `;
    const what = found === null ? rule : `${rule}, found ${found}`;
    return toPrintable(`${file}:${line}:${column} ${subject}${what}${remedy === null ? '' : `. ${remedy}`}`);
  });
  return [...lines, ...(more === 0 ? [] : [`and ${more.toLocaleString('en')} more`])].join('\n');
}

const namesShown = 20;

/** Names that somebody gave, as a way out: the first ones, printable. */
export function toKnownNames(names: readonly string[]): string {
  const more = names.length > namesShown ? [`and ${(names.length - namesShown).toLocaleString('en')} more`] : [];
  return [...names.slice(0, namesShown).map(toPrintableKey), ...more].join(', ') || 'none';
}

export function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${toPrintableKey(String(key))}`))
    .join('')
    .replace(/^\./, '');
}
