import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createCodecServer } from '../codec/codec-server.ts';
import { toCodecKeys, createEncryptionCodec } from '../codec/data-converter.ts';
import { readServerState } from '../temporal/dev-server/server-state.ts';
import { codecTokenPath } from '../temporal/dev-server/ui-proxy.ts';
import { isLoopback } from '../http/foreign-requests.ts';
import { closeServer, listen } from '../http/local-server.ts';
import { makePrivateFolder, narrowFile } from '../host/private-files.ts';
import { toPrintableJson } from '../text/printable-text.ts';
import { readTemporalConfiguration, type GlobalOptions } from './configuration.ts';
import { useDataFolder } from './data-folder.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';
import { ownValue } from '../json/own-value.ts';

export interface CodecServerFlags {
  readonly port: number;
  readonly host: string;
  readonly corsOrigin: readonly string[];
  readonly tokenEnv?: string;
}

/** Decodes for the Temporal UI and CLI until it is told to stop; one JSON line on stdout says where. */
export async function codecServer(
  terminal: Terminal,
  options: GlobalOptions,
  { port, host, corsOrigin, tokenEnv }: CodecServerFlags,
): Promise<void> {
  const { encryption } = await readTemporalConfiguration(options.config, terminal.env);
  if (encryption === null) {
    throw new CommandError(`${options.config} has no temporal.encryption: nothing to decode`, exitCodes.usage);
  }
  const given = tokenEnv === undefined ? null : readToken(terminal, tokenEnv);
  const dataDir = await useDataFolder(terminal, options);
  const ui = await localUi(dataDir);
  const origins = corsOrigin.length > 0 ? corsOrigin.map(toOrigin) : ui;
  const kept = given === null ? await keepToken(terminal, dataDir) : null;
  const token = given ?? kept?.token ?? '';
  // It decodes for display alone: what is not encrypted is shown as it is.
  const codec = createEncryptionCodec({ ...toCodecKeys(encryption), acceptPlain: true });
  await using cleanup = new AsyncDisposableStack();
  const { fetch } = createCodecServer({ codec, origins, token, isLocalOnly: isLoopback(host) });
  const url = await serve(fetch, { host, port }, cleanup);
  terminal.say(`Codec server: ${url}, for pages of ${origins.join(', ') || 'no origin (--cors-origin)'}`);
  if (kept !== null) {
    terminal.say(`Token: in ${kept.file}`);
    // Lines that do not go to a terminal may be kept by others.
    if (terminal.isInteractive) tellAddresses(terminal, { url, ui, token });
  }
  terminal.print(toPrintableJson({ codec_server: { url, origins, token_file: kept?.file ?? null } }));
  await terminal.interrupted;
}

function tellAddresses(terminal: Terminal, { url, ui, token }: { url: string; ui: string[]; token: string }): void {
  const [local] = ui;
  if (local !== undefined)
    terminal.say(`Open once in your browser, for the UI of this data folder: ${local}${codecTokenPath}${token}`);
  terminal.say(`Address of the codec server for any other UI: ${url}/${token}`);
}

/** The token of this data folder, made when it is first needed. Two codec servers have the same. */
async function keepToken(terminal: Terminal, dataDir: string): Promise<{ token: string; file: string }> {
  await makePrivateFolder(dataDir, terminal.say);
  const file = path.join(dataDir, 'codec-token');
  const made = `${file}.${process.pid}`;
  await writeFile(made, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  // Whole or not at all, and never over another one.
  await link(made, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(made);
  await narrowFile(file);
  const token = (await readFile(file, 'utf8')).trim();
  if (/^[\w-]{16,200}$/.test(token)) return { token, file };
  throw new CommandError(`${file} holds no token. Delete it: a new one is made`);
}

function readToken({ env }: Terminal, name: string): string {
  const token = ownValue(env, name);
  if (token !== undefined && /^[\x21-\x7e]{16,}$/.test(token)) return token;
  const state = token === undefined ? 'is not set' : 'must hold 16 characters or more, without white space';
  throw new CommandError(`--token-env: environment variable ${name} ${state}`, exitCodes.usage);
}

function toOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text))
    return url.origin;
  throw new CommandError(
    `--cors-origin ${text}: it takes scheme, host and port, as http://127.0.0.1:8233`,
    exitCodes.usage,
  );
}

/** The UI of the dev server of the data folder, by both names of this machine. */
async function localUi(dataDir: string): Promise<string[]> {
  const state = await readServerState(path.join(dataDir, 'temporal'));
  return state?.uiPort == null ? [] : [`http://127.0.0.1:${state.uiPort}`, `http://localhost:${state.uiPort}`];
}

async function serve(
  fetch: (request: Request) => Promise<Response>,
  { host, port }: { host: string; port: number },
  cleanup: AsyncDisposableStack,
): Promise<string> {
  const server = createServer(getRequestListener(fetch, { overrideGlobalObjects: false }));
  cleanup.defer(() => closeServer(server));
  try {
    return (await listen(server, port, host)).url;
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    throw new CommandError(`The codec server cannot listen: ${reason}. Choose another --port; 0 selects a free port`);
  }
}
