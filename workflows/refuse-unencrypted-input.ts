/** Fails a workflow whose input is not encrypted (src/temporal/codec/worker-codec.ts) before any of its code runs. */
import { workflowInfo, type WorkflowInterceptors } from '@temporalio/workflow';
import { isRefused } from '../src/temporal/codec/refused-payload.ts';
import { nonRetryable } from '../src/base/failures/application-failure.ts';
import { withProgress } from './with-progress.ts';

export function interceptors(): WorkflowInterceptors {
  let isInputRefused = false;
  return {
    internals: [
      {
        // Decoding a refused payload would fail the workflow task, which Temporal repeats, instead of the workflow or the query.
        activate(input, next) {
          for (const { initializeWorkflow, queryWorkflow } of input.activation.jobs ?? []) {
            if (initializeWorkflow?.arguments?.some(isRefused) === true) {
              isInputRefused = true;
              initializeWorkflow.arguments = [];
            }
            // The queries of prospect-sync have no input.
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
  // The workflow began before encryption was enabled: the task fails until the worker can read the history.
  if (workflowInfo().unsafe.isReplaying) throw new Error(failure.message);
  return withProgress(() => Promise.reject(failure));
}
