/** What a person sees of a workflow: current details in the UI, the same as a query, and how it ended as search attributes. */
import { defineQuery, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import { outcomeOf, type FileReport, type Finding } from '../src/report/order-report.ts';
import { findingsAttribute, outcomeAttribute } from '../src/temporal/search-attributes.ts';
import { toDetails } from './progress-details.ts';

export type Counts = Readonly<Record<string, number>>;

export interface Progress {
  /** What is being done, for example `collecting`; of a closed workflow how it ended. */
  readonly stage: string;
  /** When the stage began, ISO 8601, by the workflow's clock. */
  readonly since: string;
  /** What it waits for, when it waits. */
  readonly waitingFor: string | null;
  /** When it gives the waiting up, ISO 8601; null when nothing but a person ends it. */
  readonly waitingUntil: string | null;
  /** Figures so far, by name. */
  readonly counts: Counts;
  /** Figures that belong together, by title. */
  readonly tables: Readonly<Record<string, Counts>>;
  readonly files: readonly FileReport[];
  readonly findings: readonly Finding[];
  /** Type and text of the failure that ended it. */
  readonly failure: { readonly type: string; readonly message: string } | null;
  /** What else a person should know. */
  readonly note: string | null;
  /** Earlier stages, and when each began. */
  readonly past: readonly { readonly stage: string; readonly since: string }[];
}

export interface Waiting {
  readonly what: string;
  readonly atMostMs: number;
}

/** How a workflow tells where it stands. */
export interface ProgressReporter {
  /** Counts add up over the calls. */
  readonly setStage: (stage: string, counts?: Counts, waiting?: string | Waiting) => void;
  /** More of the details; replaces what was shown before. */
  readonly setDetails: (shown: Partial<Pick<Progress, 'tables' | 'files' | 'failure' | 'note'>>) => void;
  /** Once, at the end of the work: outcome and findings can be searched from then on. */
  readonly finish: (findings: readonly Finding[], counts?: Counts) => void;
}

export const progressQuery = defineQuery<Progress>('progress');

export function createProgressReporter(): ProgressReporter {
  let progress: Progress = {
    stage: 'starting',
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
    setCurrentDetails(toDetails(progress));
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
      ]);
      change({ findings });
      setStage(outcome, counts);
    },
  };
}

/** The workflow's own clock, which a replay turns back. */
function now(laterMs = 0): string {
  return new Date(Date.now() + laterMs).toISOString();
}
