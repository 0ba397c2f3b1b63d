/** Commands for operating workers: worker, replay, and the codec server for the Temporal UI. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { toMilliseconds } from '../config/duration.ts';
import { logFormats } from '../base/log-format.ts';
import { findTemporalConfiguration, type GlobalOptions } from './configuration.ts';
import { toPort, type CommandContext, collect } from './command-context.ts';
import type { ConsoleFlags } from './run-console.ts';
import type { WorkerFlags } from './run-worker.ts';
import { localCodecServer } from '../base/http/local-server.ts';
import type { CodecServerFlags } from './run-codec-server.ts';

const graceMilliseconds = 30_000;

export function addWorkerCommands(program: Command, { terminal, answer, end, execute }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  addProcessOptions(program.command('worker').description('process runs until stopped'))
    .addOption(
      new Option('--shutdown-grace <duration>', 'how long activities may continue after a signal, for example 30s')
        .argParser(toGrace)
        .default(graceMilliseconds, '30s')
        .env('PROSPECT_SYNC_SHUTDOWN_GRACE'),
    )
    .addOption(
      new Option('--receive-port <port>', 'receive webhooks in this process too, on this port; 0 selects a free port')
        .argParser(toPort)
        .env('PROSPECT_SYNC_RECEIVE_PORT'),
    )
    .addOption(
      new Option('--receive-host <host>', 'address for --receive-port')
        .default('127.0.0.1')
        .env('PROSPECT_SYNC_RECEIVE_HOST'),
    )
    .addOption(
      new Option('--console-port <port>', 'serve the console in this process too, on this port; 0 selects a free port')
        .argParser(toPort)
        .env('PROSPECT_SYNC_CONSOLE_PORT'),
    )
    .addOption(
      new Option('--console-host <host>', 'address for --console-port; another than 127.0.0.1 needs console.users')
        .default('127.0.0.1')
        .env('PROSPECT_SYNC_CONSOLE_HOST'),
    )
    .addHelpText('after', '\nMetrics, logs and alerts: docs/monitoring.md')
    .action(async (flags: Omit<WorkerFlags, 'execute'>) => {
      const { worker } = await import('./run-worker.ts');
      await worker(terminal, globals(), { ...flags, execute });
    });
  program
    .command('replay <files...>')
    .description('check that this build can replay downloaded workflow histories; needs no server')
    .action(async (files: string[]) => {
      const { createDataConverter } = await import('../temporal/codec/encryption-codec.ts');
      const { toReplayDocument } = await import('./documents/installation-document.ts');
      const { exitCodeOfReplay, replay, toReplayText } = await import('./replay.ts');
      const temporal = await findTemporalConfiguration(globals().config, terminal.env);
      // Replay executes nothing, so unencrypted histories are accepted too.
      const encryption = temporal.encryption === null ? null : { ...temporal.encryption, acceptPlain: true };
      const replayed = await replay(files, createDataConverter(encryption));
      answer(toReplayDocument(replayed), toReplayText(replayed));
      end(exitCodeOfReplay(replayed));
    });
}

function toGrace(text: string): number {
  const milliseconds = toMilliseconds(text);
  if (milliseconds !== null) return milliseconds;
  throw new InvalidArgumentError('must be a duration such as 30s or 2m');
}

const consolePort = 8788;

/** `console`: pages for people, until it is stopped. */
export function addConsoleCommand(program: Command, { terminal, execute }: CommandContext): void {
  program
    .command('console')
    .description(
      'show runs, orders, rows, changes, exclusions, replies and schedules as pages in a browser, with buttons for commands',
    )
    .addOption(
      new Option('--port <port>', 'port to listen on; 0 selects a free port')
        .argParser(toPort)
        .default(consolePort)
        .env('PROSPECT_SYNC_CONSOLE_PORT'),
    )
    .addOption(
      new Option('--host <host>', 'address to listen on; another than 127.0.0.1 needs console.users')
        .default('127.0.0.1')
        .env('PROSPECT_SYNC_CONSOLE_HOST'),
    )
    .addHelpText('after', '\nOther machines, passwords and TLS: docs/console.md')
    .action(async (flags: Omit<ConsoleFlags, 'execute'>) => {
      const { serveConsole } = await import('./run-console.ts');
      await serveConsole(terminal, program.opts<GlobalOptions>(), { ...flags, execute });
    });
}

export function addCodecCommands(program: Command, { terminal }: CommandContext): void {
  program
    .command('codec-server')
    .description('decode encrypted payloads for the Temporal UI and CLI')
    .option('--port <port>', 'port to listen on; 0 selects a free port', toPort, localCodecServer.port)
    .option('--host <address>', 'address to listen on', localCodecServer.host)
    .option(
      '--cors-origin <url>',
      'allowed origin of the Temporal UI, may be repeated; default: the UI of the local dev server',
      collect,
      [],
    )
    .option(
      '--token-env <name>',
      'environment variable that contains the token for callers; default: a generated token in the data folder',
    )
    .addHelpText('after', '\nHow to connect the Temporal UI: docs/temporal.md, "Codec server"')
    .action(async (_: object, command: Command) => {
      const { codecServer } = await import('./run-codec-server.ts');
      const flags = command.optsWithGlobals<GlobalOptions & CodecServerFlags>();
      await codecServer(terminal, flags, flags);
    });
}

/** Options of a process that runs until stopped. */
export function addProcessOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--log-format <format>',
        'format of the log lines on stderr; default: text on a terminal, otherwise json',
      )
        .choices(logFormats)
        .env('PROSPECT_SYNC_LOG_FORMAT'),
    )
    .addOption(
      new Option('--health-port <port>', 'serve /healthz, /readyz and /metrics on this port; 0 selects a free port')
        .argParser(toPort)
        .env('PROSPECT_SYNC_HEALTH_PORT'),
    )
    .addOption(
      new Option('--health-host <host>', 'address for --health-port')
        .default('127.0.0.1')
        .env('PROSPECT_SYNC_HEALTH_HOST'),
    );
}
