/** Files that the user names as targets: a wrong name must not cost a list, a source or the configuration. */
import { lstat } from 'node:fs/promises';
import { toPrintable } from '../base/text/printable-text.ts';
import { CommandError, exitCodes } from './terminal.ts';

export interface OverwriteFlags {
  readonly overwrite: boolean;
}

export interface TargetFlags extends OverwriteFlags {
  readonly out?: string;
}

/** The option of each command that writes a file which the user names. */
export const overwriteOption = ['--overwrite', 'replace the file if it exists', false] as const;

/** Called before any work is done. @throws {CommandError} for a folder, and without `overwrite` for anything that exists */
export async function assertFreeTarget(file: string, { overwrite }: OverwriteFlags): Promise<void> {
  const found = await lstat(file).catch(() => null);
  if (found === null) return;
  if (found.isDirectory())
    throw new CommandError(`${toPrintable(file)} is a folder. Name a file; nothing was written`, exitCodes.usage);
  if (overwrite) return;
  throw new CommandError(
    `${toPrintable(file)} exists and was not changed. Choose another name, or add --overwrite to replace it`,
    exitCodes.usage,
  );
}
