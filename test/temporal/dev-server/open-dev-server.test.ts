import { existsSync } from 'node:fs';
import { chmod, readFile, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { SearchAttributeType } from '@temporalio/common';
import { openDevServer } from '../../../src/temporal/dev-server/open-dev-server.ts';
import type { DevServer } from '../../../src/temporal/dev-server/open-dev-server.ts';
import { locateTemporal } from '../../../src/temporal/dev-server/locate-temporal.ts';
import { isStillRunning } from '../../../src/temporal/dev-server/process-identity.ts';
import type { ProcessIdentity } from '../../../src/temporal/dev-server/process-identity.ts';
import { searchAttributes } from '../../../src/temporal/search-attributes.ts';
import { askAsPage } from '../../helpers/foreign-page.ts';
import { until } from '../../helpers/until.ts';
import { createFolder, runModule, writeScript } from './stand-ins.ts';
import { itOfAll } from '../../helpers/sample.ts';

async function describe90Days({ address, namespace }: DevServer) {
  const connection = await Connection.connect({ address });
  try {
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return {
      retentionDays: Number(config?.workflowExecutionRetentionTtl?.seconds) / 86_400,
      attributes: Object.keys(customAttributes),
    };
  } finally {
    await connection.close();
  }
}

describe('openDevServer', () => {
  let dataDir: string;
  let messages: string[];
  beforeEach(async () => {
    dataDir = await createFolder();
    messages = [];
  });
  afterEach(async () => {
    const server = await runningServer();
    if (server !== null) process.kill(server.pid, 'SIGKILL');
    await rm(dataDir, { recursive: true, maxRetries: 5 });
  });

  function open(more: { attributes?: typeof searchAttributes | [] } = {}) {
    const say = (text: string) => messages.push(text);
    const wanted = more.attributes ?? searchAttributes;
    return openDevServer({ dataDir, env: process.env, say, promptTimers: true, searchAttributes: wanted });
  }

  /** Of everything in the data folder, which other users cannot enter in the first place. */
  async function readableByOthers(): Promise<string[]> {
    const entries = await readdir(dataDir, { recursive: true });
    // SQLite deletes its journal at any time.
    const modes = await Promise.all(['', ...entries].map((name) => stat(path.join(dataDir, name)).catch(() => null)));
    return ['', ...entries].filter((_, index) => ((modes[index]?.mode ?? 0) & 0o077) !== 0);
  }

  async function runningServer(): Promise<ProcessIdentity | null> {
    const file = path.join(dataDir, 'temporal', 'server.json');
    if (!existsSync(file)) return null;
    const state = JSON.parse(await readFile(file, 'utf8')) as { process: ProcessIdentity | null };
    return state.process !== null && (await isStillRunning(state.process)) ? state.process : null;
  }

  it('shares a server, and stops it when the last user releases it', async () => {
    const [first, second] = await Promise.all([open(), open()]);
    expect(second.address).toBe(first.address);
    expect(messages.filter((text) => text.includes('started'))).toHaveLength(1);
    expect(messages.filter((text) => text.includes('using the running dev server'))).toHaveLength(1);
    const page = await fetch(first.uiUrl ?? '');
    expect(page.status).toBe(200);
    expect(await describe90Days(first)).toEqual({
      retentionDays: 90,
      attributes: expect.arrayContaining(searchAttributes.map(({ name }) => name)) as string[],
    });
    expect(await readableByOthers()).toEqual([]);
    await first.release();
    expect(await runningServer()).not.toBeNull();
    await second.release();
    await second.release();
    expect(await runningServer()).toBeNull();
  });

  itOfAll('restarts at the same addresses, with search attributes that the database did not have', async () => {
    const first = await open({ attributes: [] });
    expect((await describe90Days(first)).attributes).not.toContain('ProspectSyncOrder');
    await first.release();
    const second = await open();
    expect({ ...second, release: null }).toEqual({ ...first, release: null });
    expect((await describe90Days(second)).attributes).toContain('ProspectSyncOrder');
  });

  it('lets no foreign page read or start anything, on any port', async () => {
    const server = await open();
    const uiUrl = server.uiUrl ?? '';
    const pid = (await runningServer())?.pid ?? 0;
    const list = '/api/v1/namespaces/default/workflows';
    const start = {
      method: 'POST',
      body: JSON.stringify({ workflowType: { name: 'runProspecting' }, taskQueue: { name: 'prospect-sync' } }),
    };
    const [, cookie = ''] = /(_csrf=[^;]+)/.exec((await fetch(uiUrl)).headers.get('set-cookie') ?? '') ?? [];
    const headers = { cookie, 'x-csrf-token': cookie.split('=')[1] ?? '', 'content-type': 'application/json' };
    const port = new URL(uiUrl).port;
    // The UI takes a moment to reach the server beneath it.
    await until(async () => (await askAsPage(uiUrl + list, { headers })).status === 200);
    expect((await askAsPage(uiUrl + list, { host: 'evil.example', headers })).status).toBe(403);
    const rebound = { ...start, host: 'evil.example', headers: { ...headers, origin: `http://evil.example:${port}` } };
    expect((await askAsPage(`${uiUrl}${list}/evil-ui`, rebound)).status).toBe(403);
    const crossed = { ...start, headers: { ...headers, origin: 'http://evil.example' } };
    expect((await askAsPage(`${uiUrl}${list}/evil-ui`, crossed)).status).toBe(403);

    const ports = await portsOf(pid);
    expect(ports.length).toBeGreaterThan(3);
    for (const each of ports) {
      for (const host of ['evil.example', '127.0.0.1']) {
        expect((await askAsPage(`http://127.0.0.1:${each}${list}`, { host })).status).not.toBe(200);
        await askAsPage(`http://127.0.0.1:${each}${list}/evil-${each}`, { ...start, host });
      }
    }
    const connection = await Connection.connect({ address: server.address });
    const { executions } = await connection.workflowService.listWorkflowExecutions({ namespace: server.namespace });
    await connection.close();
    expect(executions).toEqual([]);
  });

  /** Of a process on 127.0.0.1, where a page looks; empty elsewhere than on Linux. */
  async function portsOf(pid: number): Promise<number[]> {
    const descriptors = await readdir(`/proc/${pid}/fd`);
    const links = await Promise.all(descriptors.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')));
    const rows = (await readFile(`/proc/${pid}/net/tcp`, 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
    return rows.flatMap(([, local = '', , state, , , , , , inode]) => {
      const [address, port = ''] = local.split(':');
      const isHeard = address === '0100007F' && state === '0A' && links.includes(`socket:[${inode}]`);
      return isHeard ? [Number.parseInt(port, 16)] : [];
    });
  }

  itOfAll('restarts a killed UI proxy, and stops it with the server', async () => {
    const first = await open();
    const proxyOf = async () => {
      const state = JSON.parse(await readFile(path.join(dataDir, 'temporal', 'server.json'), 'utf8')) as {
        ui: { proxy: ProcessIdentity };
      };
      return state.ui.proxy;
    };
    const killed = await proxyOf();
    process.kill(killed.pid, 'SIGKILL');
    await until(async () => !(await isStillRunning(killed)));
    const second = await open();
    expect(second.uiUrl).toBe(first.uiUrl);
    // A connection that this process has kept to the killed proxy fails once.
    await until(async () => (await fetch(second.uiUrl ?? '').catch(() => null))?.status === 200);
    const proxy = await proxyOf();
    process.kill((await runningServer())?.pid ?? 0, 'SIGKILL');
    await until(async () => !(await isStillRunning(proxy)));
  });

  itOfAll('keeps the server when a process is killed, and ignores the lease of that process', async () => {
    const attributes = searchAttributes.map(({ name }) => ({ name, type: SearchAttributeType.KEYWORD }));
    const options = JSON.stringify({ dataDir, promptTimers: true, searchAttributes: attributes });
    const other = runModule(
      { 'open-dev-server': 'openDevServer' },
      `setInterval(() => {}, 1000);
       const server = await openDevServer({ ...${options}, env: process.env, say: () => {} });
       console.log(server.address);`,
    );
    const address = await other.nextLine();
    other.child.kill('SIGKILL');
    await other.closed;
    expect(await runningServer()).not.toBeNull();
    expect(await readdir(path.join(dataDir, 'temporal', 'leases'))).toHaveLength(1);
    const ours = await open();
    expect(ours.address).toBe(address);
    await ours.release();
    expect(await runningServer()).toBeNull();
    expect(await readdir(path.join(dataDir, 'temporal', 'leases'))).toEqual([]);
  });

  it('replaces a server that was killed', async () => {
    const first = await open();
    process.kill((await runningServer())?.pid ?? 0, 'SIGKILL');
    const second = await open();
    expect(second.address).toBe(first.address);
    expect((await describe90Days(second)).retentionDays).toBe(90);
  });

  itOfAll('moves a database of another version aside', async () => {
    const folder = path.join(dataDir, 'temporal');
    await (await open()).release();
    const state = JSON.parse(await readFile(path.join(folder, 'server.json'), 'utf8')) as object;
    await writeFile(path.join(folder, 'server.json'), JSON.stringify({ ...state, cliVersion: '1.5.1' }));
    await Promise.all(['server.json', 'temporal.db'].map((name) => chmod(path.join(folder, name), 0o644)));
    await open();
    expect(await readableByOthers()).toEqual([]);
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['temporal-1.5.1.db', 'temporal.db']));
    expect(messages).toContainEqual(
      expect.stringMatching(/created by version 1\.5\.1, this is 1\.8\.2; moved to .*temporal-1\.5\.1\.db$/),
    );
  });

  itOfAll('starts a server again that ended while it started, at other ports', async () => {
    const real = await locateTemporal({ env: process.env, say: () => {} });
    const calls = path.join(dataDir, 'calls');
    const fails = `echo "$@" >> ${calls}; [ $(wc -l < ${calls}) -lt 3 ] && exit 1; exec ${real.path} "$@"`;
    const file = await writeScript(path.join(dataDir, 'bin', 'temporal'), fails);
    const locate = async () => ({ path: file, version: real.version });
    const say = (text: string) => messages.push(text);
    const server = await openDevServer({
      dataDir,
      env: process.env,
      say,
      promptTimers: true,
      searchAttributes,
      locate,
    });
    const ports = (await readFile(calls, 'utf8')).match(/--port=\d+/g);
    expect(new Set(ports).size).toBe(3);
    expect(server.address).toBe(`127.0.0.1:${ports?.[2]?.slice('--port='.length)}`);
    expect(messages.filter((text) => text.includes('starting it again, '))).toHaveLength(2);
    await server.release();
  });

  it('prints the end of the log when the server does not start, and passes no key to the server', async () => {
    const file = await writeScript(path.join(dataDir, 'bin', 'temporal'), 'env; echo the last line; exit 1');
    const locate = async () => ({ path: file, version: '1.8.2' });
    const env = {
      PATH: process.env['PATH'],
      HOME: dataDir,
      PROSPECTING_API_KEY: 'sk_secret',
      DATABASE_URL: 'postgres://user:password@db',
      TEMPORAL_API_KEY: 'another service',
    };
    const options = { dataDir, env, say: () => {}, promptTimers: false, searchAttributes, locate };
    await expect(openDevServer(options)).rejects.toMatchObject({
      reason: 'not-started',
      message: expect.stringMatching(/server\.log:[^]*the last line$/) as string,
    });
    const given = await readFile(path.join(dataDir, 'temporal', 'server.log'), 'utf8');
    expect(given.match(/the last line/g)).toHaveLength(3);
    expect(given).toContain(`HOME=${dataDir}\n`);
    for (const name of ['PROSPECTING_API_KEY', 'DATABASE_URL', 'TEMPORAL_API_KEY']) expect(given).not.toContain(name);
  });
});
