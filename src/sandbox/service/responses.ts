/** Answers are held against the contract before they are sent: a stand-in that drifts says so at once. */
import { z } from 'zod';
import { describeViolation, operations, toStrict, violations } from '../../contract/index.ts';
import { conflictSchema } from '../../contract/errors.ts';
import { resultsPage } from '../../contract/result.ts';
import type { Answer } from './answer.ts';
import { drifted, isDrifting, noDrift, type Drift } from './drift.ts';
import { commonAnswers } from './refusal.ts';
import type { ResultSettings } from './results.ts';
import type { Operation } from './route.ts';

type Schemas = Readonly<Record<number, z.ZodType | null>>;

/** `strict` off sends whatever was answered. `operation` is null on paths that belong to none. */
export function createResponder(settings: ResultSettings & { readonly strict: boolean }) {
  const strictSchemas = new Map<Operation | null, ReadonlyMap<number, z.core.$ZodType | null>>([
    [null, strictOf(commonAnswers)],
    ...Object.values(operations).map(
      (operation) => [operation, strictOf({ ...commonAnswers, ...answersOf(operation, settings) })] as const,
    ),
  ]);

  return (operation: Operation | null, answer: Answer, drift: Drift = noDrift): Response => {
    const schemas = strictSchemas.get(operation);
    const differences = settings.strict && schemas ? differencesOf(schemas, answer) : [];
    if (differences.length === 0)
      return toResponse(isDrifting(drift) ? driftedAnswer(operation, answer, drift) : answer);
    const message = `the answer with status ${answer.status} breaks the contract`;
    return toResponse({ status: 500, body: { code: 'INTERNAL_ERROR', message, differences } });
  };
}

/** Refusals stay as they are. */
function driftedAnswer(operation: Operation | null, answer: Answer, drift: Drift): Answer {
  const schema = operation && Reflect.get(operation.responses, answer.status);
  if (answer.status >= 400 || !(schema instanceof z.ZodType)) return answer;
  return { ...answer, body: drifted(schema, answer.body, drift) };
}

function differencesOf(schemas: ReadonlyMap<number, z.core.$ZodType | null>, { status, body }: Answer): string[] {
  const schema = schemas.get(status);
  if (schema === undefined) return [`status ${status}: not among the operation's answers`];
  if (schema === null) return body === undefined ? [] : ['body: must be empty'];
  return violations(schema, body).map(describeViolation);
}

/** Those that can answer ORDER_RESULTS_NOT_READY. */
const needingPublication = new Set<Operation>([
  operations.listResults,
  operations.createExport,
  operations.createOutput,
]);

/** The operation's answers under the assumptions of this stand-in (A01, A04). */
function answersOf(operation: Operation, { results_items, results_not_ready_status }: ResultSettings): Schemas {
  if (!needingPublication.has(operation)) return operation.responses;
  const page = operation === operations.listResults ? { 200: resultsPage(results_items) } : {};
  const answers: Schemas = { ...operation.responses, ...page };
  const usual = answers[results_not_ready_status] ?? conflictSchema;
  return { ...answers, [results_not_ready_status]: z.union([usual, conflictSchema]) };
}

function strictOf(schemas: Schemas): ReadonlyMap<number, z.core.$ZodType | null> {
  return new Map(Object.entries(schemas).map(([status, schema]) => [Number(status), schema && toStrict(schema)]));
}

function toResponse({ status, body, headers = {} }: Answer): Response {
  if (body === undefined) return new Response(null, { status, headers });
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...challenge, ...headers },
  });
}
