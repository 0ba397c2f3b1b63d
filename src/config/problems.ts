import { toPrintable, toPrintableKey } from '../base/text/printable-text.ts';

/** One problem of the configuration, its place in the file, and how to correct it. */
export interface ConfigProblem {
  readonly line: number;
  readonly column: number;
  /** Path of the setting, for example `runs.dach-discovery.features[0]`; empty for the file as a whole. */
  readonly field: string;
  /** The rule that is broken, for example `at most 500 characters`. */
  readonly rule: string;
  /** The value if it is safe to show, otherwise its size or kind; null: it adds nothing. */
  readonly found: string | null;
  /** Value to write instead; null if the rule contains it. */
  readonly remedy: string | null;
}

/** A problem with the path of its setting; its line and column are looked up later. */
export interface PathProblem {
  readonly path: readonly PropertyKey[];
  /** Whether the key or the value is at fault. */
  readonly at: 'key' | 'value';
  readonly rule: string;
  readonly found: string | null;
  /** A function if the remedy needs a search, which runs only for problems that are shown. */
  readonly remedy: string | null | (() => string | null);
}

export function problemAt(
  path: readonly PropertyKey[],
  rule: string,
  remedy: PathProblem['remedy'] = null,
  at: PathProblem['at'] = 'value',
): PathProblem {
  return { path, at, rule, found: null, remedy };
}

/** Further problems are only counted, because a user corrects a few at a time. */
export const problemsShown = 20;

/** The first problems of a file, and how many more there are. */
export interface FoundProblems {
  readonly problems: ConfigProblem[];
  readonly more: number;
}

/** One line for each problem: `prospect-sync.yaml:12:5 runs.weekly.kind: must be …, found "x". …` */
export function formatProblems({ problems, more }: FoundProblems, file: string): string {
  const lines = problems.map(({ line, column, field, rule, found, remedy }) => {
    const subject = field === '' ? '' : `${field}: `;
    const what = found === null ? rule : `${rule}, found ${found}`;
    return toPrintable(`${file}:${line}:${column} ${subject}${what}${remedy === null ? '' : `. ${remedy}`}`);
  });
  return [...lines, ...(more === 0 ? [] : [`and ${more.toLocaleString('en')} more`])].join('\n');
}

const namesShown = 20;

/** The first names, printable. */
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
