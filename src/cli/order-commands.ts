/** Commands about orders: demo, run, ingest, reconcile, status. */
import { InvalidArgumentError, type Command } from 'commander';
import { z } from 'zod';
import type { CommandContext } from './command-context.ts';
import type { ReconcileFlags } from './existing-order.ts';
import type { GlobalOptions } from './configuration.ts';
import { CommandError, exitCodes, type ConfirmationFlags } from './terminal.ts';
import { toDryRunDocument, toOrdersDocument, type OrderSummary } from './documents/order-document.ts';
import { exitCodeOf, toOrdersText } from './print-report.ts';

interface IngestOptions {
  readonly run?: string;
  readonly acceptChanges: boolean;
  readonly force: boolean;
  readonly legacy?: string;
  readonly dryRun: boolean;
}

type LegacyOptions = ConfirmationFlags & IngestOptions & { readonly legacy: string };

export function addOrderCommands(program: Command, { terminal, answer, end, execute }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  const printSummary = (summary: OrderSummary) => {
    answer(toOrdersDocument(summary), toOrdersText(summary));
    end(exitCodeOf(summary));
  };
  program
    .command('demo')
    .description('run a discovery and an enrichment against the sandbox; needs no account and no API key')
    .option('--keep', 'keep everything running afterwards, to explore the Temporal UI', false)
    .action(async ({ keep }: { keep: boolean }) => {
      const { demo } = await import('./demo.ts');
      printSummary(await demo(terminal, globals(), { keep, execute }));
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
        const { dryRun, toDryRunText } = await import('./run.ts');
        const dry = await dryRun(terminal, globals(), name);
        answer(toDryRunDocument(dry), toDryRunText(dry));
        return;
      }
      const { run } = await import('./run.ts');
      printSummary(await run(terminal, { ...globals(), yes }, name));
    });
  program
    .command('ingest [order]')
    .description(
      'collect the results of an existing order and write them to HubSpot and files; or, with --legacy, write the companies of a profile whose orders were never published to HubSpot, marked as unproved',
    )
    .option(
      '--run <name>',
      'configured run whose delivery settings apply; by default the run that placed the order, or the only one',
    )
    .option(
      '--legacy <prospect-search-id>',
      'instead of an order: the legacy listing of a profile; its records get the order id legacy:PROSPECT_SEARCH_ID and are never reconciled',
      toProspectSearchId,
    )
    .option('--dry-run', 'with --legacy: count what is listed and what an order has already; writes nothing', false)
    .option(
      '--accept-changes',
      'replace collected slots that the service has changed since; the earlier versions stay in the ledger',
      false,
    )
    .option(
      '--force',
      'also write companies and contacts that a newer order has written, and create again those that a person deleted in HubSpot, and links that a person removed',
      false,
    )
    .option('--yes', 'start without confirmation, also with --force, --legacy or another run', false)
    .action(async (orderId: string | undefined, flags: ConfirmationFlags & IngestOptions) => {
      const { legacy } = flags;
      if (legacy !== undefined) return ingestListing({ ...flags, legacy }, orderId);
      if (orderId === undefined || flags.dryRun)
        throw new CommandError(
          orderId === undefined
            ? 'ingest needs an order id, or --legacy PROSPECT_SEARCH_ID'
            : '--dry-run needs --legacy. To see what an order would change in HubSpot, run: prospect-sync preview ORDER',
          exitCodes.usage,
        );
      const { ingest } = await import('./existing-order.ts');
      const { run: runName, acceptChanges, force, yes } = flags;
      printSummary(await ingest(terminal, { ...globals(), yes }, { orderId, runName, acceptChanges, force }));
    });

  async function ingestListing(
    { legacy: prospectSearchId, run: runName, dryRun: isDryRun, acceptChanges, force, yes }: LegacyOptions,
    orderId: string | undefined,
  ): Promise<void> {
    if (orderId !== undefined || acceptChanges || force)
      throw new CommandError(
        '--legacy takes no order id, no --force and no --accept-changes: a legacy listing belongs to no order',
        exitCodes.usage,
      );
    const { exitCodeOfLegacy, ingestLegacy, toLegacyDocument, toLegacyText } = await import('./ingest-legacy.ts');
    const ingested = await ingestLegacy(terminal, { ...globals(), yes }, { prospectSearchId, runName, isDryRun });
    answer(toLegacyDocument(ingested), toLegacyText(ingested));
    end(exitCodeOfLegacy(ingested));
  }
  program
    .command('reconcile <order>')
    .description('check that ledger, HubSpot and files match the published results')
    .option('--sample <slots>', 'read back the HubSpot records of this many slots only, always the same ones', toSlots)
    .option(
      '--repair',
      'write records that are missing or wrong again first; keeps what a person edited or deleted',
      false,
    )
    .option(
      '--differences',
      'list each differing value: record, property, written and present value, who changed it and when; contains personal data',
      false,
    )
    .action(async (orderId: string, flags: ReconcileFlags) => {
      const { reconcile } = await import('./existing-order.ts');
      printSummary(await reconcile(terminal, globals(), orderId, flags));
    });
  program
    .command('status [run]')
    .description('list the newest runs and their status')
    .action(async (name: string | undefined) => {
      const { status, toStatusText } = await import('./status.ts');
      const states = await status(terminal, globals(), name);
      answer(states, toStatusText(states));
    });
  program
    .command('cancel <run>')
    .description(
      'cancel a run in progress, by its name or the id of its workflow; an order that it has placed stays placed',
    )
    .action(async (what: string) => {
      const { cancel, toCancellationDocument, toCancellationText } = await import('./cancel.ts');
      const cancelled = await cancel(terminal, globals(), what);
      answer(toCancellationDocument(cancelled), toCancellationText(cancelled));
    });
}

function toProspectSearchId(text: string): string {
  const id = z.guid().safeParse(text);
  if (id.success) return id.data.toLowerCase();
  throw new InvalidArgumentError('must be a UUID, the id of the prospect search of a profile.');
}

function toSlots(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be a number of slots, 1 or above.');
}
