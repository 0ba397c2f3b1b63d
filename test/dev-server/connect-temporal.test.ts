import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { SearchAttributeType, defineSearchAttributeKey } from '@temporalio/common';
import { NativeConnection } from '@temporalio/worker';
import { connectTemporal } from '../../src/dev-server/connect-temporal.ts';
import { searchAttributes } from '../../src/search-attributes.ts';
import { startTemporal } from '../helpers/temporal-server.ts';
import type { TemporalTestServer } from '../helpers/temporal-server.ts';
import { createFolder } from './stand-ins.ts';

describe('connectTemporal', () => {
  let temporal: TemporalTestServer;
  let dataDir: string;
  let said: string[];
  beforeAll(async () => {
    temporal = await startTemporal();
  });
  afterAll(() => temporal.stop());
  beforeEach(async () => {
    dataDir = await createFolder();
    said = [];
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  function connect(
    env: Record<string, string>,
    wanted: Parameters<typeof connectTemporal>[0]['searchAttributes'] = [],
  ) {
    const say = (text: string) => said.push(text);
    const home = { HOME: dataDir, PATH: process.env['PATH'] };
    return connectTemporal({
      dataDir,
      env: { ...home, ...env },
      say,
      promptTimers: true,
      searchAttributes: wanted,
      connectSeconds: 0.5,
      locate: () => Promise.reject(new Error('a dev server is wanted')),
    });
  }

  it('uses the service that TEMPORAL_ADDRESS names and says so', async () => {
    const service = await connect({ TEMPORAL_ADDRESS: temporal.address }, searchAttributes);
    expect(service).toMatchObject({
      connectOptions: { address: temporal.address },
      namespace: 'default',
      uiUrl: 'http://127.0.0.1:8233',
    });
    expect(said).toEqual([`Temporal: using the service at ${temporal.address}, namespace default`]);
    await (await Connection.connect(service.connectOptions)).close();
    await (await NativeConnection.connect(service.connectOptions)).close();
    await service.release();
  });

  it('uses a profile of the configuration file, API key and metadata included', async () => {
    const file = path.join(dataDir, 'temporal.toml');
    const profile = [
      '[profile.staging]',
      `address = "${temporal.address}"`,
      'api_key = "key"',
      'tls.disabled = true',
      'grpc_meta = { tenant = "a" }',
    ];
    await writeFile(file, profile.join('\n'));
    const service = await connect({
      TEMPORAL_CONFIG_FILE: file,
      TEMPORAL_PROFILE: 'staging',
      TEMPORAL_UI_URL: 'https://temporal.example',
    });
    expect(service).toMatchObject({
      connectOptions: { address: temporal.address, apiKey: 'key', tls: false, metadata: { tenant: 'a' } },
      uiUrl: 'https://temporal.example',
    });
  });

  it('speaks TLS when an API key is set and TLS is not refused', async () => {
    const failing = connect({
      TEMPORAL_ADDRESS: temporal.address.replace('127.0.0.1', 'localhost'),
      TEMPORAL_API_KEY: 'key',
    });
    await expect(failing).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('adds the search attributes that the service lacks', async () => {
    const attribute = defineSearchAttributeKey('AddedLater', SearchAttributeType.INT);
    await connect({ TEMPORAL_ADDRESS: temporal.address }, [...searchAttributes, attribute]);
    const { customAttributes } = await temporal.connection.operatorService.listSearchAttributes({
      namespace: 'default',
    });
    expect(customAttributes).toHaveProperty('AddedLater');
  });

  it('names the commands when search attributes cannot be added', async () => {
    const tooMany = Array.from({ length: 40 }, (_, index) =>
      defineSearchAttributeKey(`Switch${index}`, SearchAttributeType.BOOL),
    );
    const failing = connect({ TEMPORAL_ADDRESS: temporal.address }, tooMany);
    await expect(failing).rejects.toMatchObject({
      reason: 'search-attributes',
      message: expect.stringContaining(
        '  temporal operator search-attribute create --namespace default --name Switch39 --type Bool\n',
      ) as string,
    });
  });

  it('fails with one text when nobody answers', async () => {
    const failing = connect({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
    await expect(failing).rejects.toMatchObject({
      reason: 'unreachable',
      message: expect.stringMatching(/^Temporal at 127\.0\.0\.1:1 cannot be reached: [^\n]*$/) as string,
    });
  });

  it('fails when the namespace is not there', async () => {
    const failing = connect({ TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'elsewhere' });
    await expect(failing).rejects.toThrow(
      `Temporal at ${temporal.address} has no namespace elsewhere; create it or set TEMPORAL_NAMESPACE`,
    );
  });

  it('fails when the profile is not there', async () => {
    await expect(connect({ TEMPORAL_PROFILE: 'nowhere' })).rejects.toMatchObject({ reason: 'configuration' });
  });

  it('turns to the dev server of the data folder when no service is named', async () => {
    await expect(connect({})).rejects.toThrow('a dev server is wanted');
  });
});
