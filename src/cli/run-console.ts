import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { closeServer, listenAsChosen } from '../base/http/local-server.ts';
import { toPrintableJson } from '../base/text/printable-text.ts';
import type { Config } from '../config/config.ts';
import { isLoopback } from '../base/http/foreign-requests.ts';
import { createConsole, type ConsoleOptions } from '../console/console-app.ts';
import type { ExecuteCommand } from './command-context.ts';
import { createConsoleWork } from './console-commands.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { openAnnouncedLedger } from './data-folder.ts';
import type { Terminal } from './terminal.ts';

export type ConsolePages = Omit<ConsoleOptions, 'key'>;

export interface ConsoleFlags {
  readonly port: number;
  readonly execute: ExecuteCommand;
}

/** Serves the pages on this machine, at an address with a new key. Port 0 selects a free one. `flags`: the option that chooses it. @throws {ExplainedError} for a port in use */
export async function openConsole(
  pages: ConsolePages,
  port: number,
  flags = '--port',
): Promise<{ url: string; close: () => Promise<void> }> {
  const key = randomBytes(24).toString('base64url');
  const server = createServer(getRequestListener(createConsole({ ...pages, key })));
  const { url } = await listenAsChosen(
    server,
    { port, hostname: '127.0.0.1' },
    { subject: 'The console cannot be served', flags },
  );
  return { url: `${url}/${key}/`, close: () => closeServer(server) };
}

/** Serves the pages on this machine until stopped. One JSON line on stdout contains the address. */
export async function serveConsole(
  terminal: Terminal,
  options: GlobalOptions,
  { port, execute }: ConsoleFlags,
): Promise<void> {
  const config = await readConfiguration(options.config, terminal.env);
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  const { url } = cleanup.adopt(
    await openConsole(
      { ledger, isSandbox: isSandbox(config), work: createConsoleWork(terminal, options, execute) },
      port,
    ),
    (opened) => opened.close(),
  );
  terminal.say(`Console: ${url}  To stop it: Ctrl-C`);
  if (options.json) terminal.print(toPrintableJson({ console: { url } }));
  await terminal.interrupted;
}

/** Neither the service nor HubSpot is elsewhere: a proxy to one of them is no sandbox. */
export function isSandbox({ service, hubspot }: Config): boolean {
  return [service.baseUrl, hubspot.baseUrl].every((url) => isLoopback(new URL(url).hostname));
}
