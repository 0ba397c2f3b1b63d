import { randomUUID } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { searchAttributes } from '../../src/temporal/search-attributes.ts';
import { napRepeatedly } from './nap-repeatedly.ts';
import { startTemporal } from './temporal-server.ts';
import type { TemporalTestServer } from './temporal-server.ts';

describe('startTemporal', () => {
  let temporal: TemporalTestServer;
  beforeAll(async () => {
    temporal = await startTemporal();
  });
  afterAll(() => temporal.stop());

  it('starts a server with the search attributes of prospect-sync', async () => {
    const { customAttributes } = await temporal.connection.operatorService.listSearchAttributes({
      namespace: temporal.namespace,
    });
    expect(Object.keys(customAttributes)).toEqual(expect.arrayContaining(searchAttributes.map(({ name }) => name)));
  });

  it('fires timers promptly', async () => {
    const taskQueue = randomUUID();
    const worker = await Worker.create({
      connection: temporal.nativeConnection,
      namespace: temporal.namespace,
      taskQueue,
      workflowsPath: require.resolve('./nap-repeatedly.ts'),
    });
    const started = performance.now();
    await worker.runUntil(
      temporal.client.workflow.execute(napRepeatedly, { args: [5], taskQueue, workflowId: randomUUID() }),
    );
    const seconds = (performance.now() - started) / 1000;
    expect(seconds).toBeLessThan(2); // about 4 s where timers are up to 1 s late
  }, 20_000);
});
