/** Two installations in one Temporal namespace, one of them encrypted. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@temporalio/client';
import { createDataConverter } from '../../src/temporal/codec/encryption-codec.ts';
import { createSecret } from '../../src/config/environment.ts';
import { isOfAnotherKey, listWorkflows } from '../../src/temporal/list-workflows.ts';
import { runCommand } from '../helpers/run-command.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { until } from '../helpers/until.ts';

const createKey = (id: string) => ({ id, secret: createSecret(randomBytes(32).toString('base64')) });
const key = createKey('a');
const converter = (ownKey = key) => createDataConverter({ key: ownKey, olderKeys: [], acceptPlain: false });

let temporal: TemporalTestServer;
let folder: string;
beforeAll(async () => {
  temporal = await startTemporal();
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-status-'));
  const { connection, namespace } = temporal;
  const facts = { taskQueue: 'none', args: [{ secret: 'x' }], memo: { secret: 'x' } };
  const encrypted = new Client({ connection, namespace, dataConverter: converter() });
  await encrypted.workflow.start('runProspecting', { ...facts, workflowId: 'encrypted' });
  await temporal.client.workflow.start('runProspecting', { ...facts, workflowId: 'plain' });
  await until(async () => (await Array.fromAsync(listWorkflows(temporal.client, {}))).length === 2);
});
afterAll(async () => {
  await temporal?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function list(dataConverter = {}) {
  const { connection, namespace } = temporal;
  const runs = await Array.fromAsync(listWorkflows(new Client({ connection, namespace, dataConverter }), {}));
  return Object.fromEntries(runs.map((run) => [run.workflowId, isOfAnotherKey(run)]));
}

describe('listWorkflows', () => {
  it.each([
    ['without a key', () => ({})],
    ['with another key', () => converter(createKey('b'))],
  ])('lists a run of an encrypted installation %s, and names it as such', async (_, toConverter) => {
    expect(await list(toConverter())).toMatchObject({ encrypted: true });
  });

  it('does not name a run as encrypted with another key when the key is configured, nor one that is not encrypted', async () => {
    expect(await list(converter())).toMatchObject({ encrypted: false, plain: false });
    expect(await list()).toMatchObject({ plain: false });
  });
});

describe('status', () => {
  it('lists the run of an encrypted installation and the others without its key', async () => {
    const env = { TEMPORAL_ADDRESS: temporal.address };
    const { code, stdout } = await runCommand(['status', '--data-dir', folder], { cwd: folder, env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/ encrypted +encrypted with another key$/m);
    expect(stdout).toMatch(/ plain$/m);
    const { stdout: json } = await runCommand(['status', '--json', '--data-dir', folder], { cwd: folder, env });
    const runs = JSON.parse(json).map((run: Record<string, unknown>) => [
      run['workflow_id'],
      run['encrypted_with_another_key'],
    ]);
    expect(Object.fromEntries(runs)).toEqual({ encrypted: true, plain: false });
  });
});
