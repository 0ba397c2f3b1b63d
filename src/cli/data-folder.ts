/** The folder of the ledger and the local Temporal. It is beside the configuration file, whatever the current directory is. */
import { access, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { narrowFolder } from '../host/private-files.ts';
import { describeConfiguredLedger, openConfiguredLedger } from '../runtime/configured-clients.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import type { Terminal } from './terminal.ts';

export const dataFolderName = '.prospect-sync';

export interface DataFolder {
  /** Absolute path. */
  readonly path: string;
  /** For the user, if a ledger of an earlier version is in the current directory; otherwise null. */
  readonly warning: string | null;
}

/**
 * `--data-dir`, otherwise the folder beside the configuration file; symbolic links are resolved, so that one configuration has one
 * ledger. Without a configuration file it is in the current directory, as in earlier versions.
 */
export async function findDataFolder({ config, dataDir }: GlobalOptions): Promise<DataFolder> {
  if (dataDir !== undefined) return { path: resolve(dataDir), warning: null };
  const formerPath = resolve(dataFolderName);
  const file = await realpath(config).catch(() => null);
  const path = file === null ? formerPath : join(dirname(file), dataFolderName);
  if ((await toRealPath(path)) === (await toRealPath(formerPath)) || !(await hasLedger(formerPath)))
    return { path, warning: null };
  if (await hasLedger(path)) return { path, warning: toUnusedText(path, formerPath) };
  return { path: formerPath, warning: await toMoveText(path, formerPath) };
}

/** For a command that opens no ledger. @returns its path */
export async function useDataFolder(terminal: Terminal, options: GlobalOptions): Promise<string> {
  const { path, warning } = await findDataFolder(options);
  if (warning !== null) terminal.say(warning, 'warn');
  return path;
}

/**
 * Says which ledger the command will use. A configured PostgreSQL has accepted the connection; nothing is opened or changed yet.
 * @returns the data folder
 * @throws {LedgerError}
 */
export async function announceLedger(
  terminal: Terminal,
  config: Config,
  { path, warning }: DataFolder,
): Promise<string> {
  terminal.say(`Ledger: ${await describeConfiguredLedger(config, path, terminal.say)}`);
  if (config.ledger.databaseUrl === null) await narrowFolder(path, terminal.say);
  if (warning !== null) terminal.say(warning, 'warn');
  return path;
}

/** The ledger of a command that works without Temporal. @throws {LedgerError} */
export async function openAnnouncedLedger(terminal: Terminal, config: Config, options: GlobalOptions): Promise<Ledger> {
  const path = await announceLedger(terminal, config, await findDataFolder(options));
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

/** As `openAnnouncedLedger`, for a command that changes nothing; null if there is no ledger yet. */
export async function openExistingLedger(
  terminal: Terminal,
  config: Config,
  options: GlobalOptions,
): Promise<Ledger | null> {
  const { path } = await findDataFolder(options);
  const exists = config.ledger.databaseUrl !== null || (await hasLedger(path));
  return exists ? openAnnouncedLedger(terminal, config, options) : null;
}

async function hasLedger(folder: string): Promise<boolean> {
  return exists(join(folder, 'ledger.db'));
}

function toUnusedText(path: string, formerPath: string): string {
  return `Two data folders found: ${path} is used, ${formerPath} in the current directory is not. If the ledger of this configuration is in the second one, add --data-dir "${formerPath}"; otherwise remove it.`;
}

async function toMoveText(path: string, formerPath: string): Promise<string> {
  const move = (await exists(path))
    ? `move ledger.db, ledger.db-wal, ledger.db-shm and temporal from there to ${path}`
    : `mv "${formerPath}" "${path}"`;
  return `Data folder of an earlier version found: ${formerPath} in the current directory is used, because ${path} has no ledger. Commands that are started in another directory do not find it. Stop all commands and workers, then ${move}`;
}

/** The path itself if it does not exist. */
function toRealPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
