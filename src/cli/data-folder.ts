/** The folder of the ledger and the local Temporal. It is beside the configuration file, whatever the current directory is. */
import { access, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Config } from '../config/config.ts';
import { dataFolderName } from '../config/setting-values.ts';
import { LedgerError } from '../ledger/ledger-error.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { systemCodeOf } from '../base/failures/system-code.ts';
import { assertOwnFolder } from '../base/host/private-files.ts';
import { usesDevServer } from '../temporal/connect-temporal.ts';
import { describeConfiguredLedger, openConfiguredLedger } from '../worker/configured-clients.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

/**
 * Absolute path of `--data-dir`, otherwise of the folder beside the configuration file; symbolic links are resolved, so that one
 * configuration has one ledger. Without a configuration file it is in the current directory.
 */
export async function findDataFolder({ config, dataDir }: GlobalOptions): Promise<string> {
  if (dataDir !== undefined) return refuseUnusable(resolve(dataDir));
  const file = await realpath(config).catch(() => null);
  return file === null ? resolve(dataFolderName) : join(dirname(file), dataFolderName);
}

/** @throws {CommandError} for a file, and for the folder of a project, whose files would lie among those of the ledger and the local Temporal */
async function refuseUnusable(path: string): Promise<string> {
  const isFile = await stat(path).then(
    (found) => !found.isDirectory(),
    () => false,
  );
  if (isFile)
    throw new CommandError(`${path} is a file. Correct --data-dir: it names the folder of the ledger`, exitCodes.usage);
  for (const name of ['package.json', '.git'])
    if (await isThere(join(path, name)))
      throw new CommandError(
        `${path} holds a project (${name}) and cannot be the data folder: nothing was changed. Choose a folder of its own, for example --data-dir ${join(path, dataFolderName)}`,
        exitCodes.usage,
      );
  return path;
}

/**
 * The data folder of a command that may start the local Temporal, but starts no run.
 * @throws {CommandError} for a `--data-dir` that prospect-sync has not used: a misspelt one would be an installation without runs
 */
export async function findUsedDataFolder(options: GlobalOptions, env: Terminal['env']): Promise<string> {
  const path = await findDataFolder(options);
  if (options.dataDir === undefined) return path;
  if ((await exists(ledgerOf(path))) || (await exists(join(path, 'temporal'))) || !usesDevServer(env)) return path;
  throw new CommandError(
    `There is neither a ledger nor a local Temporal in ${path}. Correct --data-dir; a worker or a run creates them`,
  );
}

/** @throws {CommandError} for a folder of results that is the data folder, or in it. The schema refuses the usual data folder. */
export function assertSeparateFolders({ runs, certificates }: Config, dataFolder: string): void {
  const folders = [
    ...Object.entries(runs).map(([name, run]) => [`runs.${name}.spreadsheets.directory`, run.spreadsheets.directory]),
    ['certificates.directory', certificates.directory ?? ''],
  ];
  for (const [setting = '', folder = ''] of folders)
    if (`${folder}${sep}`.startsWith(`${dataFolder}${sep}`))
      throw new CommandError(
        `${setting} is ${folder}, which is in ${dataFolder}, the folder of the ledger. Write another one`,
        exitCodes.usage,
      );
}

/**
 * Says which ledger the command will use. A configured PostgreSQL has accepted the connection; nothing is opened or changed yet.
 * @returns the data folder
 * @throws {LedgerError}
 */
export async function announceLedger(terminal: Terminal, config: Config, path: string): Promise<string> {
  assertSeparateFolders(config, path);
  terminal.say(`Ledger: ${await describeConfiguredLedger(config, path, terminal.say)}`);
  if (config.ledger.databaseUrl === null) await assertOwnFolder(path);
  return path;
}

/**
 * The ledger of a command that works without Temporal.
 * @throws {LedgerError}
 * `isSaid`: false where the command says later which ledger it uses.
 * @throws {CommandError} for a `--data-dir` without a ledger: a misspelt one would be an empty ledger, which knows no order
 */
export async function openAnnouncedLedger(
  terminal: Terminal,
  config: Config,
  options: GlobalOptions,
  { isSaid }: { readonly isSaid: boolean } = { isSaid: true },
): Promise<Ledger> {
  const path = await findDataFolder(options);
  if (options.dataDir !== undefined && config.ledger.databaseUrl === null && !(await exists(ledgerOf(path))))
    throw new CommandError(`There is no ledger in ${path}. Correct --data-dir; a worker or a run creates a new ledger`);
  if (isSaid) await announceLedger(terminal, config, path);
  return openConfiguredLedger(config, path, terminal.say);
}

/** Runs `work` of a command that needs the configuration and the ledger only, and closes the ledger in every case. @throws {LedgerError} */
export async function withLedger<T>(
  terminal: Terminal,
  options: GlobalOptions,
  work: (ledger: Ledger, config: Config) => Promise<T>,
): Promise<T> {
  const config = await readConfiguration(options.config, terminal.env);
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  // Awaited, since the ledger closes on return.
  return await work(ledger, config);
}

/** Like `openAnnouncedLedger`, for a command that changes nothing; null if there is no ledger yet. */
export async function openExistingLedger(
  terminal: Terminal,
  config: Config,
  options: GlobalOptions,
): Promise<Ledger | null> {
  const path = await findDataFolder(options);
  const hasLedger = config.ledger.databaseUrl !== null || (await exists(ledgerOf(path)));
  if (hasLedger) return openAnnouncedLedger(terminal, config, options);
  assertSeparateFolders(config, path);
  // A worker would refuse the folder.
  await assertOwnFolder(path);
  return null;
}

/** Like `openExistingLedger`; null also if it cannot be opened, or is not known because the configuration (null) has problems. */
export async function openLedgerIfPossible(
  terminal: Terminal,
  config: Config | null,
  options: GlobalOptions,
): Promise<Ledger | null> {
  if (config === null) return null;
  try {
    return await openExistingLedger(terminal, config, options);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    terminal.say(error.message, 'warn');
    return null;
  }
}

const ledgerOf = (folder: string) => join(folder, 'ledger.db');

/** False also for what this user may not see. */
function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** True also for what this user may not read: whoever opens it then says so. */
function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: unknown) => !['ENOENT', 'ENOTDIR'].includes(systemCodeOf(error) ?? ''),
  );
}
