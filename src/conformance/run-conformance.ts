import { operations } from '../contract/index.ts';
import { createCaller, UnreachableError, type Caller, type CallerOptions } from './caller.ts';
import { catalogue } from './catalogue.ts';
import { CheckEnded, needs, NotChecked, type Check, type Need } from './check.ts';
import { deleteMadeBlacklists } from './clean-up.ts';
import type { Facts } from './facts.ts';
import type { Observation } from './observe.ts';
import { createProbe } from './probe.ts';

export interface ConformanceOptions extends CallerOptions {
  /** How far the checks may go; each includes those before it. */
  readonly allowed: Need;
  readonly newId: () => string;
  /** Default: all of the catalogue. */
  readonly checks?: readonly Check[];
  readonly onResult?: (result: CheckResult) => void;
}

export interface CheckResult {
  readonly id: string;
  readonly clause: string;
  readonly title: string;
  readonly result: 'passed' | 'finding' | 'not checked';
  readonly findings: readonly string[];
  readonly notes: readonly string[];
  /** Why it was not checked, or not to its end. */
  readonly reason: string | null;
}

/** The service does not take the key: nothing can be said about it. */
export class KeyRefusedError extends Error {
  override readonly name = 'KeyRefusedError';

  constructor() {
    super('the service does not accept the API key (401)');
  }
}

/**
 * Runs the checks in their order. What was made is deleted at the end, also when a check fails, the service goes away or
 * `signal` aborts. Throws UnreachableError, KeyRefusedError, and the signal's reason.
 */
export async function runConformance(options: ConformanceOptions): Promise<CheckResult[]> {
  const caller = createCaller(options);
  const { status } = await caller.send(operations.listBlacklists);
  if (status === 401) throw new KeyRefusedError();

  const made = new Set<string>();
  const facts = createFacts(options);
  const results: CheckResult[] = [];
  const conclude = (result: CheckResult) => {
    results.push(result);
    options.onResult?.(result);
  };
  try {
    for (const check of options.checks ?? catalogue) conclude(await runCheck(options, { caller, check, facts, made }));
  } finally {
    if (options.allowed !== 'read') conclude(await cleanUp(options, facts, made));
  }
  return results;
}

/** Not stopped by what stopped the checks; says what to look for when the service is gone. */
async function cleanUp(options: ConformanceOptions, facts: Facts, made: Set<string>): Promise<CheckResult> {
  const unstoppable = { ...options, signal: undefined };
  const check = deleteMadeBlacklists(made);
  try {
    return await runCheck(unstoppable, { caller: createCaller(unstoppable), check, facts, made });
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    const { id, clause, title } = check;
    const findings = [`blacklists may be left behind: their names begin with "${facts.mark}"`];
    return { id, clause, title, result: 'finding', findings, notes: [], reason: error.message };
  }
}

interface Turn {
  readonly caller: Caller;
  readonly check: Check;
  readonly facts: Facts;
  readonly made: Set<string>;
}

async function runCheck(options: ConformanceOptions, { caller, check, facts, made }: Turn): Promise<CheckResult> {
  const { id, clause, title } = check;
  const seen: Observation[] = [];
  let reason: string | null = null;
  try {
    refuseBeyond(options.allowed, check.needs);
    const probe = createProbe({
      caller,
      newId: options.newId,
      wait: (milliseconds) => options.wait(milliseconds, options.signal),
      record: (observation) => seen.push(observation),
      onBlacklist: (blacklistId) => made.add(blacklistId),
    });
    await check.run(probe, facts);
  } catch (error) {
    if (error instanceof NotChecked) reason = error.message;
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

function refuseBeyond(allowed: Need, needed: Need): void {
  if (needs.indexOf(needed) <= needs.indexOf(allowed)) return;
  if (needed === 'write' || allowed === 'read') throw new NotChecked('changes something, and --read-only was given');
  throw new NotChecked('places orders, which cost: only with --place-orders');
}

function createFacts({ newId }: ConformanceOptions): Facts {
  const mark = `prospect-sync conformance ${newId().slice(0, 8)}`;
  return { mark, nobody: newId(), placed: {}, published: {}, collected: {}, outputs: {} };
}
