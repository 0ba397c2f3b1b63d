/** The commands that preview, sync and approve exclusions without a run. */
import type { Command } from 'commander';
import type { GlobalOptions } from './configuration.ts';
import type { CommandContext } from './command-context.ts';

export function addExclusionsCommands(program: Command, { terminal, answer, end }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  const exclusions = program.command('exclusions').description('preview, sync, or approve exclusions');
  exclusions
    .command('preview [name]')
    .description('show what a sync would add and remove, and by what entries can match; changes nothing')
    .option('--out <file>', 'write every difference to this CSV file, readable by you only')
    .action(async (name: string | undefined, flags: { out?: string }) => {
      const { preview, toPreviewDocument, toPreviewText } = await import('./exclusions-preview.ts');
      const previewed = await preview(terminal, globals(), name, flags);
      answer(toPreviewDocument(previewed), toPreviewText(previewed));
    });
  exclusions
    .command('sync <name>')
    .description('read all sources of one exclusion and update its blacklist')
    .action(async (name: string) => {
      const { exitCodeOfSync, sync, toSyncDocument, toSyncText } = await import('./exclusions-sync.ts');
      const synced = await sync(terminal, globals(), name);
      answer(toSyncDocument(synced), toSyncText(synced));
      end(exitCodeOfSync(synced));
    });
  exclusions
    .command('approve <digest>')
    .description('approve a pending set of removals, and sync its exclusion')
    .action(async (digest: string) => {
      const { approve, exitCodeOfSync, toSyncDocument, toSyncText } = await import('./exclusions-sync.ts');
      const synced = await approve(terminal, globals(), digest);
      answer(toSyncDocument(synced), toSyncText(synced));
      end(exitCodeOfSync(synced));
    });
}
