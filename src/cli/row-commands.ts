/** Commands about the rows of an order (rows, retry, websites, outputs, why, changes, preview), and `mapping test`. */
import { Option, type Command } from 'commander';
import { outcomeNames } from '../ledger/crm-outcomes.ts';
import { slotStatuses } from '../service/contract/enum-values.ts';
import { collect, type CommandContext } from './command-context.ts';
import type { OutputFlags } from './list-outputs.ts';
import type { ReportFlags } from './order-report-file.ts';
import type { RowFlags } from './order-rows.ts';
import type { GlobalOptions } from './configuration.ts';
import { toPrintableJson } from '../base/text/printable-text.ts';
import { toOrderPreviewDocument, toRetryDocument } from './documents/order-document.ts';
import { overwriteOption, type TargetFlags } from './target-file.ts';

export function addRowCommands(program: Command, { terminal, answer, end }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  program
    .command('rows <order>')
    .description('list the outcomes of the rows of an order, from the ledger')
    .addOption(
      new Option('--outcome <outcome>', 'only rows with this outcome; may be repeated')
        .choices(outcomeNames)
        .argParser(collect)
        .default([], 'all'),
    )
    .addOption(
      new Option('--status <status>', 'only rows that the service returned with this status; may be repeated')
        .choices(slotStatuses)
        .argParser(collect)
        .default([], 'all'),
    )
    .option(
      '--reason <code>',
      'only rows with this rule, or this reason code of the service; may be repeated',
      collect,
      [],
    )
    .addOption(
      new Option('--item <item>', 'only rows of companies or of contacts')
        .choices(['company', 'contact'])
        // The command refuses other words, as those of the other options.
        .argParser((word: string) => word),
    )
    .action(async (orderId: string, flags: RowFlags) => {
      const { rows } = await import('./order-rows.ts');
      await rows(terminal, globals(), orderId, flags);
    });
  program
    .command('retry <order>')
    .description(
      'write quarantined and failed rows to HubSpot again, then the files, from the ledger; does not call the service',
    )
    .action(async (orderId: string) => {
      const { exitCodeOfRetry, retry, toRetryText } = await import('./retry-order.ts');
      const retried = await retry(terminal, globals(), orderId);
      answer(toRetryDocument(retried), toRetryText(retried));
      end(exitCodeOfRetry(retried));
    });
  program
    .command('websites <order>')
    .description('write the website texts of the delivered companies as Markdown files, with their origin')
    .option('--out <folder>', 'write to this folder; by default ORDER-websites beside the files of the run')
    .action(async (orderId: string, flags: { out?: string }) => {
      const { toWebsitesDocument, toWebsitesText, websites } = await import('./websites.ts');
      const report = await websites(terminal, globals(), orderId, flags);
      answer(toWebsitesDocument(report), toWebsitesText(report));
    });
  program
    .command('outputs <order>')
    .description(
      'list the outputs that the service has of an order, also those of other programs, or download their files',
    )
    .option('--download <folder>', 'write the files of completed outputs to this folder')
    .option('--id <output-id>', 'download only this output; can be repeated', collect, [])
    .action(async (orderId: string, flags: OutputFlags) => {
      const { listOutputs, toListedOutputsText } = await import('./list-outputs.ts');
      const listed = await listOutputs(terminal, globals(), orderId, flags);
      answer(listed, toListedOutputsText(listed));
    });
  program
    .command('why <what>')
    .description(
      'show all that is known of a company or person in the order of time: exclusions, orders, outcomes, replies, suppressions; by domain, web address, name, email address, HubSpot record id or its address, or external id',
    )
    .action(async (what: string) => {
      const { toHistoryDocument, toHistoryText, why } = await import('./why.ts');
      const events = await why(terminal, globals(), what);
      answer(events.map(toHistoryDocument), toHistoryText(events));
    });
  program
    .command('changes <order>')
    .description(
      'list what an order changed in records that HubSpot had already: record, property, value before and after; contains personal data',
    )
    .option('--out <file>', 'write the values to this CSV file, readable by you only')
    .option(...overwriteOption)
    .action(async (orderId: string, flags: TargetFlags) => {
      const { changes } = await import('./order-changes.ts');
      await changes(terminal, globals(), orderId, flags);
    });
  program
    .command('report <order>')
    .description(
      'write what an order brought, why not everything, what it changed and whether it is proved to a HTML file that needs nothing else',
    )
    .requiredOption('--html <file>', 'write to this file, readable by you only')
    .option(...overwriteOption)
    .action(async (order: string, flags: ReportFlags) => {
      const { toReportText, writeReport } = await import('./order-report-file.ts');
      const written = await writeReport(terminal, globals(), order, flags);
      answer(written, toReportText(written));
    });
  program
    .command('preview <order>')
    .description('show what writing an order to HubSpot would change now, property by property; writes nothing')
    .option('--out <file>', 'write every value to this CSV file, readable by you only')
    .option(...overwriteOption)
    .action(async (what: string, flags: TargetFlags) => {
      const { preview, toPreviewText } = await import('./order-preview.ts');
      const summary = await preview(terminal, globals(), what, flags);
      answer(toOrderPreviewDocument(summary), toPreviewText(summary));
    });
}

/** `mapping test`: the records that the mapping makes of saved slots. */
export function addMappingCommands(program: Command, { terminal, answer }: CommandContext): void {
  program
    .command('mapping')
    .description('check the mapping to HubSpot')
    .command('test <file>')
    .description(
      'print the records that the mapping makes of saved slots, one JSON object a line; needs no ledger and no network; contains personal data',
    )
    .option('--run <run>', 'the run whose name and title the mapping reads')
    .action(async (path: string, { run: runName }: { run?: string }) => {
      const { testMapping } = await import('./mapping-test.ts');
      const records = await testMapping(terminal, program.opts<GlobalOptions>(), { path, runName });
      answer(records, records.map((record) => toPrintableJson(record)).join('\n'));
    });
}
