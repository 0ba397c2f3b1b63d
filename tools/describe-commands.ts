/** The commands as data, for generated documentation. */
import type { Command, Option } from 'commander';
import { createProgram } from '../src/cli/command-table.ts';
import { findExamples } from '../src/cli/command-examples.ts';
import { createTerminal } from '../src/cli/terminal.ts';

export interface DescribedOption {
  /** `--port <port>` */
  readonly flags: string;
  readonly description: string;
  /** null: no default, or a flag that is off. */
  readonly default: string | null;
}

export interface DescribedCommand {
  /** `schedule pause` */
  readonly name: string;
  /** `prospect-sync schedule pause <name> [options]` */
  readonly usage: string;
  readonly description: string;
  readonly options: readonly DescribedOption[];
  /** `prospect-sync schedule pause NAME` */
  readonly examples: readonly string[];
  /** Whether it prints a document with `--json`. */
  readonly json: boolean;
}

/** Commands that run until stopped, or only report success. */
const withoutDocument: readonly string[] = [
  'init',
  'worker',
  'receive',
  'codec-server',
  'sandbox',
  'sandbox faults clear',
];

/** All commands that can be executed, in the order of `--help`. */
export function describeCommands(): readonly DescribedCommand[] {
  return listCommands(createProgram(createTerminal()).program, []);
}

/** Options that every command accepts. */
export function describeGlobalOptions(): readonly DescribedOption[] {
  return createProgram(createTerminal()).program.options.map(toOption);
}

function listCommands(parent: Command, path: readonly string[]): DescribedCommand[] {
  return parent.commands.flatMap((command) => {
    const names = [...path, command.name()];
    const nested = listCommands(command, names);
    // A group such as `schedule` only prints its help.
    return isGroup(names) ? nested : [toCommand(command, names), ...nested];
  });
}

const groups: readonly string[] = [
  'exclusions',
  'mapping',
  'replies',
  'secrets',
  'suppressions',
  'schedule',
  'service',
];

function isGroup(names: readonly string[]): boolean {
  return groups.includes(names.join(' '));
}

function toCommand(command: Command, names: readonly string[]): DescribedCommand {
  const name = names.join(' ');
  const commandArguments = command.registeredArguments.map((argument) => {
    const argumentName = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${argumentName}>` : `[${argumentName}]`;
  });
  const optionsText = command.options.length === 0 ? [] : ['[options]'];
  return {
    name,
    usage: ['prospect-sync', name, ...commandArguments, ...optionsText].join(' '),
    description: command.description(),
    options: command.options.map(toOption),
    examples: findExamples(name),
    json: !withoutDocument.includes(name),
  };
}

function toOption(option: Option): DescribedOption {
  const { flags, description, defaultValue, defaultValueDescription, argChoices, envVar, mandatory } = option;
  const isShown = typeof defaultValue === 'string' || typeof defaultValue === 'number' || defaultValue === true;
  const facts = [
    description,
    ...(argChoices === undefined ? [] : [`one of ${argChoices.join(', ')}`]),
    ...(envVar === undefined ? [] : [`environment variable ${envVar}`]),
    ...(mandatory ? ['required'] : []),
  ];
  return {
    flags,
    description: facts.join('; '),
    default: defaultValueDescription ?? (isShown ? String(defaultValue) : null),
  };
}
