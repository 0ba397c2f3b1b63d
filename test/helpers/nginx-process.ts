/** A real nginx in front of a receiver, with the `server` block that docs/replies.md shows. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, isListening } from '../../src/base/http/local-server.ts';
import { until } from './until.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../docs/replies.md'), 'utf8');
const fixtures = path.join(import.meta.dirname, '../fixtures');
/** Debian puts it where only root looks. */
const binary = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0);

/** The name and the certificate of the server. */
export const nginxIdentity = {
  host: 'hooks.receiver.test',
  certificate: readFileSync(path.join(fixtures, 'receiver-certificate.pem'), 'utf8'),
};

export function hasNginx(): boolean {
  return binary !== undefined;
}

export interface NginxOptions {
  readonly receiverPort: number;
  /** HTTP/1.1 to the receiver, over connections that stay open. Default: as in the docs, HTTP/1.0 with a new connection each time. */
  readonly keepsConnections?: boolean;
}

export type NginxProcess = Awaited<ReturnType<typeof startNginx>>;

/** Starts nginx on a free port, and waits until it listens. All its files are in a folder of its own. */
export async function startNginx(options: NginxOptions) {
  if (binary === undefined) throw new Error('nginx is not on this machine');
  const folder = mkdtempSync(path.join(tmpdir(), 'prospect-sync-nginx-'));
  const port = await freePort();
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, toConfiguration(port, options));
  const server = spawn(binary, ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  server.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
  const endAtExit = () => server.kill('SIGTERM');
  process.once('exit', endAtExit);
  await until(async () => {
    if (hasEnded()) throw new Error(`nginx did not start: ${said}`);
    return isListening(port);
  });
  return {
    port,
    async stop() {
      process.off('exit', endAtExit);
      server.kill('SIGTERM');
      if (!hasEnded()) await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function toConfiguration(port: number, { receiverPort, keepsConnections = false }: NginxOptions): string {
  const receiver = `127.0.0.1:${receiverPort}`;
  const block = replaceEach(readServerBlock(), {
    'listen 443 ssl;': `listen 127.0.0.1:${port} ssl;`,
    'hooks.example.com': nginxIdentity.host,
    '/etc/ssl/hooks-chain.pem': path.join(fixtures, 'receiver-certificate.pem'),
    '/etc/ssl/hooks.key': path.join(fixtures, 'receiver-key.pem'),
    'proxy_pass http://127.0.0.1:8787;': keepsConnections
      ? 'proxy_pass http://receiver; proxy_http_version 1.1; proxy_set_header Connection "";'
      : `proxy_pass http://${receiver};`,
  });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
  return [
    // As another user its workers could not write into the folder.
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'daemon off;',
    'worker_processes 1;',
    'pid nginx.pid;',
    'error_log stderr crit;',
    'events {}',
    'http {',
    'access_log off;',
    ...temporary,
    ...(keepsConnections ? [`upstream receiver { server ${receiver}; keepalive 8; }`] : []),
    block,
    '}',
  ].join('\n');
}

function readServerBlock(): string {
  const [, block] = /```\n(server \{\n[\s\S]*?\n\}\n)```/.exec(page) ?? [];
  if (block === undefined) throw new Error('docs/replies.md has no server block of nginx');
  return block;
}

/** @throws for a text that the docs no longer have */
function replaceEach(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`the server block of docs/replies.md has no ${from}`);
    return before.replaceAll(from, to);
  }, text);
}
