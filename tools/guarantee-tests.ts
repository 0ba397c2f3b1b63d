/**
 * The table of docs/guarantees.md that names the tests of each guarantee. A test names its guarantee in the line before it:
 * `// Guarantee: One company is one record`.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toTable } from './generated-regions.ts';

const root = path.join(import.meta.dirname, '..');

export interface GuaranteeTest {
  readonly guarantee: string;
  /** Relative to the repository. */
  readonly file: string;
  readonly title: string;
  /** `npm test` does not run it, but `npm run test:all`: it is in a file `*.all.test.ts`, or an `itOfAll`. */
  readonly isLong: boolean;
}

export function readGuaranteeTests(): GuaranteeTest[] {
  return globSync('test/**/*.test.ts', { cwd: root })
    .toSorted()
    .flatMap((file) => findGuaranteeTests(file, readFileSync(path.join(root, file), 'utf8')));
}

/** @throws where a line names a guarantee and no test follows it */
export function findGuaranteeTests(file: string, text: string): GuaranteeTest[] {
  const groups = text.matchAll(/(?:^ *\/\/ Guarantee: .*\n)+/gm);
  return [...groups].flatMap(({ 0: lines, index }) => {
    const after = text.slice(index + lines.length);
    const guarantees = lines
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^ *\/\/ Guarantee: /, ''));
    const [, call, , title] =
      /^\s*(it(?:OfAll)?|describe\w*)\b[^'"`]*?(['"`])((?:(?!\2)[^\\\n]|\\.)+)\2/.exec(after) ?? [];
    if (title === undefined) throw new Error(`${file}: no test follows the line of "${guarantees.join('", "')}"`);
    const isLong = call === 'itOfAll' || file.endsWith('.all.test.ts');
    return guarantees.map((guarantee) => ({ guarantee, file, title: title.replaceAll(/\\(.)/g, '$1'), isLong }));
  });
}

/** The first column of the tables of guarantees and mechanisms. */
export function listGuarantees(document: string): string[] {
  const tables = document.split(/^\| guarantee \| mechanism \|\n\|[-|]+\n/m).slice(1);
  return tables.flatMap((text) =>
    (text.split('\n\n')[0] ?? '').split('\n').map((row) => row.split(' | ')[0]?.slice(2) ?? ''),
  );
}

/** @throws where a guarantee has no test that `npm test` runs, or a test names none of them */
export function toGuaranteeTable(document: string, tests: readonly GuaranteeTest[]): string {
  const guarantees = listGuarantees(document);
  const unknown = tests.filter(({ guarantee }) => !guarantees.includes(guarantee));
  const rows = guarantees.map((guarantee) => {
    const own = tests.filter((test) => test.guarantee === guarantee);
    return { guarantee, always: own.filter(({ isLong }) => !isLong), long: own.filter(({ isLong }) => isLong) };
  });
  const problems = [
    ...unknown.map(({ file, guarantee }) => `${file} names "${guarantee}", which docs/guarantees.md does not have`),
    ...rows.flatMap(({ guarantee, always }) => (always.length > 0 ? [] : [`no test of npm test names "${guarantee}"`])),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const list = (own: readonly GuaranteeTest[]) => own.map(({ file, title }) => `\`${file}\`: ${title}`).join('<br>');
  const cells = rows.map(({ guarantee, always, long }) => [guarantee, list(always), list(long)]);
  return toTable(['guarantee', 'in `npm test`', 'only in `npm run test:all`'], cells);
}
