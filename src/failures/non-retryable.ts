import { ApplicationFailure } from '@temporalio/common';
import { toPrintable } from '../text/printable-text.ts';
import { failureDescriptions, type FailureType } from './failure-descriptions.ts';
import { trimEndOf } from '../text/trim-end.ts';

/** A failure that no retry can resolve: the run ends with it. */
export function nonRetryable(type: FailureType, what: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message: withRemedy(type, what), nonRetryable: true });
}

/** What happened, in one printable line, and what to do: `order … ended as REJECTED. Correct the profile …` */
export function withRemedy(type: FailureType, what: string): string {
  return `${toPrintable(trimEndOf(what, '. \n\t'))}. ${failureDescriptions[type].remedy}`;
}
