import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createCodecServer } from '../temporal/codec/codec-server.ts';
import { toCodecKeys, createEncryptionCodec } from '../temporal/codec/encryption-codec.ts';
import { readServerState } from '../temporal/dev-server/server-state.ts';
import { codecTokenPath } from '../temporal/dev-server/ui-proxy.ts';
import { isLoopback } from '../base/http/foreign-requests.ts';
import { closeServer, listenAsChosen } from '../base/http/local-server.ts';
import { makePrivateFolder, narrowFile } from '../base/host/private-files.ts';
import { toPrintableJson } from '../base/text/printable-text.ts';
import { readTemporalConfiguration, type GlobalOptions } from './configuration.ts';
import { findDataFolder } from './data-folder.ts';
import { readNamedVariable } from './environment-option.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';
import type { Fetch } from '../base/http/http-answer.ts';

export interface CodecServerFlags {
  readonly port: number;
  readonly host: string;
  readonly corsOrigin: readonly string[];
  readonly tokenEnv?: string;
}

/** Decodes payloads for the Temporal UI and CLI until stopped. With `--json`, one line on stdout contains its address. */
export async function codecServer(
  terminal: Terminal,
  options: GlobalOptions,
  { port, host, corsOrigin, tokenEnv }: CodecServerFlags,
): Promise<void> {
  const { encryption } = await readTemporalConfiguration(options.config, terminal.env);
  if (encryption === null) {
    throw new CommandError(
      `${options.config} has no temporal.encryption, so there is nothing to decode. Set temporal.encryption first`,
      exitCodes.usage,
    );
  }
  const givenToken = tokenEnv === undefined ? null : readToken(terminal, tokenEnv);
  const dataDir = await findDataFolder(options);
  const ui = await readUiOrigins(dataDir);
  const origins = corsOrigin.length > 0 ? corsOrigin.map(toOrigin) : ui;
  const stored = givenToken === null ? await readOrCreateToken(dataDir) : null;
  const token = givenToken ?? stored?.token ?? '';
  // It decodes only for display, so unencrypted payloads are accepted too.
  const codec = createEncryptionCodec({ ...toCodecKeys(encryption), acceptPlain: true });
  await using cleanup = new AsyncDisposableStack();
  const { fetch } = createCodecServer({ codec, origins, token, isLocalOnly: isLoopback(host) });
  const url = await serve(fetch, { host, port }, cleanup);
  terminal.say(`Codec server: ${url}, for pages of ${origins.join(', ') || 'no origin (--cors-origin)'}`);
  if (stored !== null) {
    terminal.say(`Token: in ${stored.file}`);
    // Addresses contain the token, and output that is not a terminal may be logged.
    if (terminal.isInteractive) sayAddresses(terminal, { url, ui, token });
  }
  if (options.json)
    terminal.print(toPrintableJson({ codec_server: { url, origins, token_file: stored?.file ?? null } }));
  await terminal.interrupted;
}

function sayAddresses(terminal: Terminal, { url, ui, token }: { url: string; ui: string[]; token: string }): void {
  const [local] = ui;
  if (local !== undefined)
    terminal.say(`Open once in your browser, for the UI of this data folder: ${local}${codecTokenPath}${token}`);
  terminal.say(`Address of the codec server for any other UI: ${url}/${token}`);
}

/** The token of this data folder, which all its codec servers share. It is generated at the first start. */
async function readOrCreateToken(dataDir: string): Promise<{ token: string; file: string }> {
  await makePrivateFolder(dataDir);
  const file = path.join(dataDir, 'codec-token');
  const temporaryFile = `${file}.${process.pid}`;
  await writeFile(temporaryFile, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  // A link appears with its whole content, and never replaces an existing file.
  await link(temporaryFile, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(temporaryFile);
  await narrowFile(file);
  const token = (await readFile(file, 'utf8')).trim();
  if (/^[\w-]{16,200}$/.test(token)) return { token, file };
  throw new CommandError(
    `${file} contains no valid token. Delete the file, then start the codec server again: it generates a new token`,
  );
}

function readToken({ env }: Terminal, name: string): string {
  const token = readNamedVariable(env, '--token-env', name);
  if (token !== undefined && /^[\x21-\x7e]{16,}$/.test(token)) return token;
  const state = token === undefined ? 'is not set' : 'must contain at least 16 characters, without white space';
  throw new CommandError(`--token-env: environment variable ${name} ${state}`, exitCodes.usage);
}

function toOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text))
    return url.origin;
  throw new CommandError(
    `--cors-origin must be scheme, host and port, such as http://127.0.0.1:8233, found ${text}`,
    exitCodes.usage,
  );
}

/** Origins of the UI of the local dev server: the browser may use either name of this machine. */
async function readUiOrigins(dataDir: string): Promise<string[]> {
  const state = await readServerState(path.join(dataDir, 'temporal'));
  return state?.uiPort == null ? [] : [`http://127.0.0.1:${state.uiPort}`, `http://localhost:${state.uiPort}`];
}

async function serve(
  fetch: Fetch,
  { host, port }: { host: string; port: number },
  cleanup: AsyncDisposableStack,
): Promise<string> {
  const server = createServer(getRequestListener(fetch, { overrideGlobalObjects: false }));
  cleanup.defer(() => closeServer(server));
  const texts = { subject: 'The codec server cannot listen', flags: '--port or --host' };
  return (await listenAsChosen(server, { port, hostname: host }, texts)).url;
}
