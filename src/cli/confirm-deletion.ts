/** The confirmation of a deletion: of what another installation may be using, only by its name. */
import { toPrintable } from '../base/text/printable-text.ts';
import { CommandError, exitCodes, isConfirmed, type Terminal } from './terminal.ts';

export interface DeletionFlags {
  /** Deletes what is of this installation without confirmation. */
  readonly yes: boolean;
  /** Deletes what has this exact name without confirmation. */
  readonly name?: string;
}

export interface Deletion {
  /** `This deletes …, which another installation made.` */
  readonly text: string;
  readonly exactName: string;
  readonly isOwn: boolean;
}

/** @throws {CommandError} unless confirmed */
export async function confirmDeletion(
  terminal: Terminal,
  { json, yes, name }: { readonly json: boolean } & DeletionFlags,
  { text, exactName, isOwn }: Deletion,
): Promise<void> {
  if (name === exactName || (name === undefined && yes && isOwn)) return;
  const refuse = (remedy: string, exitCode: 1 | 2 = exitCodes.failed) =>
    new CommandError(toPrintable(`${text} Nothing was deleted. ${remedy}`), exitCode);
  if (name !== undefined)
    throw refuse(`--name is ${JSON.stringify(name)}, which is not its exact name.`, exitCodes.usage);
  if (isOwn) {
    if (await isConfirmed(terminal, { json, yes }, `${text} Delete it?`)) return;
    throw refuse('To delete it without confirmation, add --yes.');
  }
  if (yes)
    throw refuse(
      '--yes is not enough. Type its name at the terminal, or add --name with its exact name.',
      exitCodes.usage,
    );
  if (!json && (await terminal.prompt(`${text} To delete it, type its name:`)) === exactName) return;
  throw refuse('To delete it, type its name at the terminal, or add --name with its exact name.');
}
