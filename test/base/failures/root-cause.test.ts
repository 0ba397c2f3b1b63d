import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  RetryState,
  TerminatedFailure,
  TimeoutFailure,
  TimeoutType,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/common';
import { nonRetryable, rootCause, failureTypeOf } from '../../../src/base/failures/application-failure.ts';

const inActivity = (cause: Error) =>
  new ActivityFailure('failed', 'placeOrder', '1', RetryState.NON_RETRYABLE_FAILURE, undefined, cause);
const inChild = (cause: Error) =>
  new ChildWorkflowFailure(undefined, { workflowId: '1' }, 'ingestOrder', RetryState.NON_RETRYABLE_FAILURE, cause);

describe('rootCause', () => {
  it('returns the failure below activities and child workflows', () => {
    const root = nonRetryable('OrderRejected', 'order 1');
    expect(rootCause(inChild(inChild(inActivity(root))))).toBe(root);
    expect(rootCause(undefined)).toBeUndefined();
  });
});

describe('failureTypeOf', () => {
  it.each([
    ['OrderRejected', nonRetryable('OrderRejected', 'order 1')],
    ['TimedOut', new TimeoutFailure('too late', undefined, TimeoutType.SCHEDULE_TO_CLOSE)],
    ['Terminated', new TerminatedFailure('by somebody')],
    ['AlreadyRunning', new WorkflowExecutionAlreadyStartedError('running', 'order/1', 'ingestOrder')],
    ['Unexpected', ApplicationFailure.create({ type: 'SomethingElse', message: 'no' })],
    ['Unexpected', undefined],
  ])('is %s', (type, root) => expect(failureTypeOf(root)).toBe(type));
});
