import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceOutput } from '../../src/config/service-output-settings.ts';
import { createActivityHarness, failure, plan, type ActivityHarnessOptions } from './activity-harness.ts';

const csv: ServiceOutput = { type: 'csv', language: 'en', spreadsheetId: null };
const csvExport: ServiceOutput = { ...csv, endpoint: 'export' };
const input = { output_type: 'csv', output_language: 'EN' } as const;

async function prepareOrder(options: ActivityHarnessOptions = {}) {
  const harness = await createActivityHarness(options);
  const { orderId } = await harness.collectDiscovery(3);
  const directory = mkdtempSync(join(harness.folder, 'out-'));
  const stepOf = (output: ServiceOutput) => {
    const serviceOutputs = { wanted: [output], directory, firstPollMs: 1_000, longestPollMs: 4_000, giveUpMs: 600_000 };
    const { runName } = harness.configureRun(plan({ delivery: { ...plan().delivery, serviceOutputs } }));
    return { orderId, runName, output };
  };
  const info = { scheduledTimestampMs: Date.parse('2026-11-20T12:00:00Z') };
  const request = (output: ServiceOutput) => harness.perform('requestOutput', stepOf(output), info);
  const obtain = async (output: ServiceOutput) => {
    await request(output);
    await harness.letPass(2);
    await harness.perform('awaitOutput', stepOf(output), info);
    return harness.perform('fetchOutput', stepOf(output), info);
  };
  const posted = () => harness.asked().filter((each) => /^POST .*\/(outputs|export)$/.test(each)).length;
  const listed = () => harness.prospecting.outputs.list(orderId);
  return { ...harness, orderId, request, obtain, posted, listed };
}

const isList = ({ method, url }: Request) => method === 'GET' && /\/outputs\?/.test(url);

describe('requestOutput', () => {
  it.each([
    ['completed', 2],
    ['running', 0],
  ])('adopts a %s output that another program had made', async (_, seconds) => {
    const { obtain, prospecting, orderId, letPass, ledger, posted, listed } = await prepareOrder();
    const { output_id: outputId } = await prospecting.outputs.create(orderId, input, 'the key of another program');
    await letPass(seconds);
    expect(await obtain(csv)).toMatchObject({ state: 'delivered', rows: 3, adopted: true });
    expect(await ledger.outputs.list(orderId)).toMatchObject([{ outputId, origin: 'adopted' }]);
    expect([posted(), (await listed()).length]).toEqual([1, 1]);
    expect(await obtain(csv)).toMatchObject({ state: 'delivered', adopted: true });
    expect(posted()).toBe(1);
  });

  it('adopts no output of another type or language', async () => {
    const { request, prospecting, orderId, listed } = await prepareOrder();
    await prospecting.outputs.create(orderId, { output_type: 'xlsx', output_language: 'en' }, null);
    await prospecting.outputs.create(orderId, { output_type: 'csv', output_language: 'de' }, null);
    expect(await request(csv)).not.toHaveProperty('adopted');
    expect(await listed()).toHaveLength(3);
  });

  it('ignores listed outputs of an unknown type or status, and items that are none', async () => {
    const odd = [
      null,
      'csv',
      { output_type: 'csv' },
      { output_id: 'x', status: 'LOST', output_type: 'parchment', output_language: 7 },
    ];
    const { obtain } = await prepareOrder({
      serviceFetch: async (asked, proceed) =>
        isList(asked) ? Response.json({ outputs: odd, total: 4, has_more: false }) : proceed(asked),
    });
    expect(await obtain(csv)).toMatchObject({ state: 'delivered' });
  });

  it('requests the output when the service has no list', async () => {
    const { obtain } = await prepareOrder({
      serviceFetch: async (asked, proceed) => (isList(asked) ? Response.json({}, { status: 404 }) : proceed(asked)),
    });
    expect(await obtain(csv)).toMatchObject({ state: 'delivered' });
  });

  it('delivers a plain export, and makes one export after a lost answer', async () => {
    const { service, request, obtain, orderId, listed, posted } = await prepareOrder();
    service.faults.add({
      method: 'POST',
      path: `/api/v1/orders/${orderId}/export`,
      commit: true,
      status: 504,
      times: 1,
    });
    expect(await failure(request(csvExport))).toMatchObject({ nonRetryable: false });
    const delivered = await obtain(csvExport);
    expect(delivered).toMatchObject({ state: 'delivered', rows: 3 });
    expect(delivered).not.toHaveProperty('adopted');
    expect([posted(), (await listed()).length]).toEqual([1, 1]);
  });
});
