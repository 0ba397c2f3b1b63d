/** What a check works with: it asks, and everything that an answer breaks is recorded against the check. */
import type { z } from 'zod';
import type { ErrorCode } from '../src/contract/index.ts';
import type { Operation } from '../src/contract/operation.ts';
import { describeStatus, endWithoutScope, readAnswer } from './answer.ts';
import type { Answer, Call, Caller } from './caller.ts';
import { toContractShape } from './contract-shape.ts';
import { madeBy, type Made } from './made.ts';
import { CheckEnded, NotChecked } from './not-checked.ts';
import { valueAt, type Observation } from './observe.ts';
import type { ServerControl } from './server-control.ts';

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
  /** The assumption that says it is refused with this status and no other: what is in `or` is a note. */
  readonly open?: string;
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
  /** Undefined on a deployment; a check with `needs` runs only where it is there. */
  readonly server: ServerControl | undefined;
  /** The same probe with another API key. */
  withKey(apiKey: string): Probe;
}

export interface ProbeParts {
  readonly caller: Caller;
  readonly callerWithKey: (apiKey: string) => Caller;
  readonly server: ServerControl | undefined;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly signal: AbortSignal | undefined;
  readonly newId: () => string;
  /** Name of the array of slots, where it was given. */
  readonly resultsItems: string | null;
  readonly record: (observation: Observation) => void;
  /** Told of everything that was created, again when it is a replay, and of what may have been. */
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
    const { answer, facts } = await sendKnowing(parts, operation, call);
    for (const fact of facts) record({ kind: 'note', text: `not shown: ${answer.about}: ${fact}` });
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
    server: parts.server,
    withKey: (apiKey) => createProbe({ ...parts, caller: parts.callerWithKey(apiKey), onMade() {} }),
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
      for (const { what, or = [], open, ...call } of cases) {
        const answer = await send(operation, call);
        if (answer.status === status) continue;
        const said = `${answer.about}: ${what} must be refused with ${status}, answered ${describeStatus(answer)}`;
        if (!or.includes(answer.status)) finding(said);
        else if (open !== undefined)
          record({
            kind: 'note',
            text: `assumed ${open}: ${answer.about}: ${what} answered ${describeStatus(answer)}`,
          });
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

/** An answer that is lost, or given up while it is awaited, does not take back what the request did. */
async function sendKnowing(
  parts: ProbeParts,
  operation: Operation,
  call: Call,
): Promise<{ answer: Answer; facts: readonly string[] }> {
  parts.signal?.throwIfAborted();
  const tell = (answer?: Answer) => {
    const made = madeBy(operation, call, answer);
    if (made) parts.onMade(made);
  };
  try {
    const received = await parts.caller.send(operation, call);
    const { body, facts } = toContractShape(operation, received, parts.resultsItems);
    const answer = { ...received, body };
    tell(answer);
    return { answer, facts };
  } catch (error) {
    // Refused with 429 every time, it made nothing.
    if (!(error instanceof NotChecked)) tell();
    throw error;
  }
}
