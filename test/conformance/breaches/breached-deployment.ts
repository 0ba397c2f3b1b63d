/** A deployment that keeps every rule but one. */
import { operations } from '../../../src/service/contract/index.ts';
import type { Fetch } from '../../../src/base/http/http-answer.ts';
import { breaching, type Seen } from '../conformance-harness.ts';
import { answer, type Mutation } from './answer-mutations.ts';
import type { Breach } from './breach-table.ts';

type OperationName = keyof typeof operations;

const operationNames = Object.keys(operations) as OperationName[];

/** `target` of a selector: an operation, `file` or `closedRoute`. */
function toRoute(target: string): { readonly method: string; readonly path: RegExp } {
  if (target === 'file') return { method: 'GET', path: /\/files\// };
  if (target === 'closedRoute') return { method: 'GET', path: /^\/api\/v1\/companies$/ };
  const operation = operations[target as OperationName];
  if (!operation) throw new Error(`no operation ${target}`);
  const path = new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return { method: operation.method.toUpperCase(), path };
}

export function breachedFetch(fetch: Fetch, { selector, mutate }: Pick<Breach, 'selector' | 'mutate'>): Fetch {
  const [target = '', ...conditions] = selector.split(' ');
  const { method, path } = toRoute(target);
  const earlier: Seen[] = [];
  let nth = 0;
  // Files are not JSON, so they pass unread unless they are the target.
  return breaching(fetch, 'ANY', target === 'file' ? path : /^\/api\//, (seen) => {
    const before = [...earlier];
    earlier.push(seen);
    if (seen.request.method !== method || !path.test(seen.url.pathname)) return undefined;
    nth += 1;
    return meets(seen, nth, conditions) ? mutate({ ...seen, nth, earlier: before }) : undefined;
  });
}

function meets({ status, url, body, sent }: Seen, nth: number, conditions: readonly string[]): boolean {
  const hasStatus = conditions.some((condition) => /^\d{3}$/.test(condition));
  return (hasStatus || status < 300) && conditions.every(meetsOne);

  function meetsOne(condition: string): boolean {
    const [, sign, name = '', value] = /^(\?|#-?|sent\.|!sent\.|)([^=]*?)\+?(?:=(.*))?$/.exec(condition) ?? [];
    if (sign === '?') return name === '' ? url.search === '' : meetsQuery(condition);
    if (sign === '#-') return nth <= Number(name);
    if (sign === '#') return condition.endsWith('+') ? nth >= Number(name) : nth === Number(name);
    if (sign === '!sent.') return !(name in sent);
    if (sign === 'sent.') return value === undefined ? name in sent : JSON.stringify(sent[name]) === value;
    return value === undefined ? status === Number(name) : String(body[name]) === value;
  }

  function meetsQuery(query: string): boolean {
    return [...new URLSearchParams(query)].every(([name, value]) => url.searchParams.get(name) === value);
  }
}

/** Collects selectors of the answers that pass: `getOrder 200`. */
export function recordingFetch(fetch: Fetch, selectors: Set<string>): Fetch {
  return async (request) => {
    const response = await fetch(request);
    const { pathname } = new URL(request.url);
    const name = operationNames.find((other) => {
      const { method, path } = toRoute(other);
      return method === request.method && path.test(pathname);
    });
    if (name !== undefined) selectors.add(`${name} ${response.status}`);
    return response;
  };
}

/** A refusal becomes a success, and a success an error of the server. */
export function flipStatus(selector: string): Mutation {
  const [name, status] = selector.split(' ');
  if (Number(status) < 400) return answer(500, { code: 'INTERNAL_ERROR', message: 'x' });
  const statuses = Object.keys(operations[name as OperationName].responses).map(Number);
  const success = statuses.find((code) => code < 300) ?? 302;
  return answer(success, success === 204 ? undefined : {});
}
