import { operations } from '../src/contract/index.ts';
import { defaultRequestSettings } from '../src/contract/request-settings.ts';
import {
  createCaller,
  UnreachableError,
  UnusableAnswerError,
  type Caller,
  type CallerOptions,
} from './probe/caller.ts';
import { checksFor } from './check-catalogue.ts';
import { isAllowed, type Check, type Effect } from './probe/check.ts';
import { CheckEnded, NotChecked } from './probe/not-checked.ts';
import { deleteTestBlacklists } from './checks/test-blacklists.ts';
import type { Facts } from './probe/facts.ts';
import type { Observation } from './probe/observe.ts';
import type { CreatedResource } from './probe/created-resources.ts';
import { createProbe } from './probe/probe.ts';
import type { ServerControl } from './probe/server-control.ts';
import { toVerdict, type Verdict } from './verdict.ts';

export interface ConformanceOptions extends CallerOptions {
  /** How far the checks may go. */
  readonly allowed: Effect;
  readonly newId: () => string;
  /** An order that exists already, to be checked as well. */
  readonly orderId?: string | undefined;
  /** Without it, checks with `needs` are not checked. */
  readonly server?: ServerControl | undefined;
  /** Default: all that there are. */
  readonly checks?: readonly Check[];
  /** Name of the array of slots on a results page, where it is not recognised. */
  readonly resultsItems?: string | undefined;
  readonly onStart?: (check: Check) => void;
  readonly onResult?: (result: CheckResult) => void;
  /** Told at once of what nothing can delete, or may have been made (no id): the run may end at any time. */
  readonly onLeftBehind?: (made: CreatedResource) => void;
  /** Told at the end, whether prospect-sync can work with the service. */
  readonly onVerdict?: (verdict: Verdict) => void;
}

export interface CheckResult {
  readonly id: string;
  readonly clause: string;
  readonly title: string;
  /** `not checked`: could not be; `left out`: was not allowed. */
  readonly result: 'passed' | 'finding' | 'not checked' | 'left out';
  readonly findings: readonly string[];
  readonly notes: readonly string[];
  /** Why it was left out, or not checked, or not to its end. */
  readonly reason: string | null;
}

/** The service does not take the key: nothing can be said about it. */
export class KeyRefusedError extends Error {
  override readonly name = 'KeyRefusedError';

  constructor() {
    super('the service does not accept the API key (401)');
  }
}

/** Something else answers at this address, or only what stands before the service. */
export class ServiceAbsentError extends Error {
  override readonly name = 'ServiceAbsentError';

  constructor(status: number) {
    super(`GET /api/v1/blacklists answers ${status}: the service is not at this address`);
  }
}

/** There is no such order, or not for this key. */
export class OrderUnknownError extends Error {
  override readonly name = 'OrderUnknownError';

  constructor(orderId: string, status: number) {
    super(`the service knows no order ${orderId} for this key (${status})`);
  }
}

/**
 * Runs the checks in their order. What can be deleted is deleted at the end, also when a check fails, the service goes away
 * or `signal` aborts. Throws UnreachableError, UnusableAnswerError where the first answer is one, KeyRefusedError,
 * ServiceAbsentError, OrderUnknownError, NotChecked where a 429 does not end, and the signal's reason.
 */
export async function runConformance(options: ConformanceOptions): Promise<CheckResult[]> {
  const caller = createCaller(options);
  await assertServiceUsable(options, caller);
  const created: CreatedResource[] = [];
  const onCreated = (one: CreatedResource) => {
    if (created.some((other) => isSame(one, other))) return;
    created.push(one);
    if (one.kind !== 'blacklist') options.onLeftBehind?.(one);
  };
  const facts = createFacts(options);
  const results: CheckResult[] = [];
  const finish = (result: CheckResult) => {
    results.push(result);
    options.onResult?.(result);
  };
  try {
    for (const check of options.checks ?? checksFor(options.orderId)) {
      if (!isAllowed(check, options.allowed)) {
        finish(leaveOut(check));
        continue;
      }
      options.onStart?.(check);
      finish(await runCheck(options, { caller, check, facts, onCreated }));
    }
  } finally {
    const ids = created.flatMap(({ kind, id }) => (kind === 'blacklist' && id !== null ? [id] : []));
    if (options.allowed !== 'read') finish(await cleanUp(options, facts, new Set(ids)));
  }
  options.onVerdict?.(toVerdict(facts));
  return results;
}

const absentStatuses = [404, 405, 502, 503, 504];

/** Throws where every check would fail for the same reason. */
async function assertServiceUsable({ orderId }: ConformanceOptions, caller: Caller): Promise<void> {
  const { status } = await caller.send(operations.listBlacklists);
  if (status === 401) throw new KeyRefusedError();
  if ((status >= 300 && status < 400) || absentStatuses.includes(status)) throw new ServiceAbsentError(status);
  if (orderId === undefined) return;
  const order = await caller.send(operations.getOrder, { params: { order_id: orderId } });
  if (order.status === 404 || order.status === 422) throw new OrderUnknownError(orderId, order.status);
}

/** Runs also when the checks were stopped. Says which names to look for when the service does not answer. */
async function cleanUp(
  options: ConformanceOptions,
  facts: Facts,
  createdIds: ReadonlySet<string>,
): Promise<CheckResult> {
  const unstoppable = { ...options, signal: undefined };
  const check = deleteTestBlacklists(createdIds);
  const left = `blacklists may be left behind: their names begin with "${facts.namePrefix}"`;
  try {
    const result = await runCheck(unstoppable, { caller: createCaller(unstoppable), check, facts, onCreated() {} });
    // Where a 429 does not end, the blacklists stay: that is a finding, not only an open check.
    return result.reason === null ? result : { ...result, result: 'finding', findings: [...result.findings, left] };
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    const { id, clause, title } = check;
    return { id, clause, title, result: 'finding', findings: [left], notes: [], reason: error.message };
  }
}

/** A replay: by its id, or, where the answer is lost, by the key that an answer told of before. */
function isSame(one: CreatedResource, other: CreatedResource): boolean {
  if (one.kind !== other.kind) return false;
  if (one.id !== null) return one.id === other.id;
  return one.idempotencyKey !== null && one.idempotencyKey === other.idempotencyKey;
}

interface CheckRun {
  readonly caller: Caller;
  readonly check: Check;
  readonly facts: Facts;
  readonly onCreated: (made: CreatedResource) => void;
}

async function runCheck(
  options: ConformanceOptions,
  { caller, check, facts, onCreated }: CheckRun,
): Promise<CheckResult> {
  const { id, clause, title } = check;
  const seen: Observation[] = [];
  let reason: string | null = null;
  try {
    if (check.run === null || (check.needs !== undefined && options.server === undefined)) {
      throw new NotChecked(`needs ${check.needs ?? 'control over the server'}`);
    }
    const probe = createProbe({
      caller,
      callerWithKey: (apiKey) => createCaller({ ...options, apiKey }),
      server: options.server,
      newId: options.newId,
      resultsItems: options.resultsItems ?? null,
      wait: (milliseconds) => options.wait(milliseconds, options.signal),
      signal: options.signal,
      record: (observation) => seen.push(observation),
      onCreated,
    });
    await check.run(probe, facts);
  } catch (error) {
    if (error instanceof NotChecked) reason = error.message;
    else if (error instanceof UnusableAnswerError) seen.push({ kind: 'finding', text: error.message });
    else if (!(error instanceof CheckEnded)) throw error;
  }
  const textsOf = (kind: Observation['kind']) => [
    ...new Set(seen.filter((observation) => observation.kind === kind).map(({ text }) => text)),
  ];
  const findings = textsOf('finding');
  const otherwise = reason === null ? 'passed' : 'not checked';
  const result = findings.length > 0 ? 'finding' : otherwise;
  return { id, clause, title, result, findings, notes: textsOf('note'), reason };
}

function leaveOut({ id, clause, title, effect }: Check): CheckResult {
  const reason = effect === 'write' ? 'not with --read-only' : 'only with --place-orders';
  return { id, clause, title, result: 'left out', findings: [], notes: [], reason };
}

function createFacts({ newId, orderId }: ConformanceOptions): Facts {
  const namePrefix = `prospect-sync conformance ${newId().slice(0, 8)}`;
  return {
    namePrefix,
    unknownId: newId(),
    givenOrderId: orderId,
    requests: defaultRequestSettings,
    settings: [],
    refusals: [],
    samples: [],
    placed: {},
    published: {},
    collected: {},
    outputs: {},
  };
}
