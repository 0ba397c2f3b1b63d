import { escapeMarkdown, toList } from '../text/markdown.ts';
import type { RunPlan } from '../config/run-plan.ts';

/**
 * Markdown above what a schedule starts. What the run asks for is not among it: it may have changed since the schedule was
 * applied, and the schedule would hold it for as long as there is one.
 */
export function describeScheduled({ runName, kind }: RunPlan, configurationDigest: string): string {
  const entries: [string, string][] = [
    ['kind', kind],
    ['configuration', configurationDigest],
    ['asks for', 'what the configuration of the worker says, see the details of its part “ordering”'],
  ];
  return `**${escapeMarkdown(`Run ${runName}, started by its schedule`)}**\n\n${toList(entries)}`;
}
