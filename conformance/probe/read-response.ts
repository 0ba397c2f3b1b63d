/** Compares a whole response with the contract, and describes its status. */
import { z } from 'zod';
import { faultSchema, forbiddenSchema, unauthorizedSchema } from '../../src/service/contract/errors.ts';
import type { Operation } from '../../src/service/contract/operation.ts';
import type { Answer } from './caller.ts';
import { CheckEnded, NotChecked } from './not-checked.ts';
import { valueAt } from '../../src/service/contract/violations.ts';
import { observe, type Observation } from './observe.ts';

/** Status with the error code, if any: `404 (ORDER_NOT_FOUND)`. */
export function describeStatus({ status, body }: Answer): string {
  const code = valueAt(body, ['code']) ?? valueAt(body, ['error']);
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,59}$/.test(code) ? `${status} (${code})` : String(status);
}

const commonAnswers: Readonly<Record<number, z.ZodType>> = {
  401: unauthorizedSchema,
  403: forbiddenSchema,
  500: faultSchema,
};

export function readAnswer(operation: Operation, answer: Answer, assumed: string | undefined): Observation[] {
  const { about, status, bytes, body } = answer;
  const schema = operation.responses[status] ?? commonAnswers[status];
  const at = (text: string) => `${about} ${status}: ${text}`;
  if (status === 204 && bytes.length > 0) return [{ kind: 'finding', text: at('the body must be empty') }];
  if (!schema) return [];
  const type = answer.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? 'none';
  // A response whose form is assumed may have an empty body and contain everything in its headers.
  const isOpen = assumed !== undefined && bytes.length === 0;
  const typed: Observation[] =
    type === 'application/json'
      ? []
      : [
          {
            kind: isOpen || type.endsWith('+json') ? 'note' : 'finding',
            text: at('content-type must be application/json'),
          },
        ];
  if (body === undefined) return [...typed, { kind: isOpen ? 'note' : 'finding', text: at('the body must be JSON') }];
  const observed = observe(schema, body).map(({ kind, text }): Observation => {
    if (assumed === undefined || text.startsWith('assumed ')) return { kind, text: toAssumedText(text, at) };
    return { kind: 'note', text: `assumed ${assumed}: ${at(text)}` };
  });
  return [...typed, ...observed];
}

/** Keeps the kind of the note first: `assumed A14: GET /api/v1/… 404: code: …`. */
function toAssumedText(text: string, at: (text: string) => string): string {
  const [, kind = '', rest = text] = /^(assumed A\d+: |drift: )?(.*)$/s.exec(text) ?? [];
  return `${kind}${at(rest)}`;
}

/** Ends the check at a 403: not checked when the key lacks a scope, a finding when it holds every required scope. */
export function endWithoutScope(answer: Answer, record: (observation: Observation) => void): void {
  if (answer.status !== 403 || valueAt(answer.body, ['code']) !== 'AUTHORIZATION_ERROR') return;
  const listed = z
    .object({ required_scopes: z.array(z.string()), user_scopes: z.array(z.string()) })
    .safeParse(answer.body);
  if (!listed.success) {
    record({ kind: 'finding', text: `${answer.about} 403: must list required_scopes and user_scopes` });
    throw new CheckEnded();
  }
  const { required_scopes, user_scopes } = listed.data;
  const missing = required_scopes.filter((scope) => !user_scopes.includes(scope) && /^[a-z_]+:[a-z_]+$/.test(scope));
  if (missing.length > 0) throw new NotChecked(`the key lacks ${missing.join(', ')}`);
  record({ kind: 'finding', text: `${answer.about} 403: the key holds every required scope` });
  throw new CheckEnded();
}
