/** What a person sees of a running workflow: current details in the UI, and the same as a query. */
import { defineQuery, setCurrentDetails, setHandler } from '@temporalio/workflow';

export interface Progress {
  /** What is being done, for example `collecting`. */
  readonly stage: string;
  /** What it waits for, when it waits. */
  readonly waitingFor: string | null;
  /** Figures so far, by name. */
  readonly counts: Readonly<Record<string, number>>;
}

export const progressQuery = defineQuery<Progress>('progress');

/** Returns a function that tells where the workflow stands; counts add up over its calls. */
export function reportProgress() {
  let progress: Progress = { stage: 'starting', waitingFor: null, counts: {} };
  setHandler(progressQuery, () => progress, { description: 'Stage, what it waits for, and counts so far' });
  return (stage: string, counts: Readonly<Record<string, number>> = {}, waitingFor: string | null = null) => {
    progress = { stage, waitingFor, counts: { ...progress.counts, ...counts } };
    setCurrentDetails(toMarkdown(progress));
  };
}

function toMarkdown({ stage, waitingFor, counts }: Progress): string {
  const rows = Object.entries(counts).map(([name, count]) => `| ${name} | ${count} |`);
  const table = rows.length === 0 ? [] : ['', '| | |', '|---|---:|', ...rows];
  return [`**${stage}**${waitingFor === null ? '' : `: waiting for ${waitingFor}`}`, ...table].join('\n');
}
