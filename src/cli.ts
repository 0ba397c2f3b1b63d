#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
/** The command table: arguments in, exit codes out. Each command stands in a file of its own under cli/. */
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import type { GlobalOptions } from './cli/configuration.ts';
import { demo } from './cli/demo.ts';
import { ingest } from './cli/ingest.ts';
import { init } from './cli/init.ts';
import { reconcile } from './cli/reconcile.ts';
import { exitCodeOf, toJson, toText, type Summary } from './cli/report.ts';
import { run } from './cli/run.ts';
import { sandbox, type SandboxOptions } from './cli/sandbox.ts';
import { status, toStatusText } from './cli/status.ts';
import { CommandError, createTerminal, exitCodes } from './cli/terminal.ts';
import { validate } from './cli/validate.ts';
import { worker } from './cli/worker.ts';
import { TemporalUnavailableError } from './dev-server/temporal-unavailable-error.ts';
import { LedgerError } from './ledger/error.ts';

const terminal = createTerminal();
const program = new Command('prospect-sync')
  .description(
    'Keeps a CRM and a prospecting service in step: exclusions out, orders placed, results in, everything reconciled.',
  )
  .option('--config <file>', 'configuration', 'prospect-sync.yaml')
  .option('--data-dir <dir>', 'ledger, Temporal and demo projects', '.prospect-sync')
  .option('--json', 'one JSON document on stdout, everything else on stderr', false)
  .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 usage or configuration, 3 finished with findings.')
  .exitOverride();

program
  .command('demo')
  .description('the main job against stand-ins: no account, no key')
  .option('--keep', 'leave everything running for a look at the Temporal UI', false)
  .action(async (_, command: Command) => conclude(await demo(terminal, globals(command), isSet(command, 'keep'))));
program
  .command('run <name>')
  .description('run a configured run from exclusions to proof')
  .action(async (name: string, _, command: Command) => conclude(await run(terminal, globals(command), name)));
program
  .command('ingest <order-id>')
  .description('collect and project an order that exists already')
  .option('--run <name>', 'the configured run whose delivery settings apply')
  .action(async (id: string, options: { run?: string }, command: Command) =>
    conclude(await ingest(terminal, globals(command), id, options.run)),
  );
program
  .command('reconcile <order-id>')
  .description('prove that ledger, CRM and files hold what was published')
  .action(async (id: string, _, command: Command) => conclude(await reconcile(terminal, globals(command), id)));
program
  .command('worker')
  .description('work on runs until told to stop')
  .action((_, command: Command) => worker(terminal, globals(command)));
program
  .command('sandbox')
  .description('serve the stand-ins of the service and of HubSpot')
  .option('--port <port>', 'of the service', toPort, 4010)
  .option('--hubspot-port <port>', 'of HubSpot', toPort, 4020)
  .option('--control-port <port>', 'of the control plane', toPort, 4030)
  .option('--seed <number>', 'of everything that is made up', toSeed, 1)
  .option('--example <dir>', 'fill the CRM and write a project to run against these stand-ins')
  .action((options: SandboxFlags) => sandbox(terminal, toSandboxOptions(options)));
program
  .command('status [run]')
  .description('the newest runs, and how they stand')
  .action(async (name: string | undefined, _, command: Command) => {
    const states = await status(terminal, globals(command), name);
    terminal.print(globals(command).json ? JSON.stringify(states, null, 2) : toStatusText(states));
  });
program
  .command('validate')
  .description('check the configuration, all problems at once')
  .action(async (_, command: Command) => {
    const valid = await validate(globals(command), terminal.env);
    const text = `valid: runs ${valid.runs.join(', ')}; exclusions ${valid.exclusions.join(', ') || 'none'}`;
    terminal.print(globals(command).json ? JSON.stringify(valid) : text);
  });
program
  .command('init')
  .description('write a configuration to start from')
  .action((_, command: Command) => init(terminal, globals(command).config));

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    await program.parseAsync();
    return Number(process.exitCode ?? exitCodes.done);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    if (error instanceof CommandError) {
      terminal.say(error.message);
      return error.exitCode;
    }
    if (error instanceof TemporalUnavailableError || error instanceof LedgerError) {
      terminal.say(error.message);
      return exitCodes.failed;
    }
    throw error;
  }
}

function conclude(summary: Summary): void {
  terminal.print(program.opts<GlobalOptions>().json ? JSON.stringify(toJson(summary), null, 2) : toText(summary));
  process.exitCode = exitCodeOf(summary);
}

function globals(command: Command): GlobalOptions {
  return command.optsWithGlobals<GlobalOptions>();
}

function isSet(command: Command, option: string): boolean {
  return command.opts<Record<string, unknown>>()[option] === true;
}

interface SandboxFlags {
  readonly port: number;
  readonly hubspotPort: number;
  readonly controlPort: number;
  readonly seed: number;
  readonly example?: string;
}

function toSandboxOptions({ port, hubspotPort, controlPort, seed, example }: SandboxFlags): SandboxOptions {
  return { servicePort: port, hubspotPort, controlPort, seed, ...(example === undefined ? {} : { example }) };
}

function toPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('must be 0 to 65535; 0 takes a free port.');
  return port;
}

function toSeed(text: string): number {
  const seed = Number(text);
  if (!Number.isInteger(seed)) throw new InvalidArgumentError('must be a whole number.');
  return seed;
}
