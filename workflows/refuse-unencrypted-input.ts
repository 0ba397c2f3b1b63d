/** Around every workflow: one whose input the worker refused (src/codec/worker-codec.ts) ends before any of it is run. */
import { workflowInfo, type WorkflowInterceptors } from '@temporalio/workflow';
import { isRefused } from '../src/codec/refused-payload.ts';
import { nonRetryable } from '../src/failures/non-retryable.ts';
import { withProgress } from './with-progress.ts';

export function interceptors(): WorkflowInterceptors {
  let isInputRefused = false;
  return {
    internals: [
      {
        // To read what was refused would fail the task, which is repeated, and neither the workflow nor the query.
        activate(input, next) {
          for (const { initializeWorkflow, queryWorkflow } of input.activation.jobs ?? []) {
            if (initializeWorkflow?.arguments?.some(isRefused) === true) {
              isInputRefused = true;
              initializeWorkflow.arguments = [];
            }
            // Ours take no input.
            if (queryWorkflow?.arguments?.some(isRefused) === true) queryWorkflow.arguments = [];
          }
          next(input);
        },
      },
    ],
    inbound: [{ execute: (input, next) => (isInputRefused ? refuse() : next(input)) }],
  };
}

async function refuse(): Promise<never> {
  const failure = nonRetryable('NotEncrypted', 'the input of the workflow is not encrypted');
  // It has done something already, before encryption was switched on: it waits until its history can be read.
  if (workflowInfo().unsafe.isReplaying) throw new Error(failure.message);
  return withProgress(() => Promise.reject(failure));
}
