/** Runs around every workflow: reports its progress while it runs, and its outcome as search attributes. */
import {
  ApplicationFailure,
  isCancellation,
  setCurrentDetails,
  setHandler,
  TemporalFailure,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { failureDescriptions } from '../src/base/failures/failure-descriptions.ts';
import { rootCause, failureTypeOf } from '../src/base/failures/application-failure.ts';
import { outcomeOf } from '../src/proof/report/order-report.ts';
import {
  deliveredAttribute,
  failureAttribute,
  findingsAttribute,
  outcomeAttribute,
} from '../src/temporal/search-attributes.ts';
import { formatCurrentDetails } from './current-details.ts';
import { progressQuery, type Progress, type ProgressReporter } from './progress-query.ts';

export async function withProgress<Result>(run: (progress: ProgressReporter) => Promise<Result>): Promise<Result> {
  const progress = createProgressReporter();
  try {
    return await run(progress);
  } catch (error) {
    // Any other error is a bug: the worker retries the workflow task, and the workflow stays open.
    if (error instanceof TemporalFailure) reportFailure(progress, error);
    throw error;
  }
}

function createProgressReporter(): ProgressReporter {
  let progress: Progress = {
    stage: 'starting',
    orderId: null,
    since: now(),
    waitingFor: null,
    waitingUntil: null,
    counts: {},
    tables: {},
    files: [],
    findings: [],
    failure: null,
    note: null,
    past: [],
  };
  const description = 'Stage, what it waits for and until when, counts, files and findings so far';
  setHandler(progressQuery, () => progress, { description });
  const change = (changes: Partial<Progress>) => {
    progress = { ...progress, ...changes };
    setCurrentDetails(formatCurrentDetails(progress));
  };
  const setStage: ProgressReporter['setStage'] = (stage, counts = {}, waiting) => {
    const { stage: before, since, past } = progress;
    const isNew = stage !== before;
    change({
      stage,
      counts: { ...progress.counts, ...counts },
      ...(isNew ? { since: now(), past: [...past, { stage: before, since }] } : {}),
      waitingFor: typeof waiting === 'object' ? waiting.what : (waiting ?? null),
      waitingUntil: typeof waiting === 'object' ? now(waiting.atMostMs) : null,
    });
  };
  return {
    setStage,
    setDetails: change,
    finish(findings, counts) {
      const outcome = outcomeOf(findings);
      upsertSearchAttributes([
        { key: outcomeAttribute, value: outcome },
        { key: findingsAttribute, value: findings.length },
        ...(counts?.['delivered'] === undefined ? [] : [{ key: deliveredAttribute, value: counts['delivered'] }]),
      ]);
      change({ findings });
      setStage(outcome, counts);
    },
  };
}

function reportFailure({ setStage, setDetails }: ProgressReporter, error: TemporalFailure): void {
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
  // Only messages of application failures contain their remedy.
  const { description, remedy } = failureDescriptions[type];
  const message = root instanceof ApplicationFailure ? root.message : `${description} ${remedy}`;
  setDetails({ failure: { type, message } });
  setStage('failed');
}

/** Reads the workflow's clock, which is deterministic. */
function now(laterMs = 0): string {
  return new Date(Date.now() + laterMs).toISOString();
}
