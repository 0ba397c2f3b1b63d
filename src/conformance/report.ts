import type { CheckResult } from './run-conformance.ts';

/** What is said of a deployment, for a program. `ok`: no finding; what was not checked is no finding. */
export function toReportDocument(baseUrl: string, results: readonly CheckResult[]) {
  return {
    ok: countOf(results, 'finding') === 0,
    base_url: baseUrl,
    passed: countOf(results, 'passed'),
    with_findings: countOf(results, 'finding'),
    not_checked: countOf(results, 'not checked'),
    checks: results,
  };
}

/** A row for each check; below it what was found, and below that what is worth knowing. */
export function toReportText(results: readonly CheckResult[]): string {
  const [ids, clauses] = [widest(results.map(({ id }) => id)), widest(results.map(({ clause }) => clause))];
  const rows = results.flatMap(({ id, clause, result, reason, findings, notes }) => [
    `${id.padEnd(ids)}  ${clause.padEnd(clauses)}  ${reason === null ? result : `${result}: ${reason}`}`,
    ...findings.map((text) => `  finding  ${text}`),
    ...notes.map((text) => `  note     ${text}`),
  ]);
  const header = `${'check'.padEnd(ids)}  ${'clause of the specification'.padEnd(clauses)}  result`;
  const [passed, found, open] = (['passed', 'finding', 'not checked'] as const).map((word) => countOf(results, word));
  return [
    header,
    ...rows,
    '',
    `${results.length} checks: ${passed} passed, ${found} with findings, ${open} not checked`,
  ].join('\n');
}

function countOf(results: readonly CheckResult[], word: CheckResult['result']): number {
  return results.filter(({ result }) => result === word).length;
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length));
}
