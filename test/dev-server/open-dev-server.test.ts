import { existsSync } from 'node:fs';
import { chmod, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { SearchAttributeType } from '@temporalio/common';
import { openDevServer } from '../../src/dev-server/open-dev-server.ts';
import type { DevServer } from '../../src/dev-server/open-dev-server.ts';
import { isStillRunning } from '../../src/dev-server/process-identity.ts';
import type { ProcessIdentity } from '../../src/dev-server/process-identity.ts';
import { searchAttributes } from '../../src/search-attributes.ts';
import { createFolder, runModule } from './stand-ins.ts';

jest.setTimeout(30_000); // a dev server takes up to three seconds to stop

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
  let said: string[];
  beforeEach(async () => {
    dataDir = await createFolder();
    said = [];
  });
  afterEach(async () => {
    const server = await runningServer();
    if (server !== null) process.kill(server.pid, 'SIGKILL');
    await rm(dataDir, { recursive: true, maxRetries: 5 });
  });

  function open(more: { attributes?: typeof searchAttributes | [] } = {}) {
    const say = (text: string) => said.push(text);
    const wanted = more.attributes ?? searchAttributes;
    return openDevServer({ dataDir, env: process.env, say, promptTimers: true, searchAttributes: wanted });
  }

  /** Of everything in the data folder, which other users cannot enter in the first place. */
  async function readableByOthers(): Promise<string[]> {
    const entries = await readdir(dataDir, { recursive: true });
    const modes = await Promise.all(['', ...entries].map((name) => stat(path.join(dataDir, name))));
    return ['', ...entries].filter((_, index) => ((modes[index]?.mode ?? 0) & 0o077) !== 0);
  }

  async function runningServer(): Promise<ProcessIdentity | null> {
    const file = path.join(dataDir, 'temporal', 'server.json');
    if (!existsSync(file)) return null;
    const state = JSON.parse(await readFile(file, 'utf8')) as { process: ProcessIdentity | null };
    return state.process !== null && (await isStillRunning(state.process)) ? state.process : null;
  }

  it('is shared, and stopped by the last who gives it up', async () => {
    const [first, second] = await Promise.all([open(), open()]);
    expect(second.address).toBe(first.address);
    expect(said.filter((text) => text.includes('started'))).toHaveLength(1);
    expect(said.filter((text) => text.includes('joined'))).toHaveLength(1);
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

  it('comes back at the same addresses, with attributes that the database did not know', async () => {
    const first = await open({ attributes: [] });
    expect((await describe90Days(first)).attributes).not.toContain('ProspectSyncOrder');
    await first.release();
    const second = await open();
    expect({ ...second, release: null }).toEqual({ ...first, release: null });
    expect((await describe90Days(second)).attributes).toContain('ProspectSyncOrder');
  });

  it('outlives a killed process, whose lease no longer counts', async () => {
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

  it('moves a database of another version aside', async () => {
    const folder = path.join(dataDir, 'temporal');
    await (await open()).release();
    const state = JSON.parse(await readFile(path.join(folder, 'server.json'), 'utf8')) as object;
    await writeFile(path.join(folder, 'server.json'), JSON.stringify({ ...state, cliVersion: '1.5.1' }));
    await Promise.all(['server.json', 'temporal.db'].map((name) => chmod(path.join(folder, name), 0o644)));
    await open();
    expect(await readableByOthers()).toEqual([]);
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['temporal-1.5.1.db', 'temporal.db']));
    expect(said).toContainEqual(
      expect.stringMatching(/made by version 1\.5\.1, this is 1\.8\.2; moved to .*temporal-1\.5\.1\.db$/),
    );
  });

  it('tells the end of the log when the server does not start', async () => {
    const locate = async () => ({ path: '/bin/false', version: '1.8.2' });
    const options = { dataDir, env: {}, say: () => {}, promptTimers: false, searchAttributes, locate };
    await expect(openDevServer(options)).rejects.toMatchObject({
      reason: 'not-started',
      message: expect.stringContaining('server.log') as string,
    });
  });
});
