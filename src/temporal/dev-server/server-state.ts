// State that processes with the same dev server share: <dataDir>/temporal/server.json and leases/.
import { randomUUID } from 'node:crypto';
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { makePrivateFolder } from '../../base/host/private-files.ts';
import { identifyProcess, isStillRunning } from './process-identity.ts';

const identitySchema = z.object({ pid: z.int().positive(), started: z.string() });

const serverStateSchema = z.object({
  /** null when stopped. The other fields stay, so that the next server gets the same ports. */
  process: identitySchema.nullable(),
  port: z.int(),
  uiPort: z.int().nullable(),
  /** Address of the UI, and the proxy process on `uiPort`; absent for a headless server. */
  ui: z
    .object({ upstream: z.object({ host: z.string(), port: z.int() }), proxy: identitySchema.nullable() })
    .optional(),
  /** Version of the CLI that created the database. */
  cliVersion: z.string(),
});

export type ServerState = z.infer<typeof serverStateSchema>;

/** null when there is none, or it is invalid. */
export async function readServerState(folder: string): Promise<ServerState | null> {
  return await readJson(path.join(folder, 'server.json'), serverStateSchema);
}

export async function writeServerState(folder: string, state: ServerState): Promise<void> {
  const file = path.join(folder, 'server.json');
  await writeFile(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Returns the lease's file. One process may hold several. */
export async function writeLease(folder: string): Promise<string> {
  const leases = path.join(folder, 'leases');
  await makePrivateFolder(leases);
  const lease = path.join(leases, `${process.pid}-${randomUUID()}.json`);
  await writeFile(lease, JSON.stringify(await identifyProcess(process.pid)), { mode: 0o600 });
  return lease;
}

/** Removes the leases of ended processes. */
export async function countLivingLeases(folder: string): Promise<number> {
  const leases = path.join(folder, 'leases');
  let living = 0;
  for (const name of await readdir(leases)) {
    const holder = await readJson(path.join(leases, name), identitySchema);
    if (holder !== null && (await isStillRunning(holder))) living += 1;
    else await rm(path.join(leases, name), { force: true });
  }
  return living;
}

async function readJson<Schema extends z.ZodType>(file: string, schema: Schema): Promise<z.infer<Schema> | null> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}
