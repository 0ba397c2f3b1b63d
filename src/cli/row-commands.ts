/** Commands about the rows of an order: what became of them, once more, and what would. */
import type { Command } from 'commander';
import type { GlobalOptions } from './configuration.ts';
import type { CommandContext } from './command-context.ts';

export function addRowCommands(program: Command, { terminal, answer, end }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  program
    .command('rows <order-id>')
    .description('what became of the rows of an order, from the ledger')
    .option(
      '--outcome <outcome>',
      'only created, updated, unchanged, skipped, quarantined or failed; may be repeated',
      collect,
      [],
    )
    .option('--reason <code>', 'only rows with this rule, or this reason code of the service')
    .action(async (orderId: string, flags: { outcome: string[]; reason?: string }) => {
      const { rows } = await import('./rows/rows.ts');
      await rows(terminal, globals(), orderId, flags);
    });
  program
    .command('retry <order-id>')
    .description(
      'write once more what was quarantined or failed, then the files, from the ledger; the service is not asked',
    )
    .action(async (orderId: string) => {
      const { exitCodeOfRetry, retry, toRetryDocument, toRetryText } = await import('./rows/retry.ts');
      const retried = await retry(terminal, globals(), orderId);
      answer(toRetryDocument(retried), toRetryText(retried));
      end(exitCodeOfRetry(retried));
    });
  program
    .command('trace <what>')
    .description('where a company or person was met: by domain, email address, HubSpot record id or external id')
    .action(async (what: string) => {
      const { toTraceDocument, toTraceText, trace } = await import('./rows/trace.ts');
      const rows = await trace(terminal, globals(), what);
      answer(toTraceDocument(rows), toTraceText(rows));
    });
  program
    .command('preview <run-or-order>')
    .description('what writing an order to HubSpot would change now, property by property; writes nothing')
    .option('--out <file>', 'a CSV file with every value, readable by you only')
    .action(async (what: string, flags: { out?: string }) => {
      const { preview, toPreviewDocument, toPreviewText } = await import('./rows/preview.ts');
      const summary = await preview(terminal, globals(), what, flags);
      answer(toPreviewDocument(summary), toPreviewText(summary));
    });
}

function collect(value: string, known: readonly string[]): string[] {
  return [...known, value];
}
