/** Files that the user names as targets: a wrong name must not cost a list, a source or the configuration. */
import { lstat, stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import { parseDocument, visit } from 'yaml';
import { readTextFile } from '../base/host/read-text-file.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { words } from '../base/text/words.ts';
import type { GlobalOptions } from './configuration.ts';
import { findDataFolder } from './data-folder.ts';
import { CommandError, exitCodes } from './terminal.ts';

export interface OverwriteFlags {
  readonly overwrite: boolean;
}

export interface TargetFlags extends OverwriteFlags {
  readonly out?: string;
}

/** What is written, the endings that promise nothing else, and what to do about others. */
const formats = {
  csv: { name: 'CSV', endings: ['csv'], remedy: 'End the name with .csv' },
  html: { name: 'HTML', endings: ['html', 'htm'], remedy: 'End the name with .html' },
  jsonLines: {
    name: 'JSON lines',
    endings: ['jsonl', 'ndjson', 'json', 'txt'],
    remedy:
      'End the name with .jsonl or .ndjson, or with .gz for a compressed file; the spreadsheets of the run are CSV or Excel files',
  },
} as const;

/** A name may have any other text behind a dot, such as a date. */
const knownEndings: ReadonlySet<string> = new Set(
  words(
    'csv tsv tab xls xlsx xlsm xlsb ods numbers json jsonl ndjson yaml yml xml html htm md txt sql db sqlite parquet',
    'zip gz tgz bz2 xz zst 7z rar tar pdf doc docx',
  ),
);

/** The option of each command that writes a file which the user names. */
export const overwriteOption = ['--overwrite', 'replace the file if it exists', false] as const;

/**
 * Called before any work is done.
 * @throws {CommandError} for a folder, for a name of another format, for a file that the configuration reads, and without `overwrite` for
 * anything that exists
 */
export async function assertFreeTarget(
  file: string,
  { overwrite, format }: OverwriteFlags & { readonly format: keyof typeof formats },
  options: GlobalOptions,
): Promise<void> {
  const target = resolve(file);
  const folder = dirname(target);
  const parent = await stat(folder).catch(() => null);
  if (parent?.isDirectory() !== true)
    throw new CommandError(
      `There is no folder ${toPrintable(folder)}: nothing was written. Create it, or correct the path`,
      exitCodes.usage,
    );
  const found = await lstat(target).catch(() => null);
  if (found?.isDirectory() === true)
    throw new CommandError(`${toPrintable(file)} is a folder. Name a file; nothing was written`, exitCodes.usage);
  const use = await findUse(target, options);
  if (use !== null)
    throw new CommandError(`${toPrintable(file)} is ${use} and was not changed. Choose another name`, exitCodes.usage);
  assertEnding(file, format);
  if (found === null || overwrite) return;
  throw new CommandError(
    `${toPrintable(file)} exists and was not changed. Choose another name, or add --overwrite to replace it`,
    exitCodes.usage,
  );
}

function assertEnding(file: string, format: keyof typeof formats): void {
  const { name, endings, remedy } = formats[format];
  const parts = basename(file).toLowerCase().split('.').slice(1);
  const ending = (format === 'jsonLines' && parts.at(-1) === 'gz' ? parts.at(-2) : parts.at(-1)) ?? '';
  if (!knownEndings.has(ending) || endings.some((known) => known === ending)) return;
  throw new CommandError(
    `${toPrintable(file)} is the name of another format (.${ending}), and the command writes ${name}: nothing was written. ${remedy}`,
    exitCodes.usage,
  );
}

/** What prospect-sync uses the file for; null: for nothing. */
async function findUse(target: string, options: GlobalOptions): Promise<string | null> {
  const dataFolder = await findDataFolder(options);
  if (!relative(dataFolder, target).startsWith('..')) return `in the data folder ${toPrintable(dataFolder)}`;
  const config = resolve(options.config);
  if (await isSameFile(target, config)) return 'the configuration';
  // Any value may be a path: of companies, exclusions, SQL, a database, a key or a secret.
  const values = await readTexts(config);
  for (const value of values)
    if (await isSameFile(target, resolve(dirname(config), value))) return 'a file that the configuration names';
  return null;
}

/** All texts of the configuration. A file that cannot be read is reported by the command that reads it. */
async function readTexts(config: string): Promise<Set<string>> {
  const texts = new Set<string>();
  const text = await readTextFile(config).catch(() => '');
  visit(parseDocument(text), {
    Scalar(_, { value }) {
      if (typeof value === 'string') texts.add(value);
    },
  });
  return texts;
}

/** Also by another link or another spelling. */
async function isSameFile(path: string, other: string): Promise<boolean> {
  if (path === other) return true;
  const found = await stat(path).catch(() => null);
  const foundOther = await stat(other).catch(() => null);
  return found !== null && foundOther !== null && found.dev === foundOther.dev && found.ino === foundOther.ino;
}
