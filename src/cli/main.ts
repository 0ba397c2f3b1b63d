#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
/** The command table: arguments in, exit codes out. Each command stands in a file of its own under cli/, loaded when it is asked for. */
import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { defaultConfigFile, type GlobalOptions } from './configuration.ts';
import type { ConfirmationFlags } from './confirmation.ts';
import type { ConformanceFlags } from './conformance.ts';
import { addCodecCommands } from './codec-commands.ts';
import { addExclusionsCommands } from './exclusions-commands.ts';
import { exitCodeOf, toJson, toText, type Summary } from './print-report.ts';
import type { CommandContext } from './command-context.ts';
import { addRowCommands } from './row-commands.ts';
import { addSandboxCommands } from './sandbox-commands.ts';
import { addScheduleCommands } from './schedule-commands.ts';
import { addServiceCommands } from './service-commands.ts';
import { addWorkerCommands } from './worker-commands.ts';
import { CommandError, createTerminal, exitCodes, type ExitCode } from './terminal.ts';
import { CodecError } from '../codec/codec-error.ts';
import { TemporalUnavailableError } from '../temporal/temporal-unavailable-error.ts';
import { HubSpotError } from '../hubspot/hubspot-error.ts';
import { LedgerError } from '../ledger/ledger-error.ts';
import { PrivateFilesError } from '../host/private-files.ts';
import { ProspectingError } from '../prospecting/prospecting-error.ts';
import { toPrintable, toPrintableJson } from '../text/printable-text.ts';
import { ScheduleError } from '../schedules/schedule-errors.ts';
import { SpreadsheetError } from '../spreadsheet/spreadsheet-error.ts';

const terminal = createTerminal();
let exitCode: ExitCode = exitCodes.done;
/** Their messages say it all. */
const expectedErrors = [
  CodecError,
  TemporalUnavailableError,
  LedgerError,
  HubSpotError,
  ProspectingError,
  SpreadsheetError,
  ScheduleError,
  PrivateFilesError,
] as const;
const program = new Command('prospect-sync')
  .description(
    'Keeps a CRM and a prospecting service in step: exclusions out, orders placed, results in, everything reconciled.',
  )
  .option('--config <file>', 'configuration', defaultConfigFile)
  .option(
    '--data-dir <dir>',
    'ledger and local Temporal; .prospect-sync in the folder of the configuration unless given',
  )
  .option('--json', 'one JSON document on stdout, everything else on stderr', false)
  .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 usage or configuration, 3 finished with findings.')
  .version(packageJson.version)
  .configureOutput({
    writeOut: (text) => terminal.print(text.replace(/\n$/, '')),
    writeErr: (text) => terminal.say(text.replace(/\n$/, ''), 'error'),
  })
  .configureHelp({ showGlobalOptions: true })
  .exitOverride();

program
  .command('demo')
  .description('the main job against stand-ins: no account, no key')
  .option('--keep', 'leave everything running for a look at the Temporal UI', false)
  .action(async ({ keep }: { keep: boolean }) => {
    const { demo } = await import('./demo.ts');
    conclude(await demo(terminal, globals(), { keep }));
  });
program
  .command('run <name>')
  .description('run a configured run from exclusions to proof')
  .option('--dry-run', 'show what would be ordered, excluded, left out and written; changes nothing', false)
  .option('--yes', 'start without asking, also an unusually large or repeated order', false)
  .action(async (name: string, { dryRun: isDryRun, yes }: ConfirmationFlags & { dryRun: boolean }) => {
    if (isDryRun) {
      const { dryRun, toDryRunDocument, toDryRunText } = await import('./dry-run.ts');
      const dry = await dryRun(terminal, globals(), name);
      answer(toDryRunDocument(dry), toDryRunText(dry));
      return;
    }
    const { run } = await import('./run.ts');
    conclude(await run(terminal, { ...globals(), yes }, name));
  });
program
  .command('ingest <order-id>')
  .description('collect and project an order that exists already')
  .option('--run <name>', 'the configured run whose delivery settings apply')
  .action(async (orderId: string, { run: runName }: { run?: string }) => {
    const { ingest } = await import('./ingest.ts');
    conclude(await ingest(terminal, globals(), orderId, runName));
  });
program
  .command('reconcile <order-id>')
  .description('prove that ledger, CRM and files hold what was published')
  .action(async (orderId: string) => {
    const { reconcile } = await import('./reconcile.ts');
    conclude(await reconcile(terminal, globals(), orderId));
  });
const common: CommandContext = {
  terminal,
  answer,
  end(code) {
    exitCode = code;
  },
};
addExclusionsCommands(program, common);
addRowCommands(program, common);
addScheduleCommands(program, common);
addServiceCommands(program, common);
addSandboxCommands(program, common);
addWorkerCommands(program, common);
addCodecCommands(program, common);
program
  .command('conformance')
  .description('check any deployment of the service against the specification')
  .requiredOption('--base-url <url>', 'of the deployment, without /api/v1')
  .option('--api-key <key>', 'its API key; it stays in the shell history')
  .option('--api-key-env <name>', 'the variable that holds its API key')
  .option('--allow-http', 'send the key over plain http to another machine, on a network that is trusted', false)
  .option('--order <id>', 'also check the results of an order that is published already; changes nothing')
  .option('--results-items <name>', 'name of the array of slots on a results page, where it is not recognised')
  .option('--notes', 'list every fact about what the specification does not show', false)
  .option('--read-only', 'only requests that change nothing; otherwise blacklists are made, and deleted again', false)
  .option(
    '--place-orders',
    'also create a profile and two small orders: they stay, and a real service may charge',
    false,
  )
  .addHelpText('after', '\nWhat is checked, and how to read it: docs/conformance.md')
  .action(async (flags: ConformanceFlags) => {
    const { conformance } = await import('./conformance.ts');
    exitCode = await conformance(terminal, globals(), flags);
  });
program
  .command('status [run]')
  .description('the newest runs, and how they stand')
  .action(async (name: string | undefined) => {
    const { status, toStatusText } = await import('./status.ts');
    const states = await status(terminal, globals(), name);
    answer(states, toStatusText(states));
  });
program
  .command('validate')
  .description('check the configuration, all problems at once')
  .action(async () => {
    const { toValidText, validate } = await import('./validate.ts');
    const valid = await validate(globals(), terminal.env);
    answer(valid, toValidText(valid));
  });
program
  .command('doctor')
  .description('look at the service and the CRM as a run would find them; creates missing properties where allowed')
  .action(async () => {
    const { doctor, doctorExitCode, toDoctorText } = await import('./doctor.ts');
    const diagnosis = await doctor(terminal, globals());
    answer(diagnosis, toDoctorText(diagnosis));
    exitCode = doctorExitCode(diagnosis);
  });
program
  .command('init')
  .description('write a configuration to start from')
  .action(async () => {
    const { init } = await import('./init.ts');
    await init(terminal, globals().config);
  });

process.exitCode = await main();

async function main(): Promise<ExitCode> {
  try {
    await program.parseAsync();
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const { message, code } = toEnd(error);
    // commander has said its own already.
    if (!(error instanceof CommanderError)) terminal.say(message, 'error');
    if (process.argv.includes('--json')) terminal.print(toPrintableJson({ ok: false, error: message }));
    return code;
  }
}

/** One clear message; of what nobody expected also where it happened, for a report. */
function toEnd(error: unknown): { message: string; code: ExitCode } {
  if (error instanceof CommanderError) return { message: error.message, code: exitCodes.usage };
  if (error instanceof CommandError) return { message: error.message, code: error.exitCode };
  if (expectedErrors.some((expected) => error instanceof expected) && error instanceof Error) {
    return { message: error.message, code: exitCodes.failed };
  }
  // The operating system's refusals name what was refused: `ENOTDIR: not a directory, mkdir '…'`.
  if (error instanceof Error && 'syscall' in error)
    return { message: toPrintable(error.message), code: exitCodes.failed };
  const stack = terminal.env['PROSPECT_SYNC_DEBUG'] && error instanceof Error ? `\n${error.stack}` : '';
  const name = toPrintable(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  return { message: `unexpected error (PROSPECT_SYNC_DEBUG=1 shows where): ${name}${stack}`, code: exitCodes.failed };
}

function conclude(summary: Summary): void {
  answer(toJson(summary), toText(summary));
  exitCode = exitCodeOf(summary);
}

function answer(document: unknown, text: string): void {
  terminal.print(globals().json ? toPrintableJson(document, 2) : text);
}

function globals(): GlobalOptions {
  return program.opts<GlobalOptions>();
}
