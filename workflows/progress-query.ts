/** Progress of a workflow: its current details in the Temporal UI, and the answer to the query `progress`. */
import { defineQuery } from '@temporalio/workflow';
import type { FileReport } from '../src/delivery/files/order-spreadsheet.ts';
import type { Finding } from '../src/proof/report/order-report.ts';

export type Counts = Readonly<Record<string, number>>;

export interface Progress {
  /** The current step, for example `collecting`; the outcome once the workflow is closed. */
  readonly stage: string;
  /** The order that the workflow placed or works on; null before. */
  readonly orderId: string | null;
  /** When the stage began, ISO 8601, by the workflow's clock. */
  readonly since: string;
  /** null unless the workflow waits for something. */
  readonly waitingFor: string | null;
  /** Deadline of the wait, ISO 8601; null without one. */
  readonly waitingUntil: string | null;
  readonly counts: Counts;
  /** Groups of counts, by title. */
  readonly tables: Readonly<Record<string, Counts>>;
  readonly files: readonly FileReport[];
  readonly findings: readonly Finding[];
  readonly failure: { readonly type: string; readonly message: string } | null;
  readonly note: string | null;
  /** Earlier stages, and when each began. */
  readonly past: readonly { readonly stage: string; readonly since: string }[];
}

export interface Waiting {
  readonly what: string;
  readonly atMostMs: number;
}

export interface ProgressReporter {
  /** Counts of earlier stages are kept. */
  readonly setStage: (stage: string, counts?: Counts, waiting?: string | Waiting) => void;
  /** Replaces the given parts of the details. */
  readonly setDetails: (details: Partial<Pick<Progress, 'orderId' | 'tables' | 'files' | 'failure' | 'note'>>) => void;
  /** Called once, at the end of the work: sets the search attributes for outcome, findings and, if counted, `delivered`. */
  readonly finish: (findings: readonly Finding[], counts?: Counts) => void;
}

export const progressQuery = defineQuery<Progress>('progress');
