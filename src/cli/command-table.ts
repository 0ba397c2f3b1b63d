/** All commands of the CLI. Each handler is in a file of its own, which is loaded only when the command runs. */
import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { addExamples } from './command-examples.ts';
import { addCertificateCommands } from './certificate-commands.ts';
import { addCodecCommands, addConsoleCommand, addWorkerCommands } from './worker-commands.ts';
import type { CommandContext, ExecuteCommand } from './command-context.ts';
import { defaultConfigFile, type GlobalOptions } from './configuration.ts';
import { addErasureCommands } from './erasure-commands.ts';
import { addExclusionsCommands } from './exclusion-commands.ts';
import { addOrderCommands } from './order-commands.ts';
import { addMappingCommands, addRowCommands } from './row-commands.ts';
import { addSandboxCommands } from './sandbox-commands.ts';
import { addReplyCommands } from './reply-commands.ts';
import { addScheduleCommands } from './schedule-commands.ts';
import { addServiceCommands, addSetupCommands } from './setup-commands.ts';
import { exitCodes, type ExitCode, type Terminal } from './terminal.ts';
import { toPrintableJson } from '../base/text/printable-text.ts';

/** Of a tree whose commands are only listed. */
const executesNone: ExecuteCommand = () => Promise.reject(new Error('this command tree is only listed'));

/** The command tree, and the exit code that the executed command has set. */
export function createProgram(
  terminal: Terminal,
  execute: ExecuteCommand = executesNone,
): { readonly program: Command; readonly exitCode: () => ExitCode } {
  let exitCode: ExitCode = exitCodes.done;
  const program = createRoot(terminal);
  const context: CommandContext = {
    terminal,
    execute,
    answer(document, text) {
      terminal.print(program.opts<GlobalOptions>().json ? toPrintableJson(document, 2) : text);
    },
    end(code) {
      exitCode = code;
    },
  };
  addOrderCommands(program, context);
  addExclusionsCommands(program, context);
  addRowCommands(program, context);
  addMappingCommands(program, context);
  addConsoleCommand(program, context);
  addCertificateCommands(program, context);
  addReplyCommands(program, context);
  addErasureCommands(program, context);
  addScheduleCommands(program, context);
  addServiceCommands(program, context);
  addSandboxCommands(program, context);
  addWorkerCommands(program, context);
  addCodecCommands(program, context);
  addSetupCommands(program, context);
  addExamples(program);
  return { program, exitCode: () => exitCode };
}

function createRoot(terminal: Terminal): Command {
  return new Command('prospect-sync')
    .description(
      'Keeps a CRM and a prospecting service in step: syncs exclusions, places orders, writes results, reconciles everything.',
    )
    .option('--config <file>', 'configuration file', defaultConfigFile)
    .option(
      '--data-dir <dir>',
      'folder of the ledger and the local Temporal; default: .prospect-sync beside the configuration file',
    )
    .option('--json', 'print one JSON document to stdout and everything else to stderr', false)
    .addHelpText('after', '\nExit codes: 0 done, 1 failed, 2 usage or configuration error, 3 finished with findings.')
    .version(packageJson.version)
    .configureOutput({
      writeOut: (text) => terminal.print(text.replace(/\n$/, '')),
      writeErr: (text) => terminal.say(text.replace(/\n$/, ''), 'error'),
    })
    .configureHelp({ showGlobalOptions: true })
    .exitOverride();
}
