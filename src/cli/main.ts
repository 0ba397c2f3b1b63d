#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
/** Entry point: arguments in, exit code out. */
import { runCommandLine } from './run-command-line.ts';
import { createTerminal } from './terminal.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), createTerminal());
