/** Checks every answer against the contract before it is sent. */
import { z } from 'zod';
import { operations, describeViolation, toStrict, violations } from '../../src/service/contract/index.ts';
import { conflictSchema } from '../../src/service/contract/errors.ts';
import type { Tampering } from '../results/result-tampering.ts';
import type { Answer } from '../state/stored-records.ts';
import { tamperAnswer } from './tampered-answers.ts';
import { applyDrift, isDrifting, noDrift, type Drift } from './answer-drift.ts';
import { commonAnswers } from '../service-refusal.ts';
import type { ResultSettings } from './order-routes.ts';
import type { Operation } from './operation-route.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';

type Schemas = Readonly<Record<number, z.ZodType | null>>;

export interface AnswerChanges {
  readonly drift: Drift;
  /** An answer about a changed order is not checked. */
  readonly tampering: readonly Tampering[];
}

const noChanges: AnswerChanges = { drift: noDrift, tampering: [] };

/** Without `strict`, answers are sent unchecked. `operation` is null for unknown paths. */
export function createResponder(settings: ResultSettings & { readonly strict: boolean }) {
  const answers = new Map<Operation | null, Schemas>([
    [null, commonAnswers],
    ...Object.values(operations).map(
      (operation) => [operation, { ...commonAnswers, ...answersOf(operation, settings) }] as const,
    ),
  ]);

  return (operation: Operation | null, answer: Answer, { drift, tampering } = noChanges): Response => {
    if (operation !== null && tampering.length > 0)
      return toResponse(tamperAnswer(operation, driftedAnswer(operation, answer, drift), tampering));
    const schemas = answers.get(operation);
    const differences = settings.strict && schemas ? differencesOf(schemas, answer) : [];
    if (differences.length === 0)
      return toResponse(isDrifting(drift) ? driftedAnswer(operation, answer, drift) : answer);
    const message = `the answer with status ${answer.status} breaks the contract`;
    return toResponse({ status: 500, body: { code: 'INTERNAL_ERROR', message, differences } });
  };
}

/** Applies drift to successful answers; refusals stay unchanged. */
function driftedAnswer(operation: Operation | null, answer: Answer, drift: Drift): Answer {
  const schema = operation && Reflect.get(operation.responses, answer.status);
  if (answer.status >= 400 || !(schema instanceof z.ZodType)) return answer;
  return { ...answer, body: applyDrift(schema, answer.body, drift) };
}

function differencesOf(schemas: Schemas, { status, body }: Answer): string[] {
  const schema = schemas[status];
  if (schema === undefined) return [`status ${status}: is not a response of the operation`];
  if (schema === null) return body === undefined ? [] : ['body: must be empty'];
  return verifyResponse(schema)(body);
}

/** Operations that can answer ORDER_RESULTS_NOT_READY. */
const needingPublication = new Set<Operation>([
  operations.listResults,
  operations.createExport,
  operations.createOutput,
]);

/** The operation's answers with the assumptions in use (A04). */
function answersOf(operation: Operation, { results_not_ready_status }: ResultSettings): Schemas {
  if (!needingPublication.has(operation)) return operation.responses;
  const answers: Schemas = operation.responses;
  const usual = answers[results_not_ready_status] ?? conflictSchema;
  return { ...answers, [results_not_ready_status]: z.union([usual, conflictSchema]) };
}

function toResponse({ status, body, headers = {} }: Answer): Response {
  if (body === undefined) return new Response(null, { status, headers });
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return new Response(toStream(toJsonBytes(body)), {
    status,
    headers: { 'content-type': 'application/json', ...challenge, ...headers },
  });
}

/** A stream, because a Response copies a byte array. */
function toStream(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

type DifferencesOf = (body: unknown) => string[];

const compiledSchemas = new WeakMap<z.ZodType, DifferencesOf>();

/** The differences between a body and a schema in its strict form. A schema is compiled once, at its first use. */
function verifyResponse(schema: z.ZodType): DifferencesOf {
  const differences = compiledSchemas.get(schema) ?? compile(schema);
  compiledSchemas.set(schema, differences);
  return differences;
}

/** The schemas are made by zod: to validate them too, Ajv would compile the meta-schema once for each of them. */
const ajvOptions = { strict: false, validateFormats: false, validateSchema: false, meta: false };

/**
 * Ajv checks in a third of the time of zod; zod then describes the violations. The schemas have patterns beside their
 * formats, so formats are not validated.
 */
function compile(schema: z.ZodType): DifferencesOf {
  const strict = toStrict(schema);
  let isValid: ((body: unknown) => boolean) | undefined;
  return (body) => {
    isValid ??= new Ajv2020(ajvOptions).compile(z.toJSONSchema(strict, { io: 'input' }));
    return isValid(body) ? [] : violations(strict, body).map(describeViolation);
  };
}

/**
 * Encodes an answer as JSON. List items are written one by one into a reused buffer, because allocating texts and buffers
 * for a page of results (hundreds of kilobytes) took more time than everything else.
 */
export function toJsonBytes(body: unknown): Uint8Array<ArrayBuffer> {
  let at = 0;
  const write = (text: string) => {
    // UTF-8 needs three bytes at most for each UTF-16 unit.
    if (at + text.length * 3 > scratch.length) scratch = enlarged(scratch, at + text.length * 3);
    at += scratch.write(text, at);
  };
  const writeList = (list: readonly unknown[]) => {
    write('[');
    for (const [place, item] of list.entries()) {
      if (place > 0) write(',');
      write(JSON.stringify(item));
    }
    write(']');
  };
  if (Array.isArray(body)) writeList(body);
  else if (typeof body === 'object' && body !== null) {
    let opening = '{';
    for (const [name, field] of Object.entries(body)) {
      if (field === undefined) continue;
      write(`${opening}${JSON.stringify(name)}:`);
      if (Array.isArray(field)) writeList(field);
      else write(JSON.stringify(field));
      opening = ',';
    }
    write(opening === '{' ? '{}' : '}');
  } else write(JSON.stringify(body));
  const bytes = new Uint8Array(scratch.subarray(0, at));
  if (scratch.length > maxScratchLength) scratch = Buffer.allocUnsafeSlow(usualLength);
  return bytes;
}

const usualLength = 1 << 20;
/** A larger buffer is not kept: the answer to 10,000 entries of maximum length has 60 MB. */
const maxScratchLength = 4 * usualLength;
let scratch: Buffer = Buffer.allocUnsafeSlow(usualLength);

function enlarged(buffer: Buffer, least: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.max(least, buffer.length * 2));
  buffer.copy(larger);
  return larger;
}
