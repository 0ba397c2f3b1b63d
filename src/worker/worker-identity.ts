/** The identity by which Temporal lists a worker: `pid@host runs:digest`, its process and the version of the runs that it has read. */
import { digest } from '../base/json/canonical-json.ts';
import { toProcessName } from '../base/host/process-name.ts';
import type { RunPlan } from '../config/run-plan.ts';

type Runs = readonly Pick<RunPlan, 'runName' | 'digest'>[];

const versionMark = ' runs:';

export function toWorkerIdentity(runs: Runs): string {
  return `${toProcessName()}${versionMark}${toRunsVersion(runs)}`;
}

/** Twelve hex digits: the same wherever the same runs are configured, in any order. */
export function toRunsVersion(runs: Runs): string {
  return digest(Object.fromEntries(runs.map((run) => [run.runName, run.digest]))).slice(0, 12);
}

/** `version`: null for a worker of another program. */
export function parseWorkerIdentity(identity: string): { readonly process: string; readonly version: string | null } {
  const [worker = '', version = null] = identity.split(versionMark);
  return { process: worker, version };
}
