/** Commands that run, ingest, reconcile and list orders. */
import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import type { GlobalOptions } from './configuration.ts';
import type { ConfirmationFlags } from './confirmation.ts';
import { exitCodeOf, toJson, toText, type Summary } from './print-report.ts';

export function addOrderCommands(program: Command, { terminal, answer, end }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  const printSummary = (summary: Summary) => {
    answer(toJson(summary), toText(summary));
    end(exitCodeOf(summary));
  };
  program
    .command('demo')
    .description('run a discovery and an enrichment against the sandbox; needs no account and no API key')
    .option('--keep', 'keep everything running afterwards, to explore the Temporal UI', false)
    .action(async ({ keep }: { keep: boolean }) => {
      const { demo } = await import('./demo.ts');
      printSummary(await demo(terminal, globals(), { keep }));
    });
  program
    .command('run <name>')
    .description(
      'execute a configured run, from exclusions to reconciliation; attaches to a run of that name if one is in progress, and starts an embedded worker if none is running',
    )
    .option('--dry-run', 'show what would be ordered, excluded and written; changes nothing', false)
    .option('--yes', 'start without confirmation, even for an unusually large or repeated order', false)
    .action(async (name: string, { dryRun: isDryRun, yes }: ConfirmationFlags & { dryRun: boolean }) => {
      if (isDryRun) {
        const { dryRun, toDryRunDocument, toDryRunText } = await import('./dry-run.ts');
        const dry = await dryRun(terminal, globals(), name);
        answer(toDryRunDocument(dry), toDryRunText(dry));
        return;
      }
      const { run } = await import('./run.ts');
      printSummary(await run(terminal, { ...globals(), yes }, name));
    });
  program
    .command('ingest <order-id>')
    .description('collect the results of an existing order and write them to HubSpot and files')
    .option('--run <name>', 'configured run whose delivery settings apply')
    .action(async (orderId: string, { run: runName }: { run?: string }) => {
      const { ingest } = await import('./ingest.ts');
      printSummary(await ingest(terminal, globals(), orderId, runName));
    });
  program
    .command('reconcile <order-id>')
    .description('check that ledger, HubSpot and files match the published results')
    .action(async (orderId: string) => {
      const { reconcile } = await import('./reconcile.ts');
      printSummary(await reconcile(terminal, globals(), orderId));
    });
  program
    .command('status [run]')
    .description('list the newest runs and their status')
    .action(async (name: string | undefined) => {
      const { status, toStatusText } = await import('./status.ts');
      const states = await status(terminal, globals(), name);
      answer(states, toStatusText(states));
    });
}
