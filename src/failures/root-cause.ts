/** The failure at the end of a chain of causes, and its type. */
import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  TerminatedFailure,
  TimeoutFailure,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/common';
import { isFailureType, type FailureType } from './failure-descriptions.ts';

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
