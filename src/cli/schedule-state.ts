/** Pause, resume and delete one managed schedule. */
import { getManaged } from '../schedules/managed-schedules.ts';
import type { GlobalOptions } from './configuration.ts';
import { withTemporal } from './schedule-session.ts';
import type { Terminal } from './terminal.ts';

export function pause(terminal: Terminal, options: GlobalOptions, runName: string, note: string) {
  return withTemporal(terminal, options, async ({ client, queue }) => {
    const { scheduleId } = await getManaged(client, { runName, queue });
    await client.schedule.getHandle(scheduleId).pause(note);
    return { run: runName, paused: true, note };
  });
}

export function resume(terminal: Terminal, options: GlobalOptions, runName: string, note: string) {
  return withTemporal(terminal, options, async ({ client, queue }) => {
    const { scheduleId } = await getManaged(client, { runName, queue });
    await client.schedule.getHandle(scheduleId).unpause(note);
    return { run: runName, paused: false, note };
  });
}

export function remove(terminal: Terminal, options: GlobalOptions, runName: string) {
  return withTemporal(terminal, options, async ({ client, queue }) => {
    const { scheduleId } = await getManaged(client, { runName, queue });
    await client.schedule.getHandle(scheduleId).delete();
    return { run: runName, deleted: true };
  });
}
