import { ApplicationFailure } from '@temporalio/common';
import { toPrintable } from '../text/printable-text.ts';
import { failureMeanings, type FailureType } from './meanings.ts';
import { trimEndOf } from '../text/trim-end.ts';

/** A failure that no further attempt mends: the run ends with it. */
export function final(type: FailureType, what: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message: withWayOut(type, what), nonRetryable: true });
}

/** What happened, in one printable line, and what to do: `order … ended as REJECTED. Way out: correct …` */
export function withWayOut(type: FailureType, what: string): string {
  return `${toPrintable(trimEndOf(what, '. \n\t'))}. Way out: ${failureMeanings[type].wayOut}`;
}
