import { toPrintable } from '../printable-text.ts';

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
  readonly wayOut: string | null;
}

/** One line a problem: `prospect-sync.yaml:12:5 runs.weekly.kind: must be …, found "x". …` */
export function formatProblems(problems: readonly ConfigProblem[], file: string): string {
  return problems
    .map(({ line, column, field, rule, found, wayOut }) => {
      const subject = field === '' ? '' : `${field}: `;
      const what = found === null ? rule : `${rule}, found ${found}`;
      return toPrintable(`${file}:${line}:${column} ${subject}${what}${wayOut === null ? '' : `. ${wayOut}`}`);
    })
    .join('\n');
}

export function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}
