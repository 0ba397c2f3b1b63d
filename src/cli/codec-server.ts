import path from 'node:path';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { getRequestListener } from '@hono/node-server';
import { createCodecServer } from '../codec/codec-server.ts';
import { toCodecKeys } from '../codec/data-converter.ts';
import { createEncryptionCodec } from '../codec/encryption-codec.ts';
import { readServerState } from '../dev-server/server-state.ts';
import { toPrintableJson } from '../printable-text.ts';
import { readTemporalConfiguration, type GlobalOptions } from './configuration.ts';
import { useDataFolder } from './data-folder.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';
import { ownValue } from '../own-value.ts';

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
  const token = tokenEnv === undefined ? null : readToken(terminal, tokenEnv);
  if (token === null && !isThisMachine(host)) {
    const text = `--host ${host} lets other machines ask, who would read all that is encrypted: it needs --token-env NAME`;
    throw new CommandError(text, exitCodes.usage);
  }
  const origins =
    corsOrigin.length > 0 ? corsOrigin.map(toOrigin) : await localUi(await useDataFolder(terminal, options));
  const codec = createEncryptionCodec(toCodecKeys(encryption));
  await using cleanup = new AsyncDisposableStack();
  const url = await listen(createCodecServer({ codec, origins, token }).fetch, { host, port }, cleanup);
  terminal.say(`Codec server: ${url}, for pages of ${origins.join(', ') || 'no origin (--cors-origin)'}`);
  terminal.print(toPrintableJson({ codec_server: { url, origins } }));
  await terminal.interrupted;
}

function readToken({ env }: Terminal, name: string): string {
  const token = ownValue(env, name);
  if (token !== undefined && /^[\x21-\x7e]{16,}$/.test(token)) return token;
  const state = token === undefined ? 'is not set' : 'must hold 16 characters or more, without white space';
  throw new CommandError(`--token-env: environment variable ${name} ${state}`, exitCodes.usage);
}

function isThisMachine(host: string): boolean {
  return ['127.0.0.1', '::1', 'localhost'].includes(host);
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

async function listen(
  fetch: (request: Request) => Promise<Response>,
  { host, port }: { host: string; port: number },
  cleanup: AsyncDisposableStack,
): Promise<string> {
  const server = createServer(getRequestListener(fetch, { overrideGlobalObjects: false }));
  cleanup.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    throw new CommandError(`the codec server cannot listen: ${reason}. Port 0 takes a free one`);
  }
  const address = server.address();
  const chosen = typeof address === 'object' && address !== null ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${chosen}`;
}
