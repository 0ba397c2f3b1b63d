import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { userInfo } from 'node:os';
import { getRequestListener } from '@hono/node-server';
import { closeServer, listenAsChosen } from '../base/http/local-server.ts';
import { toPrintableJson } from '../base/text/printable-text.ts';
import type { Log } from '../base/logs.ts';
import type { Config } from '../config/config.ts';
import type { ConsoleConfig } from '../config/console-settings.ts';
import { isLoopback } from '../base/http/foreign-requests.ts';
import { createLocalAccess } from '../console/console-access.ts';
import { createConsole, type ConsoleOptions } from '../console/console-app.ts';
import { createSignIn } from '../console/sign-in.ts';
import type { ExecuteCommand } from './command-context.ts';
import { createConsoleWork } from './console-commands.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { openAnnouncedLedger } from './data-folder.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

export type ConsolePages = Omit<ConsoleOptions, 'access' | 'personalData'> & { readonly log: Log };

export interface ConsoleFlags {
  readonly port: number;
  readonly host: string;
  readonly execute: ExecuteCommand;
}

/** As many as the receiver of webhooks has. */
const mostConnections = 512;
/** A client that stalls must not hold a connection. */
const requestTimeout = 15_000;

interface ConsolePlace {
  /** 0 selects a free port. */
  readonly port: number;
  readonly hostname: string;
  /** The options that choose the address. */
  readonly flags: string;
}

/**
 * Serves the pages: to who signs in, or without a way to sign in on this machine, below a new key. `url`: where a browser opens them. `listening`: where the process listens.
 * @throws {ExplainedError} for a port in use, and for an address that others reach without signing in
 */
export async function openConsole(
  pages: ConsolePages,
  { flags, ...place }: ConsolePlace,
  { signIn, personalData }: ConsoleConfig,
): Promise<{ url: string; listening: string; close: () => Promise<void> }> {
  if (signIn === null && !isLoopback(place.hostname))
    throw new CommandError(
      `The console cannot be served at ${place.hostname}: other machines reach this address, and the configuration has no way to sign in. Set console.public_url and console.users (docs/console.md, "Other machines"), or choose 127.0.0.1 with ${flags}`,
      exitCodes.usage,
    );
  const key = randomBytes(24).toString('base64url');
  const access =
    signIn === null
      ? createLocalAccess({ key, user: findLocalUser() })
      : createSignIn(signIn, { now: Date.now, log: pages.log });
  const answer = createConsole({ ...pages, personalData, access });
  const server = createServer(
    { requestTimeout },
    getRequestListener((request, { incoming }) => answer(request, incoming.socket.remoteAddress ?? '')),
  );
  server.maxConnections = mostConnections;
  const { url: listening } = await listenAsChosen(server, place, { subject: 'The console cannot be served', flags });
  const url = signIn?.publicUrl.href ?? `${listening}/${key}/`;
  return { url, listening, close: () => closeServer(server) };
}

/** A container may run as a user without a name. */
function findLocalUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'this machine';
  }
}

/** Serves the pages until stopped. One JSON line on stdout contains the address. */
export async function serveConsole(
  terminal: Terminal,
  options: GlobalOptions,
  { port, host, execute }: ConsoleFlags,
): Promise<void> {
  const config = await readConfiguration(options.config, terminal.env);
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  const { url, listening } = cleanup.adopt(
    await openConsole(
      { ledger, log: terminal.say, isSandbox: isSandbox(config), work: createConsoleWork(terminal, options, execute) },
      { port, hostname: host, flags: '--port or --host' },
      config.console,
    ),
    (opened) => opened.close(),
  );
  terminal.say(
    `Console: ${url}${config.console.signIn === null ? '' : `, listening at ${listening}`}  To stop it: Ctrl-C`,
  );
  if (options.json) terminal.print(toPrintableJson({ console: { url, listening } }));
  await terminal.interrupted;
}

/** Neither the service nor HubSpot is elsewhere: a proxy to one of them is no sandbox. */
export function isSandbox({ service, hubspot }: Config): boolean {
  return [service.baseUrl, hubspot.baseUrl].every((url) => isLoopback(new URL(url).hostname));
}
