/** What a check works with: it asks, and everything that an answer breaks is recorded against the check. */
import { z } from 'zod';
import { operations, type ErrorCode } from '../contract/index.ts';
import { faultSchema, forbiddenSchema, unauthorizedSchema } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import type { Answer, Call, Caller } from './caller.ts';
import { CheckEnded, NotChecked } from './check.ts';
import { observe, valueAt, type Observation } from './observe.ts';

type StatusOf<O extends Operation> = keyof O['responses'] & number;
type BodyOf<O extends Operation, S extends StatusOf<O>> = O['responses'][S] extends z.ZodType
  ? z.output<O['responses'][S]>
  : undefined;

export interface AskOptions extends Call {
  /** The assumption that the shape of the answer rests on: what differs is a note. */
  readonly assumed?: string;
}

/** A request that has to be refused. */
export interface RefusalCase extends AskOptions {
  readonly what: string;
  /** Also fine, where the specification does not settle it. */
  readonly or?: readonly number[];
}

export interface Probe {
  /** Ends the check unless the answer has this status and can be read. */
  ask<O extends Operation, S extends StatusOf<O>>(operation: O, status: S, call?: AskOptions): Promise<BodyOf<O, S>>;
  /** Records what differs from `status`, and goes on. */
  refuses(operation: Operation, status: number, cases: readonly RefusalCase[]): Promise<void>;
  /** Records another status than this, or another code where the specification names one, and goes on. */
  answers(operation: Operation, status: number, expected?: AskOptions & { code?: ErrorCode }): Promise<Answer>;
  /** No expectation but the contract's for whatever status comes. */
  send(operation: Operation, call?: AskOptions): Promise<Answer>;
  /** Outside of the operation table, or a file: nothing is held against it. */
  readonly raw: Caller;
  /** A finding unless it holds. */
  expect(holds: boolean, rule: string): void;
  note(text: string): void;
  /** Asks again, with growing pauses, until there is something; undefined when `seconds` have passed. */
  poll<T>(seconds: number, attempt: () => Promise<T | undefined>): Promise<T | undefined>;
  newId(): string;
}

export interface Made {
  readonly kind: 'blacklist' | 'search profile creation' | 'order';
  readonly id: string;
}

export interface ProbeParts {
  readonly caller: Caller;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly newId: () => string;
  readonly record: (observation: Observation) => void;
  /** Told of everything that an answer says was created, again when it is a replay. */
  readonly onMade: (made: Made) => void;
}

/** "Suggested polling interval is about 2 seconds"; the first answers may come sooner. */
const firstPauseMs = 250;
const usualPauseMs = 2_000;
/** What is not there by then is made by people. */
const patientAfterMs = 30_000;
const patientPauseMs = 15_000;

export function createProbe(parts: ProbeParts): Probe {
  const { caller, wait, newId, record } = parts;
  const finding = (text: string) => record({ kind: 'finding', text });

  async function send(operation: Operation, call: AskOptions = {}): Promise<Answer> {
    const answer = await caller.send(operation, call);
    const made = madeBy(operation, answer);
    if (made) parts.onMade(made);
    for (const observation of readAnswer(operation, answer, call.assumed)) record(observation);
    endWithoutScope(answer, record);
    return answer;
  }

  function ask<O extends Operation, S extends StatusOf<O>>(
    operation: O,
    status: S,
    call?: AskOptions,
  ): Promise<BodyOf<O, S>>;
  async function ask(operation: Operation, status: number, call: AskOptions = {}): Promise<unknown> {
    const answer = await send(operation, call);
    if (answer.status !== status) {
      finding(`${answer.about}: must answer ${status}, answered ${describeStatus(answer)}`);
      throw new CheckEnded();
    }
    const schema = operation.responses[status];
    if (!schema) return undefined;
    const read = schema.safeParse(answer.body);
    if (read.success) return read.data;
    const isOpen = readAnswer(operation, answer, call.assumed).every(({ kind }) => kind === 'note');
    throw isOpen ? new NotChecked(`${answer.about} answers in a shape of its own (see the notes)`) : new CheckEnded();
  }

  return {
    raw: caller,
    newId,
    send,
    ask,
    async answers(operation, status, { code, ...call } = {}) {
      const answer = await send(operation, call);
      const found = valueAt(answer.body, ['code']);
      if (answer.status !== status)
        finding(`${answer.about}: must answer ${status}, answered ${describeStatus(answer)}`);
      else if (code !== undefined && found !== code)
        finding(`${answer.about}: code must be ${code}, answered ${describeStatus(answer)}`);
      return answer;
    },
    async refuses(operation, status, cases) {
      for (const { what, or = [], ...call } of cases) {
        const answer = await send(operation, call);
        if (answer.status === status || or.includes(answer.status)) continue;
        finding(`${answer.about}: ${what} must be refused with ${status}, answered ${describeStatus(answer)}`);
      }
    },
    expect(holds, rule) {
      if (!holds) finding(rule);
    },
    note: (text) => record({ kind: 'note', text }),
    async poll(seconds, attempt) {
      for (let waited = 0, pause = firstPauseMs; ;) {
        const found = await attempt();
        if (found !== undefined || waited >= seconds * 1_000) return found;
        await wait(pause);
        waited += pause;
        pause = Math.min(pause * 2, waited < patientAfterMs ? usualPauseMs : patientPauseMs);
      }
    },
  };
}

const madeIn = [
  [operations.createBlacklist, 'blacklist', 'id'],
  [operations.createProfile, 'search profile creation', 'profile_creation_id'],
  [operations.createOrder, 'order', 'order_id'],
] as const;

/** Ids are UUIDs; anything else is not repeated. */
function madeBy(operation: Operation, { status, body }: Answer): Made | undefined {
  const [, kind, field] = madeIn.find(([creating]) => creating === operation) ?? [];
  const id = field === undefined ? undefined : valueAt(body, [field]);
  if (kind === undefined || status >= 300 || typeof id !== 'string' || !/^[\w-]{1,60}$/.test(id)) return undefined;
  return { kind, id };
}

/** Status with the code where it is a word: `404 (ORDER_NOT_FOUND)`. */
export function describeStatus({ status, body }: Answer): string {
  const code = valueAt(body, ['code']) ?? valueAt(body, ['error']);
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,59}$/.test(code) ? `${status} (${code})` : String(status);
}

const commonAnswers: Readonly<Record<number, z.ZodType>> = {
  401: unauthorizedSchema,
  403: forbiddenSchema,
  500: faultSchema,
};

function readAnswer(operation: Operation, answer: Answer, assumed: string | undefined): Observation[] {
  const { about, status, bytes, body } = answer;
  const schema = operation.responses[status] ?? commonAnswers[status];
  const at = (text: string) => `${about} ${status}: ${text}`;
  if (status === 204 && bytes.length > 0) return [{ kind: 'finding', text: at('the body must be empty') }];
  if (!schema) return [];
  const type = answer.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? 'none';
  const typed: Observation[] =
    type === 'application/json'
      ? []
      : [{ kind: type.endsWith('+json') ? 'note' : 'finding', text: at('content-type must be application/json') }];
  if (body === undefined) return [...typed, { kind: 'finding', text: at('the body must be JSON') }];
  const observed = observe(schema, body).map(({ kind, text }): Observation => {
    if (assumed === undefined || text.startsWith('assumed ')) return { kind, text: toAssumedText(text, at) };
    return { kind: 'note', text: `assumed ${assumed}: ${at(text)}` };
  });
  return [...typed, ...observed];
}

/** Kinds of notes stay in front: `assumed A14: GET /api/v1/… 404: code: …`. */
function toAssumedText(text: string, at: (text: string) => string): string {
  const [, kind = '', rest = text] = /^(assumed A\d+: |drift: )?(.*)$/s.exec(text) ?? [];
  return `${kind}${at(rest)}`;
}

/** A key that may not is no fault of the service; one that may and is refused all the same is. */
function endWithoutScope(answer: Answer, record: ProbeParts['record']): void {
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
