/** Around every workflow: it can be seen while it runs, and how it ended can be searched, also when it failed. */
import { ApplicationFailure, isCancellation, TemporalFailure, upsertSearchAttributes } from '@temporalio/workflow';
import { failureMeanings } from '../src/failures/meanings.ts';
import { rootOf, typeOf } from '../src/failures/root.ts';
import { failureAttribute, outcomeAttribute } from '../src/temporal/search-attributes.ts';
import { createView, type View } from './progress.ts';

export async function observed<Result>(work: (view: View) => Promise<Result>): Promise<Result> {
  const view = createView();
  try {
    return await work(view);
  } catch (error) {
    // Anything else is a fault of the program: the worker tries the task again, and the workflow goes on.
    if (error instanceof TemporalFailure) tellEnd(view, error);
    throw error;
  }
}

function tellEnd({ report, show }: View, error: TemporalFailure): void {
  if (isCancellation(error)) {
    upsertSearchAttributes([{ key: outcomeAttribute, value: 'cancelled' }]);
    report('cancelled');
    return;
  }
  const root = rootOf(error);
  const type = typeOf(root);
  upsertSearchAttributes([
    { key: outcomeAttribute, value: 'failed' },
    { key: failureAttribute, value: type },
  ]);
  const isTold = root instanceof ApplicationFailure;
  const message = isTold ? root.message : `${failureMeanings[type].meaning}. Way out: ${failureMeanings[type].wayOut}`;
  show({ failure: { type, message } });
  report('failed');
}
