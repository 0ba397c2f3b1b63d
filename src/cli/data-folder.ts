/** Where the ledger and the local Temporal are: in the folder of the configuration, whichever folder the command is started in. */
import { access, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { narrowFolder } from '../host/private-files.ts';
import { describeConfiguredLedger, openConfiguredLedger } from '../runtime/configured-clients.ts';
import type { GlobalOptions } from './configuration.ts';
import type { Terminal } from './terminal.ts';

export const dataFolderName = '.prospect-sync';

export interface DataFolder {
  /** Absolute path. */
  readonly path: string;
  /** For the user, where a ledger of an earlier version lies in the current directory; null where there is nothing to say. */
  readonly warning: string | null;
}

/**
 * `--data-dir`, else the folder beside the file that `--config` leads to: all links to one configuration lead to one
 * ledger. Without a configuration file it is in the current directory, where earlier versions always kept it.
 */
export async function findDataFolder({ config, dataDir }: GlobalOptions): Promise<DataFolder> {
  if (dataDir !== undefined) return { path: resolve(dataDir), warning: null };
  const former = resolve(dataFolderName);
  const file = await realpath(config).catch(() => null);
  const path = file === null ? former : join(dirname(file), dataFolderName);
  if ((await toRealPath(path)) === (await toRealPath(former)) || !(await hasLedger(former)))
    return { path, warning: null };
  if (await hasLedger(path)) return { path, warning: toUnusedText(path, former) };
  return { path: former, warning: await toMoveText(path, former) };
}

/** For a command that opens no ledger. @returns its path */
export async function useDataFolder(terminal: Terminal, options: GlobalOptions): Promise<string> {
  const { path, warning } = await findDataFolder(options);
  if (warning !== null) terminal.say(warning, 'warn');
  return path;
}

/**
 * Says which ledger the command opens, once a configured PostgreSQL lets us in. Nothing is opened or changed yet.
 * @returns the data folder
 * @throws {LedgerError}
 */
export async function announceLedger(
  terminal: Terminal,
  config: Config,
  { path, warning }: DataFolder,
): Promise<string> {
  terminal.say(`Ledger: ${await describeConfiguredLedger(config, path)}`);
  if (config.ledger.databaseUrl === null) await narrowFolder(path, terminal.say);
  if (warning !== null) terminal.say(warning, 'warn');
  return path;
}

/** The ledger of a command that works without Temporal. @throws {LedgerError} */
export async function openAnnouncedLedger(terminal: Terminal, config: Config, options: GlobalOptions): Promise<Ledger> {
  return openConfiguredLedger(config, await announceLedger(terminal, config, await findDataFolder(options)));
}

/** As `openAnnouncedLedger`, for a command that changes nothing; null where there is no ledger yet. */
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

function toUnusedText(path: string, former: string): string {
  return `Two data folders found: ${path}, which is used, and ${former} in the current directory, which is not. If the ledger of this configuration is in the second one, add --data-dir "${former}"; otherwise remove it.`;
}

async function toMoveText(path: string, former: string): Promise<string> {
  const move = (await exists(path))
    ? `move ledger.db, ledger.db-wal, ledger.db-shm and temporal from there to ${path}`
    : `mv "${former}" "${path}"`;
  return `Data folder of an earlier version found: ${former} in the current directory is used, because ${path} has no ledger. Commands started in another directory do not find it: end all commands and workers, then ${move}`;
}

/** The path itself where nothing is there. */
function toRealPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
