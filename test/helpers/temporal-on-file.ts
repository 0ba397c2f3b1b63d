import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { locateTemporal } from '../../src/temporal/dev-server/locate-temporal.ts';
import { isStillRunning, type ProcessIdentity } from '../../src/temporal/dev-server/process-identity.ts';
import { choosePorts, spawnServer, waitUntilListening } from '../../src/temporal/dev-server/server-process.ts';
import { searchAttributes } from '../../src/temporal/search-attributes.ts';

export type TemporalOnFile = Awaited<ReturnType<typeof createTemporalOnFile>>;

/** A Temporal server that can be killed and started again: on the same ports and the same file each time. */
export async function createTemporalOnFile(folder: string) {
  const { path: binary } = await locateTemporal({ env: process.env, say: () => {} });
  const ports = await choosePorts({}, 'headless');
  const logFile = path.join(folder, 'server.log');
  const databaseFile = path.join(folder, 'temporal.db');
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder };
  let running: ProcessIdentity | null = null;
  return {
    address: `127.0.0.1:${ports.port}`,
    async start() {
      const how = { searchAttributes, promptTimers: true, detached: false };
      running = await spawnServer({ binary, env, ports, databaseFile, logFile, ...how });
      await waitUntilListening(running, ports.port, logFile);
    },
    /** Returns once it is gone: a second server on the file would fail. */
    async kill() {
      if (running === null || !(await isStillRunning(running))) return;
      process.kill(running.pid, 'SIGKILL');
      while (await isStillRunning(running)) await sleep(10);
    },
  };
}
