/** Answers are held against the contract before they are sent: a stand-in that drifts says so at once. */
import { z } from 'zod';
import { describeViolation, operations, toStrict, violations } from '../../contract/index.ts';
import { conflictSchema } from '../../contract/errors.ts';
import { resultsPage } from '../../contract/result.ts';
import type { Answer } from './answer.ts';
import { commonAnswers } from './refusal.ts';
import type { ResultSettings } from './results.ts';
import type { Operation } from './route.ts';

type Schemas = Readonly<Record<number, z.ZodType | null>>;

/** The stand-in's own answer, outside the contract. */
const notBuiltStatus = 501;

/** `strict` off sends whatever was answered. `operation` is null on paths that belong to none. */
export function createResponder(settings: ResultSettings & { readonly strict: boolean }) {
  const strictSchemas = new Map<Operation | null, ReadonlyMap<number, z.core.$ZodType | null>>([
    [null, strictOf(commonAnswers)],
    ...Object.values(operations).map(
      (operation) => [operation, strictOf({ ...commonAnswers, ...answersOf(operation, settings) })] as const,
    ),
  ]);

  return (operation: Operation | null, answer: Answer): Response => {
    const schemas = strictSchemas.get(operation);
    const differences = settings.strict && schemas ? differencesOf(schemas, answer) : [];
    if (differences.length === 0) return toResponse(answer);
    const message = `the answer with status ${answer.status} breaks the contract`;
    return toResponse({ status: 500, body: { code: 'INTERNAL_ERROR', message, differences } });
  };
}

function differencesOf(schemas: ReadonlyMap<number, z.core.$ZodType | null>, { status, body }: Answer): string[] {
  if (status === notBuiltStatus) return [];
  const schema = schemas.get(status);
  if (schema === undefined) return [`status ${status}: not among the operation's answers`];
  if (schema === null) return body === undefined ? [] : ['body: must be empty'];
  return violations(schema, body).map(describeViolation);
}

/** The operation's answers under the assumptions of this stand-in (A01, A04). */
function answersOf(operation: Operation, { results_items, results_not_ready_status }: ResultSettings): Schemas {
  if (operation !== operations.listResults) return operation.responses;
  const answers: Schemas = { ...operation.responses, 200: resultsPage(results_items) };
  const usual = answers[results_not_ready_status] ?? conflictSchema;
  return { ...answers, [results_not_ready_status]: z.union([usual, conflictSchema]) };
}

function strictOf(schemas: Schemas): ReadonlyMap<number, z.core.$ZodType | null> {
  return new Map(Object.entries(schemas).map(([status, schema]) => [Number(status), schema && toStrict(schema)]));
}

function toResponse({ status, body }: Answer): Response {
  if (body === undefined) return new Response(null, { status });
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...challenge } });
}
