import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process. `started` distinguishes it from a later process with the same pid; containers reuse pids quickly. */
export type ProcessIdentity = { pid: number; started: string };

/** null when no such process runs; a zombie counts as ended. `started` can only be compared. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | null> {
  const started = process.platform === 'linux' ? await startedOnLinux(pid) : await startedElsewhere(pid);
  return started === null ? null : { pid, started };
}

export async function isStillRunning({ pid, started }: ProcessIdentity): Promise<boolean> {
  return (await identifyProcess(pid))?.started === started;
}

async function startedOnLinux(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // proc_pid_stat(5): "pid (name) state …"; the name may hold spaces and brackets. Field 3 is the state, 22 the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

async function startedElsewhere(pid: number): Promise<string | null> {
  try {
    const { stdout } = await run('/bin/ps', ['-o', 'state=,lstart=', '-p', String(pid)], { env: {} });
    const text = stdout.trim();
    return text === '' || text.startsWith('Z') ? null : text.replace(/^\S+\s+/, '');
  } catch {
    return null;
  }
}
