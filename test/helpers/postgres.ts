// PostgreSQL for the tests: the server of DATABASE_URL, or a private cluster from installed binaries.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { Client } from 'pg';

export type PostgresServer = {
  /** Creates an empty schema, and returns its address. It is dropped when the server stops. */
  createSchema(): Promise<string>;
  stop(): Promise<void>;
};
type Owner = { uid: number; gid: number } | undefined;

const startMilliseconds = 30_000;
/** New clusters, one for each program and superuser. */
const templates = path.join(import.meta.dirname, '../../node_modules/.cache/postgres');

/** Whether there is a PostgreSQL: of DATABASE_URL, or of this machine. */
export function hasPostgres(): boolean {
  return Boolean(process.env['DATABASE_URL'] || findBinaries());
}

export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env['DATABASE_URL'];
  const cluster = given ? { url: given, end: async () => {} } : await startCluster();
  const schemas: string[] = [];
  return {
    async createSchema() {
      const schema = `prospect_sync_test_${process.pid}_${Date.now()}_${schemas.length}`;
      await query(cluster.url, `create schema ${schema}`);
      schemas.push(schema);
      const url = new URL(cluster.url);
      url.searchParams.set('options', `-c search_path=${schema}`);
      return url.href;
    },
    async stop() {
      if (given) for (const schema of schemas) await query(given, `drop schema ${schema} cascade`);
      await cluster.end();
    },
  };
}

async function query(url: string, text: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(text).finally(() => client.end());
}

/**
 * Starts a private cluster, for tests that concern all databases. With a password, every role must log in. With a port, it listens on
 * 127.0.0.1 too.
 */
export async function startCluster({
  superuser = 'prospect',
  password,
  port,
}: { superuser?: string; password?: string; port?: number } = {}) {
  const binaries = findBinaries();
  if (!binaries) throw new Error('PostgreSQL (initdb, postgres) is not on this machine');
  const owner = findOwner();
  const folder = mkdtempSync(path.join(tmpdir(), 'ledger-pg-')); // short: a socket's path has 107 characters
  const passwordFile = path.join(folder, 'password');
  if (password !== undefined) writeFileSync(passwordFile, password);
  for (const made of [folder, ...(password === undefined ? [] : [passwordFile])])
    if (owner) chownSync(made, owner.uid, owner.gid);
  const settings = { cwd: folder, ...owner };
  const data = path.join(folder, 'data');
  const initialize = (place: string, login: readonly string[]) => {
    const options = ['-D', place, '-U', superuser, ...login, '-E', 'UTF8', '--locale=C', '--no-sync'];
    execFileSync(path.join(binaries, 'initdb'), options, { ...settings, stdio: 'pipe' });
  };
  if (password !== undefined) initialize(data, ['-A', 'scram-sha-256', `--pwfile=${passwordFile}`]);
  else
    copyTemplate(path.join(templates, `${binaries.replaceAll('/', '-')}-${superuser}`), data, (place) =>
      initialize(place, ['-A', 'trust']),
    );
  const network =
    port === undefined ? ['-c', 'listen_addresses='] : ['-c', 'listen_addresses=127.0.0.1', '-p', String(port)];
  const start = async (): Promise<{ kill: (signal: NodeJS.Signals) => Promise<void> }> => {
    const server = spawn(
      path.join(binaries, 'postgres'),
      // No fsync, because the cluster is deleted afterwards.
      ['-D', data, '-k', folder, ...network, '-c', 'fsync=off', '-c', 'full_page_writes=off'],
      { ...settings, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
    const killAtExit = () => server.kill('SIGQUIT');
    process.once('exit', killAtExit);
    const kill = async (signal: NodeJS.Signals) => {
      process.off('exit', killAtExit);
      server.kill(signal);
      await ended;
    };
    try {
      await untilReady(server.stderr);
      return { kill };
    } catch (error) {
      await kill('SIGINT');
      // The processes of a server that was killed end a little later.
      if (String(error).includes('is still in use')) return start();
      throw error;
    }
  };
  const remove = () => rmSync(folder, { recursive: true, force: true });
  let running = await start().catch((error: unknown) => {
    remove();
    throw error;
  });
  return {
    url: `postgres://${superuser}@localhost/postgres?host=${encodeURIComponent(folder)}`,
    folder,
    /** SIGKILL, which no clean end follows. */
    kill: () => running.kill('SIGKILL'),
    /** Again after `kill`, on the same data. */
    async start() {
      running = await start();
    },
    async end() {
      await running.kill('SIGINT'); // "fast": open connections are ended
      remove();
    },
  };
}

/** Initializing a cluster takes a second, copying one little. Several processes may create the template at once: one of them counts. */
function copyTemplate(template: string, data: string, initialize: (place: string) => void): void {
  if (existsSync(template)) {
    execFileSync('cp', ['-a', template, data]);
    return;
  }
  initialize(data);
  const unfinished = `${template}.${randomUUID()}`;
  mkdirSync(path.dirname(template), { recursive: true });
  execFileSync('cp', ['-a', data, unfinished]);
  try {
    renameSync(unfinished, template);
  } catch {
    rmSync(unfinished, { recursive: true });
  }
}

/** Keeps reading afterwards, because a full pipe would block the server. */
function untilReady(stderr: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    const fail = () => reject(new Error(`PostgreSQL did not start: ${lines.slice(-5).join(' | ')}`));
    const timer = setTimeout(fail, startMilliseconds);
    const reader = createInterface({ input: stderr });
    reader.on('line', (line) => {
      lines.push(line);
      if (!line.includes('ready to accept connections')) return;
      clearTimeout(timer);
      resolve();
    });
    reader.on('close', () => {
      clearTimeout(timer);
      fail();
    });
  });
}

/** The folder of psql; null where a required program is missing. */
export function findPsql(): string | null {
  const binaries = findBinaries();
  return binaries !== undefined && runs(path.join(binaries, 'psql')) ? binaries : null;
}

/** The folder of initdb and postgres: on PATH, or the newest of Debian's. */
function findBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => path.join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean),
  ];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => runs(path.join(folder, name))));
}

function runs(binary: string): boolean {
  return existsSync(binary) && spawnSync(binary, ['--version']).status === 0;
}

/** PostgreSQL does not run as root. */
function findOwner(): Owner {
  if (process.getuid?.() !== 0) return undefined;
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  );
  const owner = users.get('postgres') ?? users.get('nobody');
  if (!owner) throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody to run it');
  return owner;
}
