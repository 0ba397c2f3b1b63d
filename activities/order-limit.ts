import { final } from '../src/failures/final.ts';
import type { RunPlan } from '../src/run-plan.ts';

/** Before an enrichment is ordered: its rows are known only once the companies are read. @throws LimitExceeded */
export function assertWithinLimit(
  { runName, maxBriefings }: Pick<RunPlan, 'runName' | 'maxBriefings'>,
  rows: number,
): void {
  if (maxBriefings === undefined || rows <= maxBriefings) return;
  const [found, allowed] = [rows, maxBriefings].map((count) => count.toLocaleString('en'));
  throw final(
    'LimitExceeded',
    `run ${runName} found ${found} companies to enrich, and limits.max_briefings_per_run allows ${allowed}: nothing was ordered`,
  );
}
