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
import { final } from '../../src/failures/final.ts';
import { rootOf, typeOf } from '../../src/failures/root.ts';

const inActivity = (cause: Error) =>
  new ActivityFailure('failed', 'placeOrder', '1', RetryState.NON_RETRYABLE_FAILURE, undefined, cause);
const inChild = (cause: Error) =>
  new ChildWorkflowFailure(undefined, { workflowId: '1' }, 'ingestOrder', RetryState.NON_RETRYABLE_FAILURE, cause);

describe('rootOf', () => {
  it('finds the failure below activities and child workflows', () => {
    const root = final('OrderRejected', 'order 1');
    expect(rootOf(inChild(inChild(inActivity(root))))).toBe(root);
    expect(rootOf(undefined)).toBeUndefined();
  });
});

describe('typeOf', () => {
  it.each([
    ['OrderRejected', final('OrderRejected', 'order 1')],
    ['TimedOut', new TimeoutFailure('too late', undefined, TimeoutType.SCHEDULE_TO_CLOSE)],
    ['Terminated', new TerminatedFailure('by somebody')],
    ['AlreadyRunning', new WorkflowExecutionAlreadyStartedError('running', 'order/1', 'ingestOrder')],
    ['Unexpected', ApplicationFailure.create({ type: 'SomethingElse', message: 'no' })],
    ['Unexpected', undefined],
  ])('is %s', (type, root) => expect(typeOf(root)).toBe(type));
});
