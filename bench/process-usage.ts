/** Reads processor time and memory of a process from /proc, so it runs on Linux. */
import { readFile, writeFile } from 'node:fs/promises';

export interface ProcessMemory {
  readonly now: number;
  readonly peak: number;
}

/** Megabytes that the process holds in memory now, and the most since its start or since `resetPeakMemory`. */
export async function readMemory(pid: number | undefined): Promise<ProcessMemory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const read = (field: string) =>
    Math.round((Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1_024) / 1e6);
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

export async function resetPeakMemory(pid: number | undefined): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}

/** That the process has used so far, in user and system mode; the kernel counts hundredths. */
export async function readProcessorSeconds(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return ((user ?? 0) + (system ?? 0)) / 100;
}
