import { InvalidArgumentError, type Command } from 'commander';
import { localCodecServer } from '../http/local-server.ts';
import type { GlobalOptions } from './configuration.ts';
import type { CodecServerFlags } from './codec-server.ts';
import type { CommandContext } from './command-context.ts';

export function addCodecCommands(program: Command, { terminal }: CommandContext): void {
  program
    .command('codec-server')
    .description('decode encrypted payloads for the Temporal UI and CLI')
    .option('--port <port>', 'port to listen on; 0 chooses a free port', toPort, localCodecServer.port)
    .option('--host <address>', 'address to listen on', localCodecServer.host)
    .option(
      '--cors-origin <url>',
      'allowed origin of the Temporal UI, may be repeated; default: the UI of the local dev server',
      (value: string, before: readonly string[]) => [...before, value],
      [],
    )
    .option(
      '--token-env <name>',
      'environment variable that contains the token for callers; default: a generated token in the data folder',
    )
    .addHelpText('after', '\nHow to connect the Temporal UI: docs/temporal.md, "Codec server"')
    .action(async (_: object, command: Command) => {
      const { codecServer } = await import('./codec-server.ts');
      const flags = command.optsWithGlobals<GlobalOptions & CodecServerFlags>();
      await codecServer(terminal, flags, flags);
    });
}

function toPort(text: string): number {
  const port = Number(text);
  if (text.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('must be 0 to 65535; 0 chooses a free port.');
}
