/** A whole order on a real Temporal server, with every payload encrypted. */
import { demoProfile } from '../../../sandbox/generated-data/demo-data.ts';
import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { Client } from '@temporalio/client';
import type { DataConverter, Payload } from '@temporalio/common';
import { progressQuery } from '../../../workflows/progress-query.ts';
import { awaitRun } from '../../../src/cli/await-workflow.ts';
import { createTerminal } from '../../../src/cli/terminal.ts';
import { createCodecServer } from '../../../src/temporal/codec/codec-server.ts';
import {
  createDataConverter,
  toCodecKeys,
  createEncryptionCodec,
} from '../../../src/temporal/codec/encryption-codec.ts';
import { createSecret } from '../../../src/config/environment.ts';
import type { EncryptionConfig, EncryptionKey } from '../../../src/config/temporal-settings.ts';
import { readStartedDigest } from '../../../src/temporal/started-digest.ts';
import type { OrderReport } from '../../../src/proof/report/order-report.ts';
import { startRun } from '../../../src/worker/start-workflows.ts';
import { discoveryPlan, startPipeline, type Pipeline } from '../../helpers/pipeline.ts';
import { serveFetch } from '../../helpers/serve-fetch.ts';
import { startTemporal, type TemporalTestServer } from '../../helpers/temporal-server.ts';

const key = (id: string): EncryptionKey => ({ id, secret: createSecret(randomBytes(32).toString('base64')) });
const current = key('2026-11');
const codecToken = randomBytes(32).toString('base64url');
const encryption: EncryptionConfig = { key: current, olderKeys: [], acceptPlain: false };

let temporal: TemporalTestServer;
let pipeline: Pipeline;
let refusing = true;
const settings = { title: 'Shipyards of the northern coast', digest: '0123456789ab' };
let workflowId = '';
let order: OrderReport;
beforeAll(async () => {
  temporal = await startTemporal();
  pipeline = await startPipeline(temporal, {
    dataConverter: createDataConverter(encryption),
    // Until the failure was seen, so that one is in the history and pending at some time.
    throughService: (fetch) => async (request) =>
      refusing && new URL(request.url).pathname.endsWith('/orders') && request.method === 'POST'
        ? Response.json({}, { status: 503, headers: { 'retry-after': '0' } })
        : fetch(request),
  });
  const { title, digest } = settings;
  const plan = discoveryPlan(pipeline.folder, { briefingQuantity: 12, title, digest });
  const { handle } = await startRun(pipeline.client, plan, { label: '2026-11-23' });
  ({ workflowId } = handle);
  ({ order } = await awaitRun(terminal, pipeline.client, 'weekly', handle));
});
afterAll(async () => {
  await pipeline?.stop();
  await temporal?.stop();
});

let output = '';
const stderr = new PassThrough().on('data', (chunk: Buffer) => {
  output += chunk.toString();
  if (output.includes('retrying')) refusing = false;
});
const terminal = createTerminal({ env: {}, stdin: new PassThrough(), stdout: new PassThrough(), stderr });

interface FoundPayload {
  readonly path: string;
  readonly payload: Payload;
}

/** Every payload below a value, wherever it stands. */
function payloadsIn(value: unknown, path: string): FoundPayload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  const { metadata } = value as Payload;
  if (metadata?.['encoding'] instanceof Uint8Array) return [{ path, payload: value }];
  return Object.entries(value).flatMap(([name, inner]) => payloadsIn(inner, `${path}.${name}`));
}

/** The raw events of every workflow there is: nothing is decoded. */
async function rawHistories() {
  const histories: { workflowId: string; events: unknown[] }[] = [];
  for await (const { workflowId, runId } of temporal.client.workflow.list()) {
    const { events } = await temporal.client.workflow.getHandle(workflowId, runId).fetchHistory();
    histories.push({ workflowId, events: events ?? [] });
  }
  return histories;
}

/** Bytes as the text that they hold, else a search would not see it. */
function asText(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    const bytes = inner as { type?: string; data?: number[] };
    if (inner instanceof Uint8Array || bytes?.type === 'Buffer')
      return Buffer.from((inner instanceof Uint8Array ? inner : bytes.data) ?? []).toString();
    return inner;
  });
}

const clientWith = (dataConverter: DataConverter) =>
  new Client({ connection: temporal.connection, namespace: temporal.namespace, dataConverter });

describe('createDataConverter', () => {
  it('leaves nothing readable in any history, which the codec server decodes', async () => {
    expect(order).toMatchObject({ slots: 12, reconciled: 12, findings: [] });
    expect(output).toMatch(/retrying: .*503/);

    const histories = await rawHistories();
    expect(histories.length).toBeGreaterThan(2);
    const found = histories.flatMap(({ workflowId, events }) => payloadsIn(events, workflowId));
    const open = found.filter(
      ({ payload }) => Buffer.from(payload.metadata?.['encoding'] ?? []).toString() !== 'binary/encrypted',
    );
    // Temporal's SDK encodes neither search attributes nor the names of changes in the workflow code.
    const plain = /earchAttributes\.indexedFields\.|\.markerRecordedEventAttributes\.details\.patch-data\./;
    expect(open.filter(({ path }) => !plain.test(path))).toEqual([]);
    expect(found.length - open.length).toBeGreaterThan(50);

    const secrets = [settings.title, pipeline.folder, demoProfile.ideal_customer_profile, 'status 503'];
    const raw = asText(histories);
    expect(secrets.filter((secret) => raw.includes(secret))).toEqual([]);
    expect(raw).toContain('Encoded failure');

    const server = await serveFetch(
      createCodecServer({
        codec: createEncryptionCodec({ ...toCodecKeys(encryption), acceptPlain: true }),
        origins: [],
        token: codecToken,
      }).fetch,
    );
    const decoded = await decodeAll(server.url, found).finally(server.close);
    const text = decoded.join('\n');
    expect(secrets.filter((secret) => !text.includes(secret))).toEqual([]);
    const summaries = found.flatMap(({ path }, index) => (path.endsWith('.summary') ? [decoded[index] ?? ''] : []));
    expect(summaries.filter((summary) => summary.startsWith('"discovery: '))).not.toEqual([]);
    expect(summaries.filter((summary) => raw.includes(JSON.parse(summary) as string))).toEqual([]);
  });

  it('answers queries and returns results after a key rotation, and names a missing key', async () => {
    const rotated = clientWith(createDataConverter({ ...encryption, key: key('2027-05'), olderKeys: [current] }));
    const handle = rotated.workflow.getHandle(workflowId);
    expect(await handle.result()).toMatchObject({ order: { slots: 12 } });
    expect(await readStartedDigest(rotated, workflowId)).toBe(settings.digest);

    const without = clientWith(createDataConverter({ ...encryption, key: key('2027-05') }));
    await expect(without.workflow.getHandle(workflowId).result()).rejects.toThrow(
      'a payload is encrypted with key "2026-11", which is not configured (known here: 2027-05)',
    );
    expect(await readStartedDigest(without, workflowId)).toBeNull();
    const progress = await pipeline.client.workflow.getHandle(workflowId).query(progressQuery);
    expect(progress).toMatchObject({ stage: expect.any(String) as string });
    await expect(temporal.client.workflow.getHandle(workflowId).query(progressQuery)).rejects.toThrow(
      'Unknown encoding: binary/encrypted',
    );
  });
});

/** What the UI shows of them: the data of each, in the order given. */
async function decodeAll(url: string, found: readonly FoundPayload[]): Promise<string[]> {
  const base64 = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64');
  const payloads = found.map(({ payload: { metadata, data } }) => ({
    metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)])),
    data: base64(data),
  }));
  const response = await fetch(`${url}/${codecToken}/decode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-namespace': 'default' },
    body: JSON.stringify({ payloads }),
  });
  const body = (await response.json()) as { payloads: { data: string }[] };
  return body.payloads.map(({ data }) => Buffer.from(data, 'base64').toString());
}
