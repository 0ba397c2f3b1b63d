/** `exclusions`: preview, sync, approve, list and delete exclusions without a run. */
import type { Command } from 'commander';
import { toBlacklistsDocument, toDeletedDocument } from './documents/blacklists-document.ts';
import { toExclusionsPreviewDocument, toSyncDocument } from '../proof/report/exclusions-document.ts';
import type { CommandContext } from './command-context.ts';
import type { GlobalOptions } from './configuration.ts';
import type { DeletionFlags } from './confirm-deletion.ts';
import type { SyncFlags } from './exclusions-sync.ts';
import type { ConfirmationFlags } from './terminal.ts';
import { overwriteOption, type TargetFlags } from './target-file.ts';

export function addExclusionsCommands(program: Command, { terminal, answer, end }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  const exclusions = program
    .command('exclusions')
    .description('preview, sync, approve or list exclusions, or delete their blacklists');
  addBlacklistCommands(exclusions, { terminal, answer, globals });
  exclusions
    .command('preview [name]')
    .description('show what a sync would add and remove, and by what entries can match; changes nothing')
    .option('--out <file>', 'write every difference to this CSV file, readable by you only')
    .option(...overwriteOption)
    .action(async (name: string | undefined, flags: TargetFlags) => {
      const { preview, toPreviewText } = await import('./exclusions-preview.ts');
      const previewed = await preview(terminal, globals(), name, flags);
      answer(toExclusionsPreviewDocument(previewed), toPreviewText(previewed));
    });
  exclusions
    .command('sync <name>')
    .description('read all sources of one exclusion and update its blacklist')
    .option(
      '--take-over <exact>',
      'if its blacklist has this exact name and belongs to another installation, make it that of this one first',
    )
    .action(async (name: string, flags: SyncFlags) => {
      const { exitCodeOfSync, sync, toSyncText } = await import('./exclusions-sync.ts');
      const synced = await sync(terminal, globals(), name, flags);
      answer(toSyncDocument(synced), toSyncText(synced));
      end(exitCodeOfSync(synced));
    });
  exclusions
    .command('approve <digest>')
    .description('approve a pending set of removals, and sync its exclusion')
    .option('--yes', 'remove the entries without confirmation', false)
    .action(async (digest: string, flags: ConfirmationFlags) => {
      const { approve, exitCodeOfSync, toSyncText } = await import('./exclusions-sync.ts');
      const synced = await approve(terminal, { ...globals(), ...flags }, digest);
      answer(toSyncDocument(synced), toSyncText(synced));
      end(exitCodeOfSync(synced));
    });
}

/** `exclusions list` and `exclusions delete`: the blacklists in the service. */
function addBlacklistCommands(exclusions: Command, { terminal, answer, globals }: BlacklistCommands): void {
  exclusions
    .command('list')
    .description('list the blacklist of each exclusion, where it is assigned, and blacklists that no exclusion uses')
    .action(async () => {
      const { list, toListText } = await import('./exclusions-blacklists.ts');
      const overview = await list(terminal, globals());
      answer(toBlacklistsDocument(overview), toListText(overview));
    });
  exclusions
    .command('delete <name>')
    .description(
      'delete the blacklist of an exclusion, or one that no exclusion uses, with its entries and assignments',
    )
    .option('--yes', 'delete a blacklist that this installation made without confirmation', false)
    .option('--name <exact>', 'delete it without confirmation if this is its exact name, whoever made it')
    .action(async (name: string, flags: DeletionFlags) => {
      const { remove, toDeletedText } = await import('./exclusions-blacklists.ts');
      const blacklist = await remove(terminal, globals(), name, flags);
      answer(toDeletedDocument(blacklist), toDeletedText(blacklist));
    });
}

type BlacklistCommands = Pick<CommandContext, 'terminal' | 'answer'> & { readonly globals: () => GlobalOptions };
