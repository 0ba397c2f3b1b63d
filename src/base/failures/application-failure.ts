import {
  ApplicationFailure,
  ActivityFailure,
  ChildWorkflowFailure,
  TerminatedFailure,
  TimeoutFailure,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/common';
import { toPrintable } from '../text/printable-text.ts';
import { failureDescriptions, type FailureType, isFailureType } from './failure-descriptions.ts';
import { withSentence } from '../text/normalize-text.ts';

/** A failure that no retry can resolve: the run ends with it. */
export function nonRetryable(type: FailureType, event: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message: withRemedy(type, event), nonRetryable: true });
}

/** What happened, in one printable line, and what to do: `order … ended as REJECTED. Correct the profile …` */
export function withRemedy(type: FailureType, event: string): string {
  return withSentence(toPrintable(event.trimEnd()), failureDescriptions[type].remedy);
}

/** Activity and child workflow failures only wrap their cause. */
export function rootCause(failure: Error | undefined): Error | undefined {
  const isWrapper = failure instanceof ActivityFailure || failure instanceof ChildWorkflowFailure;
  return isWrapper ? rootCause(failure.cause) : failure;
}

export function failureTypeOf(root: Error | undefined): FailureType {
  const type = root instanceof ApplicationFailure ? (root.type ?? '') : '';
  if (isFailureType(type)) return type;
  if (root instanceof TimeoutFailure) return 'TimedOut';
  if (root instanceof TerminatedFailure) return 'Terminated';
  return root instanceof WorkflowExecutionAlreadyStartedError ? 'AlreadyRunning' : 'Unexpected';
}
