/**
 * Proxy of the dev server's UI. The UI answers every request, so other web pages could read histories and start workflows; the proxy
 * rejects their requests. The UI listens on a loopback address that no page can guess.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { LocalAddress } from '../../base/http/local-server.ts';
import { findRefusal } from '../../base/http/foreign-requests.ts';
import { identifyProcess, type ProcessIdentity } from './process-identity.ts';
import { TemporalUnavailableError } from '../temporal-unavailable-error.ts';

export type UiProxyOptions = {
  port: number;
  upstream: LocalAddress;
  /** The proxy ends with this process. */
  server: ProcessIdentity;
};

const entry = path.join(import.meta.dirname, `serve-ui-proxy${path.extname(import.meta.filename)}`);
/** A browser opens this path to get the token of the codec server (src/cli/run-codec-server.ts prints the address). */
export const codecTokenPath = '/codec-token/';
const tokenCookie = 'prospect-sync-codec-token';
const settingsPath = '/api/v1/settings';

/** Returns before the proxy listens. Like the server, it outlives this process. */
export async function spawnUiProxy(options: UiProxyOptions, logFile: string): Promise<ProcessIdentity> {
  const log = await open(logFile, 'a', 0o600);
  try {
    const child = spawn(process.execPath, toArguments(options), {
      cwd: path.dirname(logFile),
      env: {},
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(child, 'spawn');
    child.unref();
    const identity = child.pid === undefined ? null : await identifyProcess(child.pid);
    if (identity === null)
      throw new TemporalUnavailableError('not-started', `the proxy of the Temporal UI did not start. See ${logFile}`);
    return identity;
  } finally {
    await log.close();
  }
}

function toArguments({ port, upstream, server }: UiProxyOptions): string[] {
  const values = [port, upstream.host, upstream.port, server.pid, server.started];
  return ['--disable-warning=ExperimentalWarning', entry, ...values.map(String)];
}

export function createUiProxy(upstream: LocalAddress): Server {
  return createServer((request, response) => {
    const { host, origin } = request.headers;
    const refusal = findRefusal({ host, origin }, { isLocalOnly: true, origins: 'same' });
    if (refusal !== null) return answer(response, 403, refusal);
    const token = request.url?.startsWith(codecTokenPath) ? tokenIn(request.url, codecTokenPath) : null;
    if (token !== null) return keepToken(response, token);
    forward(request, response, upstream).catch(() => {
      if (response.headersSent) response.destroy();
      else answer(response, 502, 'The Temporal UI does not answer.');
    });
  });
}

/** Every user of the machine can read the UI's settings, so the token is added only for the browser that has the cookie. */
function keepToken(response: ServerResponse, token: string): void {
  const cookie = `${tokenCookie}=${token}; HttpOnly; SameSite=Strict; Path=${settingsPath}`;
  response.writeHead(303, { location: '/', 'set-cookie': cookie, 'cache-control': 'no-store' }).end();
}

async function forward(request: IncomingMessage, response: ServerResponse, upstream: LocalAddress): Promise<void> {
  const { url = '/', method, headers } = request;
  // Compressed settings could not be changed here, and compression has no benefit within a machine.
  const { 'accept-encoding': _, ...forwardedHeaders } = headers;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = send({ ...upstream, path: url, method, headers: forwardedHeaders }, resolve).on('error', reject);
  const [incoming] = await Promise.all([promise, pipeline(request, outgoing)]);
  const token = url.split('?')[0] === settingsPath ? tokenIn(headers.cookie ?? '', `${tokenCookie}=`) : null;
  const { 'content-length': length, ...answered } = incoming.headers;
  response.writeHead(incoming.statusCode ?? 502, token === null ? incoming.headers : answered);
  if (token === null) return pipeline(incoming, response);
  response.end(withToken(Buffer.concat(await incoming.toArray()).toString(), token));
}

/** The same settings, with the token in the address of the codec server. */
function withToken(settings: string, token: string): string {
  return settings.replace(/"Codec":\{"Endpoint":"[^"]+/, (endpoint) => `${endpoint}/${token}`);
}

function tokenIn(text: string, before: string): string | null {
  const at = text.indexOf(before);
  return at < 0 ? null : (/^[\w-]{16,200}/.exec(text.slice(at + before.length))?.[0] ?? null);
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
