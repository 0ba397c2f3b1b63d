/** A deployment that keeps every rule but one. */
import { operations } from '../../../src/contract/index.ts';
import type { Fetch } from '../../../src/http/http-answer.ts';
import { sampleOf } from '../../helpers/sample.ts';
import { breaching, type Seen } from '../conformance-harness.ts';
import type { Mutation } from './answer-mutations.ts';

const breachesPerCheckInSample = 2;

type Target = keyof typeof operations | 'file' | 'closedRoute';

/**
 * Which answers are mutated: `getOrder`, those of success; `getOrder 404`, those with this status; `#3` and `#3+`, the third and
 * from the third on; `?limit=2`, those of requests with this parameter; `status=FAILED`, those with this member in the body.
 */
type Selector = Target | `${Target} ${string}`;

/** Which answers are mutated and how, and a part of the finding that has to report it. */
export type Breach = readonly [selector: Selector, mutation: Mutation, finding: string];

/** Breaches by the id of the check that has to report them. */
export type BreachesByCheck = Readonly<Record<string, readonly Breach[]>>;

/** Rows for `it.each`: a sample of the breaches of each check. */
export function toCases(breaches: BreachesByCheck) {
  return Object.entries(breaches).flatMap(([checkId, ofCheck]) =>
    sampleOf(ofCheck, breachesPerCheckInSample).map((breach) => [checkId, breach[0], breach[1].name, breach] as const),
  );
}

export function breachedFetch(fetch: Fetch, [selector, { mutate }]: Breach): Fetch {
  const [target = '', ...conditions] = selector.split(' ');
  const { method, path } = toRoute(target as Target);
  const earlier: Seen[] = [];
  let nth = 0;
  // Files are not JSON, so they pass unread unless they are the target.
  return breaching(fetch, 'ANY', target === 'file' ? path : /^\/api\//, (seen) => {
    const before = [...earlier];
    earlier.push(seen);
    if (seen.request.method !== method || !path.test(seen.url.pathname)) return undefined;
    nth += 1;
    const isMeant = meets(seen, nth, conditions);
    return isMeant ? mutate({ ...seen, nth, earlier: before }) : undefined;
  });
}

function toRoute(target: Target): { readonly method: string; readonly path: RegExp } {
  if (target === 'file') return { method: 'GET', path: /\/files\// };
  if (target === 'closedRoute') return { method: 'GET', path: /^\/api\/v1\/companies$/ };
  const { method, path } = operations[target];
  return { method: method.toUpperCase(), path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) };
}

function meets({ status, url, body }: Seen, nth: number, conditions: readonly string[]): boolean {
  const hasStatus = conditions.some((condition) => /^\d{3}$/.test(condition));
  return (hasStatus || status < 300) && conditions.every(meetsOne);

  function meetsOne(condition: string): boolean {
    if (/^\d{3}$/.test(condition)) return status === Number(condition);
    if (condition === '?') return url.search === '';
    if (condition.startsWith('?')) {
      return [...new URLSearchParams(condition)].every(([name, value]) => url.searchParams.get(name) === value);
    }
    if (condition.endsWith('+')) return nth >= Number(condition.slice(1, -1));
    if (condition.startsWith('#')) return nth === Number(condition.slice(1));
    const [member = '', value] = condition.split('=');
    return String(body[member]) === value;
  }
}
