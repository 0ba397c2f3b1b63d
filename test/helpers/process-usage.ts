/** Reads memory and processor time of a process from /proc, so it runs on Linux. */
import { readFile, writeFile } from 'node:fs/promises';

export interface ProcessMemory {
  /** Bytes that are held now (resident set size). */
  readonly now: number;
  /** The most bytes since the start of the process, or since `resetPeakMemory`. */
  readonly peak: number;
}

export async function readMemory(pid: number | undefined): Promise<ProcessMemory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const toBytes = (match: RegExpExecArray | null) => Number(match?.[1]) * 1_024;
  return { now: toBytes(/VmRSS:\s+(\d+) kB/.exec(status)), peak: toBytes(/VmHWM:\s+(\d+) kB/.exec(status)) };
}

export async function resetPeakMemory(pid: number | undefined): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}

/** Seconds that the process has used so far, in user and system mode; the kernel counts hundredths. */
export async function readProcessorSeconds(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return ((user ?? 0) + (system ?? 0)) / 100;
}
