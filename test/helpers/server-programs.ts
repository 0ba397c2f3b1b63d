// Temporal's server and its tool for the tables, built once from tools/temporal-server/ into the cache folder.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openCacheFolder } from '../../src/base/host/cache-folder.ts';
import type { Environment } from '../../src/base/host/environment-variables.ts';
import { buildTemporal, type GoSource } from '../../src/temporal/dev-server/build-temporal.ts';
import { withFileLock } from '../../src/temporal/dev-server/file-lock.ts';
import {
  digestFile,
  expectRecorded,
  isExecutable,
  replaceRecorded,
} from '../../src/temporal/dev-server/temporal-binary.ts';

/** Paths of executables. */
export type ServerPrograms = { readonly server: string; readonly sqlTool: string };

const source: GoSource = {
  title: "Temporal's server",
  module: path.join(import.meta.dirname, '../../tools/temporal-server'),
  packages: ['go.temporal.io/server/cmd/server', 'go.temporal.io/server/cmd/tools/sql'],
  symbols: '-s -w',
};

/** null when one is not built yet, or is not the file that was built. @throws Error when there is no cache folder */
export async function findServerPrograms(env: Environment): Promise<ServerPrograms | null> {
  const programs = await programsIn(cacheFolder(env));
  for (const file of Object.values(programs)) {
    const isUsable =
      (await isExecutable(file)) &&
      (await expectRecorded(file).then(
        () => true,
        () => false,
      ));
    if (!isUsable) return null;
  }
  return programs;
}

/** Takes about 5 minutes. Of several processes, one builds and the others wait. @throws Error with the end of Go's output */
export async function buildServerPrograms(env: Environment, say: (text: string) => void): Promise<ServerPrograms> {
  const folder = cacheFolder(env);
  const lock = path.join(folder, 'lock');
  await writeFile(lock, '', { flag: 'a', mode: 0o600 });
  return withFileLock({ file: lock }, async () => {
    const others = await findServerPrograms(env);
    if (others !== null) return others;
    const programs = await programsIn(folder);
    const [workFolder, built] = [path.join(folder, 'work'), path.join(folder, 'temporal-server.new')];
    // A process that was killed may have left parts of both.
    for (const left of [workFolder, built]) await rm(left, { recursive: true, force: true, maxRetries: 3 });
    await mkdir(built, { mode: 0o700 });
    await buildTemporal({ env, source, to: `${built}/`, workFolder, say });
    // Go names an executable after the folder of its package.
    await replaceRecorded(path.join(built, 'sql'), programs.sqlTool);
    await replaceRecorded(path.join(built, 'server'), programs.server);
    await rm(built, { recursive: true });
    return programs;
  });
}

function cacheFolder(env: Environment): string {
  const { path: folder, problem } = openCacheFolder(env);
  if (folder === null) throw new Error(problem ?? 'There is no cache folder. Set XDG_CACHE_HOME to one.');
  return folder;
}

/** Other versions have other digests in go.sum. */
async function programsIn(folder: string): Promise<ServerPrograms> {
  const version = (await digestFile(path.join(source.module, 'go.sum'))).slice(0, 16);
  return {
    server: path.join(folder, `temporal-server-${version}`),
    sqlTool: path.join(folder, `temporal-sql-tool-${version}`),
  };
}
