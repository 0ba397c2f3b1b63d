import { catalogue } from './check-catalogue.ts';
import type { Check } from './probe/check.ts';
import type { CreatedResource } from './probe/created-resources.ts';
import type { CheckResult } from './run-conformance.ts';
import { describeVerdict, type Verdict } from './verdict.ts';
import { toPrintable } from '../src/text/printable-text.ts';

export interface Report {
  readonly baseUrl: string;
  readonly results: readonly CheckResult[];
  /** What was made, or may have been, and cannot be deleted. */
  readonly leftBehind: readonly CreatedResource[];
  /** null where the checks did not come to their end. */
  readonly verdict: Verdict | null;
}

/** What is said of a deployment, for a program. `ok`: no finding; what could not be checked is no finding. */
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

/** A table that can be printed as it comes: the widths follow from what will be checked. */
export function createReportTable(
  checks: readonly Pick<Check, 'id' | 'clause'>[],
  { notes: showsNotes }: { readonly notes: boolean },
) {
  const [ids, clauses] = [widest(checks.map(({ id }) => id)), widest(checks.map(({ clause }) => clause))];
  const toRow = (id: string, clause: string, said: string) => `${id.padEnd(ids)}  ${clause.padEnd(clauses)}  ${said}`;
  return {
    header: toRow('check', 'clause of the specification', 'result'),
    /** Below the row of a check what it found, and below that what is worth knowing. */
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

/** Facts about what is not shown can be many: a breach stands among the findings, never here. */
function toNoteCount(notes: readonly string[]): string[] {
  const isShown = (text: string) => text.startsWith('not shown: ');
  const facts = [...new Set(notes.filter(isShown))];
  const others = notes.filter((text) => !isShown(text)).length;
  return [
    ...facts.map((text) => `  fact     ${text}`),
    ...(others === 0 ? [] : [`  facts    ${others} about what the specification does not show (--notes lists them)`]),
  ];
}

/** Counts, the checks with findings, what was left out and what stays. */
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

/** Without an id it is named by what can be looked for: the Idempotency-Key, and the name that it was given here. */
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
