/**
 * The identity by which Temporal lists a worker: `pid@host runs:digest installation:name`, its process, the version of the runs that it has
 * read, and the installation of its ledger.
 */
import { digest } from '../base/json/canonical-json.ts';
import { toProcessName } from '../base/host/process-name.ts';
import { toInstallationName } from '../config/blacklist-settings.ts';
import type { RunPlan } from '../config/run-plan.ts';

type Runs = readonly Pick<RunPlan, 'runName' | 'digest'>[];

/** `installation`: `ledger.installation`. */
export function toWorkerIdentity(runs: Runs, installation: string): string {
  return `${toProcessName()} runs:${toRunsVersion(runs)} installation:${toInstallationName(installation)}`;
}

/** Twelve hex digits: the same wherever the same runs are configured, in any order. */
export function toRunsVersion(runs: Runs): string {
  return digest(Object.fromEntries(runs.map((run) => [run.runName, run.digest]))).slice(0, 12);
}

export interface WorkerIdentity {
  /** `pid@host` */
  readonly process: string;
  /** null for a worker of another program. */
  readonly version: string | null;
  readonly installation: string | null;
}

export function parseWorkerIdentity(identity: string): WorkerIdentity {
  const [, worker = identity, version = null, installation = null] =
    /^(\S+) runs:(\S+) installation:(\S+)$/.exec(identity) ?? [];
  return { process: worker, version, installation };
}
