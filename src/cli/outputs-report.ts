/** What became of the service's outputs, as a person reads it and as a program does. */
import { failureDescriptions, isFailureType, type FailureType } from '../failures/failure-descriptions.ts';
import type { OutputState } from '../ledger/output-state.ts';
import type { ServiceOutputReport } from '../report/order-report.ts';

const words: Readonly<Record<OutputState, string>> = {
  requested: 'asked for, and not ready yet',
  ready: 'ready, and not fetched yet',
  delivered: 'delivered',
  rows_differ: 'has other rows than were announced',
  failed: 'FAILED in the service',
  refused: 'not taken by the service',
  unfinished: 'not ready in time',
  not_fetched: 'could not be fetched',
};

/** `csv en: /data/out/….service-en.csv (250 rows)`, or why there is none. */
export function toOutputLine({ destination, state, problem, resultCount, rows, path, location }: ServiceOutputReport) {
  const place = path ?? location;
  const counted = `${rows ?? 'unknown'} rows`;
  if (state === 'delivered') return `${destination}: ${place ?? words.delivered} (${counted})`;
  if (state === 'rows_differ') {
    const where = place === null ? '' : `${place} `;
    return `${destination}: ${where}${words.rows_differ} (${counted}, the service tells ${resultCount ?? 'no number'})`;
  }
  if (problem === null) return `${destination}: ${words[state]}`;
  const meaning = isFailureType(problem) ? `. ${failureDescriptions[problem].description}` : '';
  // The one problem of the state `refused` for which it is we that refuse.
  const outcome =
    problem === ('FileTooLarge' satisfies FailureType) ? 'made by the service, and not read' : words[state];
  return `${destination}: ${outcome} (${problem})${meaning}`;
}

export function toOutputDocument({ resultCount, ...output }: ServiceOutputReport) {
  return { ...output, result_count: resultCount };
}
