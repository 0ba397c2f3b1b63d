import { childOf } from './json-schema.ts';
import type { PathProblem } from './schema-problems.ts';

/** A destination that is named twice would be one output; one spreadsheet in two languages would be written over. */
export function checkServiceOutputs(path: readonly PropertyKey[], run: unknown): PathProblem[] {
  const outputs = childOf(run, 'service_outputs');
  if (!Array.isArray(outputs)) return [];
  const fallback = childOf(childOf(run, 'profile'), 'output_language') ?? 'en';
  const destinations = outputs.map((output: unknown) => toDestination(output, fallback));
  const first = new Map<string, number>();
  return destinations.flatMap((destination, index) => {
    if (destination === null) return [];
    const earlier = first.get(destination);
    first.set(destination, earlier ?? index);
    if (earlier === undefined) return [];
    const rule = `is the destination of service_outputs[${earlier}] already`;
    const remedy = 'Remove one of them, or give them other languages or spreadsheets';
    return [{ path: [...path, index], at: 'value', rule, found: null, remedy } as const];
  });
}

/** null where the schema has its own complaint. Languages are compared in lower case (A38). */
function toDestination(output: unknown, fallback: unknown): string | null {
  const type = childOf(output, 'type');
  const target =
    type === 'google_sheets' ? childOf(output, 'spreadsheet_id') : (childOf(output, 'language') ?? fallback);
  if (typeof type !== 'string' || typeof target !== 'string') return null;
  return `${type} ${type === 'google_sheets' ? target : target.toLowerCase()}`;
}
