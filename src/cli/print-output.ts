/** An output of the service as one line of a report. */
import { failureDescriptions, isFailureType, type FailureType } from '../base/failures/failure-descriptions.ts';
import type { OutputState } from '../ledger/tables.ts';
import type { ServiceOutputReport } from '../proof/report/order-report.ts';

const outputStateTexts: Readonly<Record<OutputState, string>> = {
  requested: 'requested, not ready yet',
  ready: 'ready, not downloaded yet',
  delivered: 'delivered',
  rows_differ: 'has another number of rows than the service reports',
  failed: 'failed in the service',
  refused: 'rejected by the service',
  unfinished: 'not ready in time',
  not_fetched: 'could not be downloaded',
};

/** `csv en: /data/out/….service-en.csv (250 rows)`, or the reason why there is no file. */
export function toOutputLine(output: ServiceOutputReport): string {
  const { state, problem, problemDetail, resultCount, rows, path, location } = output;
  const destination = output.adopted ? `${output.destination}, adopted` : output.destination;
  const place = path ?? location;
  const counted = `${rows ?? 'unknown'} rows`;
  if (state === 'delivered') return `${destination}: ${place ?? outputStateTexts.delivered} (${counted})`;
  if (state === 'rows_differ') {
    const where = place === null ? '' : `${place} `;
    return `${destination}: ${where}${outputStateTexts.rows_differ} (${counted}, the service reports ${resultCount ?? 'no number'})`;
  }
  if (problem === null) return `${destination}: ${outputStateTexts[state]}`;
  const description = isFailureType(problem) ? `. ${failureDescriptions[problem].description}` : '';
  const detail = problemDetail === undefined ? '' : ` It has: ${problemDetail}`;
  // For this problem prospect-sync rejects the file, not the service.
  const outcome =
    problem === ('FileTooLarge' satisfies FailureType)
      ? 'made by the service, but too large to read'
      : outputStateTexts[state];
  return `${destination}: ${outcome} (${problem})${description}${detail}`;
}
