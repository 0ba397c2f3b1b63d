/** Checks requests before they are sent, and reads answers, by the contract. */
import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { describeViolation, violations } from '../contract/index.ts';
import { isProblem, type AnswerProblem } from '../reading/read-answers.ts';
import { toStorable, type Storable } from '../../base/text/storable.ts';
import { ProspectingError } from './prospecting-error.ts';
import { recordBody, type CallSite } from './service-transport.ts';

/** Checks a request before it is sent. The error names field, limit and size of up to ten broken rules. */
export function assertRequest(call: CallSite, schema: z.core.$ZodType, body: unknown): void {
  const broken = violations(schema, body);
  if (broken.length === 0) return;
  const more = broken.length > 10 ? `; and ${broken.length - 10} more` : '';
  const detail = broken.slice(0, 10).map(describeViolation).join('; ') + more;
  throw new ProspectingError({ kind: 'request', ...call, detail });
}

/** Reads an answer by the contract and keeps unknown fields. @throws ProspectingError that names the field of a broken rule */
export async function read<S extends z.ZodType>(
  schema: S,
  call: Promise<{ data?: unknown; response: Response }>,
  request: CallSite,
): Promise<z.output<S>> {
  const { data, response } = await awaitAnswer(call, request);
  const { value } = storable(data, request);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const detail = violations(schema, value).slice(0, 5).map(describeViolation).join('; ');
  throw new ProspectingError({ kind: 'contract', ...request, status: response.status, detail });
}

/**
 * Reads an answer whose fields the specification does not define. `use` returns the problem of an unreadable answer; `replacedIn` gives
 * the number of replaced characters by record.
 */
export async function readUnspecified<T extends object>(
  use: (answer: unknown, replacedIn: Storable['replacedIn']) => T | AnswerProblem,
  call: Promise<{ data?: unknown; response: Response }>,
  request: CallSite,
): Promise<T> {
  const { data, response } = await awaitAnswer(call, request);
  const { value, replacedIn } = storable(data, request);
  const found = use(value, replacedIn);
  if (!isProblem(found)) return found;
  throw new ProspectingError({ kind: 'contract', ...request, status: response.status, detail: found.problem });
}

/** The JSON of an answer; characters that no database can store are replaced. */
function storable(data: unknown, request: CallSite): Storable {
  if (data === undefined) throw new ProspectingError({ kind: 'unreadable', ...request });
  const found = toStorable(data);
  if (found === null) throw new ProspectingError({ kind: 'contract', ...request, detail: 'it has too many levels' });
  return found;
}

/** Used for answers without a body. */
export async function expectNoBody(call: Promise<{ response: Response }>, request: CallSite): Promise<void> {
  await awaitAnswer(call, request);
}

export async function awaitAnswer<A extends { data?: unknown; response: Response }>(
  call: Promise<A>,
  request: CallSite,
): Promise<A> {
  try {
    const answer = await call;
    // Each pass over a large answer takes long: other work runs between them.
    await setImmediate();
    recordBody(answer);
    await setImmediate();
    return answer;
  } catch (error) {
    // The parser's error for a body that is cut or not JSON. It quotes the body, so it is not passed on as cause.
    if (error instanceof SyntaxError) throw new ProspectingError({ kind: 'unreadable', ...request });
    throw error;
  }
}
