/** Around every workflow: it can be seen while it runs, and how it ended can be searched, also when it failed. */
import { ApplicationFailure, isCancellation, TemporalFailure, upsertSearchAttributes } from '@temporalio/workflow';
import { failureDescriptions } from '../src/failures/failure-descriptions.ts';
import { rootCause, failureTypeOf } from '../src/failures/root-cause.ts';
import { failureAttribute, outcomeAttribute } from '../src/temporal/search-attributes.ts';
import { createProgressReporter, type ProgressReporter } from './workflow-progress.ts';

export async function withProgress<Result>(work: (view: ProgressReporter) => Promise<Result>): Promise<Result> {
  const view = createProgressReporter();
  try {
    return await work(view);
  } catch (error) {
    // Anything else is a fault of the program: the worker tries the task again, and the workflow goes on.
    if (error instanceof TemporalFailure) reportEnd(view, error);
    throw error;
  }
}

function reportEnd({ setStage, setDetails }: ProgressReporter, error: TemporalFailure): void {
  if (isCancellation(error)) {
    upsertSearchAttributes([{ key: outcomeAttribute, value: 'cancelled' }]);
    setStage('cancelled');
    return;
  }
  const root = rootCause(error);
  const type = failureTypeOf(root);
  upsertSearchAttributes([
    { key: outcomeAttribute, value: 'failed' },
    { key: failureAttribute, value: type },
  ]);
  const isTold = root instanceof ApplicationFailure;
  const message = isTold
    ? root.message
    : `${failureDescriptions[type].description} ${failureDescriptions[type].remedy}`;
  setDetails({ failure: { type, message } });
  setStage('failed');
}
