/** The tool of a check: it sends requests and records every breach in a response. */
import type { z } from 'zod';
import type { ErrorCode } from '../../src/service/contract/index.ts';
import type { Operation } from '../../src/service/contract/operation.ts';
import { describeStatus, endWithoutScope, readAnswer } from './read-response.ts';
import type { Answer, Call, Caller } from './caller.ts';
import { toContractShape } from './contract-shape.ts';
import { createdBy, type CreatedResource } from './created-resources.ts';
import { CheckEnded, NotChecked } from './not-checked.ts';
import { valueAt } from '../../src/service/contract/violations.ts';
import type { Observation } from './observe.ts';
import type { ServerControl } from './server-control.ts';

type StatusOf<O extends Operation> = keyof O['responses'] & number;
type BodyOf<O extends Operation, S extends StatusOf<O>> = O['responses'][S] extends z.ZodType
  ? z.output<O['responses'][S]>
  : undefined;

export interface AskOptions extends Call {
  /** The assumption behind the shape of the response: a difference is a note, not a finding. */
  readonly assumed?: string;
}

/** A request that must be refused. */
export interface RefusalCase extends AskOptions {
  readonly what: string;
  /** Other accepted statuses, if the specification leaves it open. */
  readonly or?: readonly number[];
  /** The assumption that expects `status` only: a status of `or` is a note. */
  readonly open?: string;
}

export interface Probe {
  /** Ends the check unless the answer has this status and a valid body. */
  ask<O extends Operation, S extends StatusOf<O>>(operation: O, status: S, call?: AskOptions): Promise<BodyOf<O, S>>;
  /** Records a finding for each other status. Does not end the check. */
  refuses(operation: Operation, status: number, cases: readonly RefusalCase[]): Promise<void>;
  /** Records a finding for another status or code. Does not end the check. */
  answers(operation: Operation, status: number, expected?: AskOptions & { code?: ErrorCode }): Promise<Answer>;
  /** Compares the response with the contract for its status. */
  send(operation: Operation, call?: AskOptions): Promise<Answer>;
  /** Sends without recording anything. */
  readonly raw: Caller;
  /** Records a finding unless `holds`. */
  expect(holds: boolean, rule: string): void;
  note(text: string): void;
  /** Repeats `attempt` with growing pauses until it returns a value; undefined after `seconds`. */
  poll<T>(seconds: number, attempt: () => Promise<T | undefined>): Promise<T | undefined>;
  newId(): string;
  /** Undefined on a deployment; checks with `needs` run only with it. */
  readonly server: ServerControl | undefined;
  /** The same probe with another API key. */
  withKey(apiKey: string): Probe;
}

export interface ProbeDependencies {
  readonly caller: Caller;
  readonly callerWithKey: (apiKey: string) => Caller;
  readonly server: ServerControl | undefined;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly signal: AbortSignal | undefined;
  readonly newId: () => string;
  /** Name of the array of slots from the command line, if given. */
  readonly resultsItems: string | null;
  readonly record: (observation: Observation) => void;
  /** Called for everything that was or may have been created, and again for a replay. */
  readonly onCreated: (made: CreatedResource) => void;
}

/** "Suggested polling interval is about 2 seconds"; the first polls are faster. */
const firstPauseMs = 250;
const usualPauseMs = 2_000;
/** After this time people probably review the order, so polling becomes slower. */
const slowAfterMs = 30_000;
const slowPauseMs = 15_000;

export function createProbe(dependencies: ProbeDependencies): Probe {
  const { caller, wait, newId, record } = dependencies;
  const finding = (text: string) => record({ kind: 'finding', text });

  async function send(operation: Operation, call: AskOptions = {}): Promise<Answer> {
    const { answer, facts } = await sendAndRecord(dependencies, operation, call);
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
    throw isOpen
      ? new NotChecked(`${answer.about} answers in another form than assumed (see the notes)`)
      : new CheckEnded();
  }

  return {
    raw: caller,
    newId,
    server: dependencies.server,
    withKey: (apiKey) => createProbe({ ...dependencies, caller: dependencies.callerWithKey(apiKey), onCreated() {} }),
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
        const text = `${answer.about}: ${what} must be refused with ${status}, answered ${describeStatus(answer)}`;
        if (!or.includes(answer.status)) finding(text);
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
        pause = Math.min(pause * 2, waited < slowAfterMs ? usualPauseMs : slowPauseMs);
      }
    },
  };
}

/** A request whose response is lost may still have created something. */
async function sendAndRecord(
  dependencies: ProbeDependencies,
  operation: Operation,
  call: Call,
): Promise<{ answer: Answer; facts: readonly string[] }> {
  dependencies.signal?.throwIfAborted();
  const report = (answer?: Answer) => {
    const created = createdBy(operation, call, answer);
    if (created) dependencies.onCreated(created);
  };
  try {
    const received = await dependencies.caller.send(operation, call);
    const { body, facts } = toContractShape(operation, received, dependencies.resultsItems);
    const answer = { ...received, body };
    report(answer);
    return { answer, facts };
  } catch (error) {
    // A request that was refused with 429 every time created nothing.
    if (!(error instanceof NotChecked)) report();
    throw error;
  }
}
