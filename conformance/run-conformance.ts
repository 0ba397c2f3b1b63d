import { operations } from '../src/service/contract/index.ts';
import { defaultRequestSettings } from '../src/service/contract/request-settings.ts';
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
import type { RunState } from './probe/run-state.ts';
import type { Observation } from './probe/observe.ts';
import type { CreatedResource } from './probe/created-resources.ts';
import { createProbe } from './probe/probe.ts';
import type { ServerControl } from './probe/server-control.ts';
import { toVerdict, type Verdict } from './verdict.ts';

export interface ConformanceOptions extends CallerOptions {
  /** How far the checks may go. */
  readonly allowed: Effect;
  readonly newId: () => string;
  /** A published order to check as well. */
  readonly orderId?: string | undefined;
  /** Without it, checks with `needs` are reported as not checked. */
  readonly server?: ServerControl | undefined;
  /** Default: the whole catalogue. */
  readonly checks?: readonly Check[];
  /** Name of the array of slots on a results page, if it is not recognised. */
  readonly resultsItems?: string | undefined;
  readonly onStart?: (check: Check) => void;
  readonly onResult?: (result: CheckResult) => void;
  /** Called at once for everything that cannot be deleted, or may have been created (no id), because the run may be stopped. */
  readonly onLeftBehind?: (made: CreatedResource) => void;
  /** Called at the end. */
  readonly onVerdict?: (verdict: Verdict) => void;
}

export interface CheckResult {
  readonly id: string;
  readonly clause: string;
  readonly title: string;
  /** `not checked`: the check could not run. `left out`: the level does not allow it. */
  readonly result: 'passed' | 'finding' | 'not checked' | 'left out';
  readonly findings: readonly string[];
  readonly notes: readonly string[];
  /** Why it was left out, not checked, or not completed. */
  readonly reason: string | null;
}

/** The service does not accept the key, so nothing can be checked. */
export class KeyRefusedError extends Error {
  override readonly name = 'KeyRefusedError';

  constructor() {
    super(
      'the service does not accept the API key (401). Check the key, and that the address is that of the prospecting service',
    );
  }
}

/** Another program, or only a proxy, answers at this address. */
export class ServiceAbsentError extends Error {
  override readonly name = 'ServiceAbsentError';

  constructor(status: number) {
    super(`GET /api/v1/blacklists answers ${status}: the service is not at this address`);
  }
}

/** The order does not exist, or not for this key. */
export class OrderUnknownError extends Error {
  override readonly name = 'OrderUnknownError';

  constructor(orderId: string, status: number) {
    super(`the service knows no order ${orderId} for this key (${status})`);
  }
}

/**
 * Runs the checks in order. Blacklists are deleted at the end, also when a check fails, the service stops answering or
 * `signal` aborts. Throws UnreachableError, UnusableAnswerError where the first answer is one, KeyRefusedError,
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
  const state = createRunState(options);
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
      finish(await runCheck(options, { caller, check, state, onCreated }));
    }
  } finally {
    const ids = created.flatMap(({ kind, id }) => (kind === 'blacklist' && id !== null ? [id] : []));
    if (options.allowed !== 'read') finish(await cleanUp(options, state, new Set(ids)));
  }
  options.onVerdict?.(toVerdict(state));
  return results;
}

const absentStatuses = [404, 405, 502, 503, 504];

/** Throws if every check would fail for the same reason. */
async function assertServiceUsable({ orderId }: ConformanceOptions, caller: Caller): Promise<void> {
  const { status } = await caller.send(operations.listBlacklists);
  if (status === 401) throw new KeyRefusedError();
  if ((status >= 300 && status < 400) || absentStatuses.includes(status)) throw new ServiceAbsentError(status);
  if (orderId === undefined) return;
  const order = await caller.send(operations.getOrder, { params: { order_id: orderId } });
  if (order.status === 404 || order.status === 422) throw new OrderUnknownError(orderId, order.status);
}

/** Deletes the blacklists, also after the checks were stopped. If that fails, the finding contains the names to look for. */
async function cleanUp(
  options: ConformanceOptions,
  state: RunState,
  createdIds: ReadonlySet<string>,
): Promise<CheckResult> {
  const unstoppable = { ...options, signal: undefined };
  const check = deleteTestBlacklists(createdIds);
  const left = `blacklists may be left behind: their names begin with "${state.namePrefix}"`;
  try {
    const result = await runCheck(unstoppable, { caller: createCaller(unstoppable), check, state, onCreated() {} });
    // If the service keeps answering 429, the blacklists stay, which is a finding.
    return result.reason === null ? result : { ...result, result: 'finding', findings: [...result.findings, left] };
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    const { id, clause, title } = check;
    return { id, clause, title, result: 'finding', findings: [left], notes: [], reason: error.message };
  }
}

/** Whether both are the same resource: by id, or by Idempotency-Key if the answer was lost. */
function isSame(one: CreatedResource, other: CreatedResource): boolean {
  if (one.kind !== other.kind) return false;
  if (one.id !== null) return one.id === other.id;
  return one.idempotencyKey !== null && one.idempotencyKey === other.idempotencyKey;
}

interface CheckRun {
  readonly caller: Caller;
  readonly check: Check;
  readonly state: RunState;
  readonly onCreated: (made: CreatedResource) => void;
}

async function runCheck(
  options: ConformanceOptions,
  { caller, check, state, onCreated }: CheckRun,
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
    await check.run(probe, state);
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

function createRunState({ newId, orderId }: ConformanceOptions): RunState {
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
