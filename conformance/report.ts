import { catalogue } from './check-catalogue.ts';
import type { Check } from './probe/check.ts';
import type { CreatedResource } from './probe/created-resources.ts';
import type { CheckResult } from './run-conformance.ts';
import { describeVerdict, type Verdict } from './verdict.ts';
import { toPrintable } from '../src/base/text/printable-text.ts';

export interface Report {
  readonly baseUrl: string;
  readonly results: readonly CheckResult[];
  /** Resources that were, or may have been, created and cannot be deleted. */
  readonly leftBehind: readonly CreatedResource[];
  /** null if the checks did not end. */
  readonly verdict: Verdict | null;
}

/** The `--json` document. `ok`: no finding and no negative verdict; checks that could not run do not count. */
export function toReportDocument({ baseUrl, results, leftBehind, verdict }: Report) {
  return {
    ok: countOf(results, 'finding') === 0 && verdict?.works !== false,
    verdict,
    base_url: baseUrl,
    passed: countOf(results, 'passed'),
    with_findings: countOf(results, 'finding'),
    not_checked: countOf(results, 'not checked'),
    left_out: countOf(results, 'left out'),
    left_behind: leftBehind.map(({ kind, id, idempotencyKey }) => ({ kind, id, idempotency_key: idempotencyKey })),
    checks: results,
  };
}

/** A table that can be printed row by row, because its widths follow from the list of checks. */
export function createReportTable(
  checks: readonly Pick<Check, 'id' | 'clause'>[],
  { notes: showsNotes }: { readonly notes: boolean },
) {
  const [ids, clauses] = [widest(checks.map(({ id }) => id)), widest(checks.map(({ clause }) => clause))];
  const toRow = (id: string, clause: string, said: string) => `${id.padEnd(ids)}  ${clause.padEnd(clauses)}  ${said}`;
  return {
    header: toRow('check', 'clause of the specification', 'result'),
    /** The row of a check, followed by its findings and notes. */
    row({ id, clause, title, result, reason, findings, notes }: CheckResult): string {
      return [
        toRow(id, clause, reason === null ? result : `${result}: ${reason}`),
        ...(findings.length === 0 ? [] : [`  rule     ${title}`]),
        ...findings.map((text) => `  finding  ${text}`),
        ...(showsNotes ? notes.map((text) => `  note     ${text}`) : toNoteCount(notes)),
      ]
        .map(toPrintable)
        .join('\n');
    },
  };
}

/** Lists facts about the place of values, and only counts the other notes. */
function toNoteCount(notes: readonly string[]): string[] {
  const isShown = (text: string) => text.startsWith('not shown: ');
  const facts = [...new Set(notes.filter(isShown))];
  const others = notes.filter((text) => !isShown(text)).length;
  return [
    ...facts.map((text) => `  fact     ${text}`),
    ...(others === 0 ? [] : [`  facts    ${others} about what the specification does not show (--notes lists them)`]),
  ];
}

/** Counts, checks with findings, checks that were left out, resources that were left behind, and the verdict. */
export function toReportSummary({ results, leftBehind, verdict }: Omit<Report, 'baseUrl'>): string {
  const passed = countOf(results, 'passed');
  const found = countOf(results, 'finding');
  const open = countOf(results, 'not checked');
  return [
    `${passed + found + open} checks: ${passed} passed, ${found} with findings, ${open} not checked`,
    ...results.filter(({ result }) => result === 'finding').map(({ id }) => `  finding      ${id}`),
    ...toControlledCount(results),
    ...leftOut(results).map(([reason, count]) => `  left out     ${count} checks: ${reason}`),
    ...leftBehind.map(describeLeft),
    ...(verdict === null ? [] : ['', ...describeVerdict(verdict)]),
  ]
    .map(toPrintable)
    .join('\n');
}

function toControlledCount(results: readonly CheckResult[]): string[] {
  const controlled = new Set(catalogue.filter(({ needs }) => needs !== undefined).map(({ id }) => id));
  const count = results.filter(({ id, result }) => result === 'not checked' && controlled.has(id)).length;
  return count === 0 ? [] : [`  not checked  ${count} checks: they need control over the server (--notes lists them)`];
}

/** A resource without an id is described by its name and Idempotency-Key. */
export function describeLeft({ kind, id, idempotencyKey, name }: CreatedResource): string {
  if (id !== null) return `  left behind  ${kind} ${id}`;
  const named = name === null ? kind : `${kind} "${name}"`;
  return `  may have been placed: ${named}, Idempotency-Key ${idempotencyKey ?? 'none'}`;
}

function leftOut(results: readonly CheckResult[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { result, reason } of results) {
    if (result === 'left out' && reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts];
}

function countOf(results: readonly CheckResult[], word: CheckResult['result']): number {
  return results.filter(({ result }) => result === word).length;
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length));
}
