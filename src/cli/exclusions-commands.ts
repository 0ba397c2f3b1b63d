/** Commands about exclusions outside a run: what would change, bring it about, and let removals go that wait. */
import type { Command } from 'commander';
import type { GlobalOptions } from './configuration.ts';
import type { CommandContext } from './command-context.ts';

export function addExclusionsCommands(program: Command, { terminal, answer, end }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  const exclusions = program.command('exclusions').description('what discovery runs must not return');
  exclusions
    .command('preview [name]')
    .description('what a sync would add and remove now, and how well entries can match; writes nothing')
    .option('--out <file>', 'a CSV file with every difference, readable by you only')
    .action(async (name: string | undefined, flags: { out?: string }) => {
      const { preview, toPreviewDocument, toPreviewText } = await import('./exclusions-preview.ts');
      const previewed = await preview(terminal, globals(), name, flags);
      answer(toPreviewDocument(previewed), toPreviewText(previewed));
    });
  exclusions
    .command('sync <name>')
    .description('bring the blacklist of one exclusion to its sources, read whole')
    .action(async (name: string) => {
      const { exitCodeOfSync, sync, toSyncDocument, toSyncText } = await import('./exclusions-sync.ts');
      const synced = await sync(terminal, globals(), name);
      answer(toSyncDocument(synced), toSyncText(synced));
      end(exitCodeOfSync(synced));
    });
  exclusions
    .command('approve <digest>')
    .description('let exactly these removals go that wait, as a run named them, and bring the blacklist to its sources')
    .action(async (digest: string) => {
      const { approve, exitCodeOfSync, toSyncDocument, toSyncText } = await import('./exclusions-sync.ts');
      const synced = await approve(terminal, globals(), digest);
      answer(toSyncDocument(synced), toSyncText(synced));
      end(exitCodeOfSync(synced));
    });
}
