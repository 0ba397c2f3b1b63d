import { childOf } from './json-schema.ts';
import { defaultMaxBriefings } from './limit-settings.ts';
import type { PathProblem } from './schema-problems.ts';

/** Quantities above the limit; what is no whole number is the schema's complaint. */
export function checkQuantities(file: unknown): PathProblem[] {
  const max = childOf(childOf(file, 'limits'), 'max_briefings_per_run') ?? defaultMaxBriefings;
  const runs = childOf(file, 'runs');
  if (!Number.isSafeInteger(max) || typeof runs !== 'object' || runs === null) return [];
  return Object.entries(runs).flatMap(([name, run]: [string, unknown]): PathProblem[] => {
    const quantity = childOf(run, 'kind') === 'discovery' ? childOf(run, 'briefing_quantity') : null;
    if (!Number.isSafeInteger(quantity) || Number(quantity) <= Number(max)) return [];
    return [
      {
        path: ['runs', name, 'briefing_quantity'],
        at: 'value',
        rule: `at most ${Number(max).toLocaleString('en')} (limits.max_briefings_per_run)`,
        found: Number(quantity).toLocaleString('en'),
        remedy: 'Order fewer companies, or raise limits.max_briefings_per_run',
      },
    ];
  });
}
