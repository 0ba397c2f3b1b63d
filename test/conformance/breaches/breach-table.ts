/**
 * Breaches as lines of text: the check that has to report it | which answers are mutated | how | a part of the finding.
 * Answers: `getOrder`, those of success; `getOrder 404`, those with this status; `#3`, `#3+` and `#-3`, the third, from the
 * third on, and up to the third; `?limit=2`, those of requests with this parameter; `status=FAILED`, those with this member;
 * `sent.name`, `!sent.name` and `sent.name=7`, those to a body with or without this member, or with this value.
 */
import { toMutation, type Mutation } from './answer-mutations.ts';

export interface Breach {
  readonly checkId: string;
  readonly selector: string;
  readonly mutate: Mutation;
  /** For the title of the test. */
  readonly mutation: string;
  readonly finding: string;
}

/** Breaches by the id of the check that has to report them. */
export function parseBreachTable(table: string): ReadonlyMap<string, readonly Breach[]> {
  const lines = table.split('\n').filter((line) => line.trim() !== '');
  return Map.groupBy(lines.map(parseBreach), ({ checkId }) => checkId);
}

function parseBreach(line: string): Breach {
  const [checkId = '', selector = '', mutation = '', finding] = line.trim().split(' | ');
  if (finding === undefined) throw new Error(`a breach needs four columns: ${line}`);
  return { checkId, selector, mutation, mutate: toMutation(mutation), finding };
}
