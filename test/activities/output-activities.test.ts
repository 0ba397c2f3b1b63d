import { defaultReplyPolicy } from '../../src/config/reply-policy.ts';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Info } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import type { Activities } from '../../activities/index.ts';
import { createOutputActivities } from '../../activities/output-activities.ts';
import type { ServiceOutput } from '../../src/config/service-output-settings.ts';
import type { ServiceOutputsPlan } from '../../src/config/run-plan.ts';
import { toOutputFindings } from '../../src/proof/checks/order-checks.ts';
import { forget, previewForget } from '../../src/delivery/erasure/forget.ts';
import type { OpenFile } from '../../src/base/spreadsheet/whole-file.ts';
import { craftXlsx, header, sharedStrings } from '../base/spreadsheet/craft-xlsx.ts';
import { fullAfter } from '../base/spreadsheet/temporary-folder.ts';
import {
  createActivityHarness,
  createEnvironment,
  failure,
  plan,
  type ActivityHarnessOptions,
} from './activity-harness.ts';
import { changeAnswers } from './order-steps.ts';
import { readRefusal } from '../../src/replies/refusal.ts';
import { toFailure } from '../../src/worker/to-failure.ts';
import { itOfAll } from '../helpers/sample.ts';

/** The time of the sandbox clock when a test schedules its activities. */
const start = Date.parse('2026-11-20T12:00:00Z');
const giveUpMs = 600_000;

type OutputStep = Parameters<Activities['requestOutput']>[0];

const csv: ServiceOutput = { type: 'csv', language: 'en', spreadsheetId: null };
const xlsx: ServiceOutput = { type: 'xlsx', language: 'en', spreadsheetId: null };
const sheet: ServiceOutput = { type: 'google_sheets', language: 'en', spreadsheetId: '1AbC' };

async function prepare(options: ActivityHarnessOptions & { quantity?: number } = {}) {
  const harness = await createActivityHarness(options);
  const { perform, letPass, folder, prospecting, ledger, hubspot, configuration } = harness;
  const { orderId } = await harness.collectDiscovery(options.quantity ?? 7);
  const directory = join(folder, 'out');
  const wanted: ServiceOutput[] = [];
  const terms = { directory, firstPollMs: 1_000, longestPollMs: 4_000, giveUpMs };
  const info: Partial<Info> = { scheduledTimestampMs: start };
  /** Adds an output to those of the run. */
  const stepOf = (output: ServiceOutput, changes: Partial<ServiceOutputsPlan> = {}): OutputStep => {
    wanted.push(output);
    const serviceOutputs = { wanted: [...wanted], ...terms, ...changes };
    const { runName } = harness.configureRun(plan({ delivery: { ...plan().delivery, serviceOutputs } }));
    return { orderId, runName, output };
  };
  const request = (output: ServiceOutput) => perform('requestOutput', stepOf(output), info);
  const look = (output: ServiceOutput, more: Partial<Info> = {}) =>
    perform('awaitOutput', stepOf(output), { ...info, ...more });
  /** Requests the output, and waits until it can be fetched. */
  const prepareFile = async (output: ServiceOutput) => {
    await request(output);
    await letPass(2);
    return look(output);
  };
  const fetch = (output: ServiceOutput) => perform('fetchOutput', stepOf(output), info);
  /** Runs the three activities like the workflow. */
  const obtain = async (output: ServiceOutput) => {
    const requested = await request(output);
    if (requested.state !== 'requested') return requested;
    await letPass(2);
    const ended = await look(output);
    return ended.state === 'ready' ? fetch(output) : ended;
  };
  /** Runs fetchOutput with another disk. */
  const fetchOnto = (output: ServiceOutput, openFile: OpenFile, more: Partial<Info> = {}) => {
    const clients = { prospecting, ledger, hubspot, configuration, now: () => new Date(start + 10_000), toFailure };
    const { fetchOutput } = createOutputActivities(clients, openFile);
    return createEnvironment({ ...info, ...more }).run(fetchOutput, stepOf(output));
  };
  const findings = async () =>
    (await perform('concludeReconciliation', { orderId, proofs: [] })).findings.map(({ code, count }) => [code, count]);
  const asked = (pattern: RegExp) => harness.asked().filter((each) => pattern.test(each)).length;
  const found = () => (existsSync(directory) ? readdirSync(directory) : []);
  const steps = { request, look, prepareFile, fetch, obtain, fetchOnto };
  return { ...harness, ...steps, orderId, directory, stepOf, findings, asked, found };
}

const posts = /^POST .*\/outputs$/;
const downloads = /download$/;

describe('requestOutput, awaitOutput and fetchOutput', () => {
  it('request, await and fetch each output, and keep the receipts', async () => {
    const { obtain, orderId, directory, ledger, findings, found } = await prepare();
    const path = join(directory, `${orderId}.service-en.csv`);
    const problem = null;
    expect(await obtain(csv)).toEqual({
      type: 'csv',
      destination: 'csv en',
      state: 'delivered',
      problem,
      resultCount: 7,
      rows: 7,
      path,
      location: null,
    });
    expect(await obtain(xlsx)).toMatchObject({ destination: 'xlsx en', state: 'delivered', rows: 7 });
    expect(await obtain(sheet)).toEqual({
      type: 'google_sheets',
      destination: 'google_sheets en 1AbC',
      state: 'delivered',
      problem,
      resultCount: 7,
      rows: 7,
      path: null,
      location: 'https://sheets.example/spreadsheets/d/1AbC',
    });
    expect(found().sort()).toEqual([`${orderId}.service-en.csv`, `${orderId}.service-en.xlsx`]);
    expect(readFileSync(path, 'utf8')).toContain('Company Name');
    expect(await ledger.outputs.list(orderId)).toMatchObject([
      {
        destination: 'csv en',
        status: 'COMPLETED',
        attempt: 0,
        outputId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        exportJobId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        resultSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        bytes: readFileSync(path).length,
        path,
      },
      { destination: 'google_sheets en 1AbC', path: null, sha256: null },
      { destination: 'xlsx en', rows: 7 },
    ]);
    expect(await findings()).toEqual([]);
  });

  it('repeat nothing when the order is ingested again, and write only missing or changed files again', async () => {
    const { obtain, orderId, directory, ledger, asked, findings } = await prepare();
    const path = join(directory, `${orderId}.service-en.csv`);
    const first = await obtain(csv);
    const [receipt] = await ledger.outputs.list(orderId);
    expect(await obtain(csv)).toEqual(first);
    expect((await ledger.outputs.list(orderId))[0]).toMatchObject({
      outputId: receipt?.outputId,
      sha256: receipt?.sha256,
    });
    expect([asked(posts), asked(downloads)]).toEqual([2, 1]);
    for (const spoil of [() => rmSync(path), () => writeFileSync(path, 'mine')]) {
      spoil();
      expect(await findings()).toEqual([[`service_csv_file_${existsSync(path) ? 'changed' : 'missing'}`, 1]]);
      expect(await obtain(csv)).toEqual(first);
      expect(await findings()).toEqual([]);
    }
    expect(asked(downloads)).toBe(3);
  });

  it('write one file per language, whatever characters the language contains', async () => {
    const { obtain, orderId, found } = await prepare();
    for (const language of ['de', 'x/../*']) await obtain({ ...csv, language });
    expect(found().sort()).toEqual([`${orderId}.service-de.csv`, `${orderId}.service-x%2F..%2F%2A.csv`]);
  });
});

describe('requestOutput', () => {
  // Guarantee: An output of the service is requested once and downloaded completely
  it('sends the same key and body after a lost answer, and receives the same output', async () => {
    const sent: [string | null, string][] = [];
    const { service, request, ledger, orderId, prospecting } = await prepare({
      async serviceFetch(asked, proceed) {
        if (asked.method === 'POST' && asked.url.endsWith('/outputs')) {
          sent.push([asked.headers.get('idempotency-key'), await asked.clone().text()]);
        }
        return proceed(asked);
      },
    });
    const path = `/api/v1/orders/${orderId}/outputs`;
    service.faults.add({ method: 'POST', path, commit: true, status: 504, times: 1 });
    expect(await failure(request(csv))).toMatchObject({ nonRetryable: false });
    expect(await ledger.outputs.list(orderId)).toMatchObject([{ state: 'requested', outputId: null }]);
    expect(await request(csv)).not.toHaveProperty('adopted');
    expect((await prospecting.outputs.list(orderId)).map(({ output_type }) => output_type)).toEqual(['csv']);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
    expect(JSON.parse(sent[0]?.[1] ?? '')).toEqual({ output_type: 'csv', output_language: 'en' });
    await request(xlsx);
    expect(sent[2]?.[0]).not.toBe(sent[0]?.[0]);
  });

  it('discards the file of the earlier output when the service creates another one', async () => {
    const another = '7e57ab1e-0000-4000-8000-000000000000';
    let isAnother = false;
    const { obtain, request, ledger, orderId } = await prepare({
      async serviceFetch(asked, proceed) {
        const response = await proceed(asked);
        if (!isAnother || asked.method !== 'POST' || !asked.url.endsWith('/outputs')) return response;
        const receipt = (await response.json()) as Record<string, unknown>;
        return Response.json({ ...receipt, output_id: another }, { status: response.status });
      },
    });
    await obtain(csv);
    isAnother = true;
    await request(csv);
    const nothing = { path: null, sha256: null, rows: null, bytes: null };
    expect(await ledger.outputs.list(orderId)).toMatchObject([{ outputId: another, attempt: 0, ...nothing }]);
  });

  const input = { output_type: 'csv', output_language: 'en' } as const;

  it('requests an output once when it is called several times at once', async () => {
    const { request, prospecting, orderId, obtain, ledger } = await prepare();
    await Promise.all([request(csv), request(csv), request(csv)]);
    const { output_id: outputId, created } = await prospecting.outputs.create(orderId, input, null);
    expect([created, await ledger.outputs.list(orderId)]).toMatchObject([false, [{ outputId }]]);
    expect(await obtain(csv)).toMatchObject({ state: 'delivered' });
  });

  it('uses an output that another program requested at the same destination', async () => {
    const { obtain, prospecting, orderId, ledger } = await prepare();
    const { output_id: outputId } = await prospecting.outputs.create(orderId, input, 'the key of somebody else');
    expect(await obtain(csv)).toMatchObject({ state: 'delivered', rows: 7 });
    expect(await ledger.outputs.list(orderId)).toMatchObject([{ outputId }]);
  });

  it('reports a finding when the order already has 20 outputs', async () => {
    const { request, findings, prospecting, orderId } = await prepare();
    for (let number = 0; number < 20; number += 1) {
      expect(await request({ ...csv, language: `l${number}` })).toMatchObject({ state: 'requested' });
    }
    const refused = await request(csv);
    expect(refused).toMatchObject({ state: 'refused', problem: 'OUTPUT_QUOTA_EXCEEDED' });
    for (const { output_id } of await prospecting.outputs.list(orderId))
      expect(refused.problemDetail).toMatch(new RegExp(`${output_id} csv l\\d+ 2026-11-20`));
    expect(await findings()).toEqual([['service_output_refused', 1]]);
  });

  it('retries until the deadline, then reports a finding', async () => {
    const { service, request, letPass, orderId } = await prepare();
    service.faults.add({ method: 'POST', path: `/api/v1/orders/${orderId}/outputs`, status: 503, times: 9 });
    await letPass(giveUpMs / 1_000 - 60);
    expect(await failure(request(csv))).toMatchObject({ type: 'ServiceFault', nonRetryable: false });
    await letPass(60);
    expect(await request(csv)).toMatchObject({ state: 'refused', problem: 'ServiceFault' });
  });
});

describe('awaitOutput', () => {
  it('retries at growing intervals while the service produces the output', async () => {
    const { request, look, orderId } = await prepare();
    const stuck = { ...csv, language: 'stay:RUNNING' };
    await request(stuck);
    const waits: unknown[] = [];
    for (const attempt of [1, 2, 3, 4, 50]) {
      const { type, category, nonRetryable, nextRetryDelay, message } = await failure(look(stuck, { attempt }));
      expect({ type, category, nonRetryable }).toEqual({
        type: 'OutputNotReady',
        category: ApplicationFailureCategory.BENIGN,
        nonRetryable: false,
      });
      expect(message).toMatch(/^output csv stay:running is (PENDING|RUNNING); next poll in \d s$/);
      expect(message).not.toContain(orderId);
      waits.push(nextRetryDelay);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 4_000, 4_000]);
  });

  it('reports a finding when the output never ends, and resumes it later', async () => {
    const { request, look, letPass, findings, obtain } = await prepare();
    const stuck = { ...csv, language: 'stay:PENDING' };
    await request(stuck);
    await letPass(giveUpMs / 1_000);
    expect(await look(stuck)).toMatchObject({ state: 'unfinished', path: null });
    expect(await findings()).toEqual([['service_output_unfinished', 1]]);
    expect(await obtain(stuck)).toMatchObject({ state: 'unfinished' });
    expect(await obtain(csv)).toMatchObject({ state: 'delivered' });
  });

  it('checks the output once even if no worker ran before the deadline', async () => {
    const { request, look, letPass } = await prepare();
    await request(csv);
    await letPass(10 * (giveUpMs / 1_000));
    expect(await look(csv)).toMatchObject({ state: 'ready' });
  });

  it('reports a failed output as a finding, and requests it again when the order is ingested again', async () => {
    const { obtain, findings, ledger, orderId, asked } = await prepare();
    const failing = { ...csv, language: 'outcome:FAILED*1' };
    expect(await obtain(failing)).toMatchObject({ state: 'failed', problem: null, path: null });
    expect(await obtain({ ...sheet, spreadsheetId: 'outcome:FAILED' })).toMatchObject({
      state: 'failed',
      location: null,
    });
    expect(await findings()).toEqual([['service_output_failed', 2]]);
    expect(asked(downloads)).toBe(0);
    expect(await obtain(failing)).toMatchObject({ state: 'delivered', rows: 7 });
    expect(await findings()).toEqual([['service_output_failed', 1]]);
    expect(await ledger.outputs.get(orderId, 'csv outcome:failed*1')).toMatchObject({
      attempt: 1,
      status: 'COMPLETED',
    });
  });
});

/** Changes the answers about an output. */
const changeReceipts = (change: (receipt: { result_count?: number; location?: string }) => void) =>
  changeAnswers(/\/outputs\/[^/]+$/, change);

/** Replaces the downloaded file. */
function serving(change: (file: Response) => Response | Promise<Response>): ActivityHarnessOptions {
  return {
    serviceFetch: async (request, proceed) => {
      const response = await proceed(request);
      return request.url.includes('/files/') ? change(response) : response;
    },
  };
}

/** Overwrites a part of the sheet in a workbook. */
async function damage(file: Response): Promise<Response> {
  const bytes = Buffer.from(await file.arrayBuffer());
  const sheetAt = bytes.indexOf('xl/worksheets/sheet1.xml');
  return new Response(bytes.fill(0xff, sheetAt + 100, sheetAt + 200));
}

describe('fetchOutput', () => {
  it.each<[string, ServiceOutput, (file: Response) => Response | Promise<Response>, number | null]>([
    ['another number of rows', csv, () => new Response('A,B\r\n1,2\r\n'), 1],
    ['no table', xlsx, () => new Response('<html>'), null],
    ['damaged content', xlsx, damage, null],
  ])('reports a finding for a file with %s, and keeps it for inspection', async (_, output, change, rows) => {
    const { obtain, found, findings } = await prepare(serving(change));
    const path: unknown = expect.any(String);
    expect(await obtain(output)).toMatchObject({ state: 'rows_differ', rows, resultCount: 7, path });
    expect(found()).toHaveLength(1);
    expect(await findings()).toEqual([['service_output_rows_differ', 1]]);
  });

  it('reports a finding whenever it fetches a CSV file that exceeds a limit', async () => {
    const columns = Array.from({ length: 20_000 }, (_, index) => `c${index}`).join();
    expect(await fetchTwice(csv, `${columns}\n${'x\n'.repeat(40_000)}`)).toMatchObject(refusedTwice);
  });

  itOfAll('reports a finding whenever it fetches an XLSX file that exceeds a limit', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
    const workbook = join(folder, 'hostile.xlsx');
    const piece = 'x'.repeat(1_000_000);
    const texts = sharedStrings({ begin: '<si><t>', piece, times: 1_100, end: '</t></si>' });
    craftXlsx(workbook, header, { 'xl/sharedStrings.xml': texts });
    const file = readFileSync(workbook);
    rmSync(folder, { recursive: true });
    expect(await fetchTwice(xlsx, file)).toMatchObject(refusedTwice);
  });

  it('compares with the slots when result_count differs or is missing, and shows no invalid address', async () => {
    const differing = await prepare(changeReceipts((receipt) => (receipt.result_count = 6)));
    expect(await differing.obtain(csv)).toMatchObject({ state: 'rows_differ', rows: 7, resultCount: 6 });
    expect(await differing.obtain(sheet)).toMatchObject({ state: 'rows_differ', resultCount: 6 });
    const missing = await prepare(
      changeReceipts((receipt) => {
        delete receipt.result_count;
        receipt.location = 'javascript:alert(1)';
      }),
    );
    expect(await missing.obtain(csv)).toMatchObject({ state: 'delivered', rows: 7, resultCount: null });
    expect(await missing.obtain(sheet)).toMatchObject({ state: 'delivered', rows: null, location: null });
  });

  it('follows the redirect without sending the key', async () => {
    const seen: [string, string | null][] = [];
    const { obtain } = await prepare({
      async serviceFetch(request, proceed) {
        const { origin, pathname } = new URL(request.url);
        seen.push([origin, request.headers.get('authorization')]);
        if (origin !== 'http://service.test') return proceed(new Request(`http://service.test${pathname}`));
        const response = await proceed(request);
        const location = response.headers.get('location');
        if (location === null) return response;
        return new Response(null, { status: 302, headers: { location: `https://files.storage.com${location}` } });
      },
    });
    expect(await obtain(csv)).toMatchObject({ state: 'delivered' });
    const elsewhere = seen.filter(([origin]) => origin === 'https://files.storage.com');
    expect(elsewhere).toEqual([['https://files.storage.com', null]]);
    expect(seen.filter(([, key]) => key === null)).toEqual(elsewhere);
  });

  it.each([
    ['a download that breaks off', () => new Response('A,B', { headers: { 'content-length': '99' } })],
    ['an address that has expired', () => new Response('expired', { status: 403 })],
  ])('retries after %s until the deadline, and leaves no file', async (_, file) => {
    const { prepareFile, fetch, letPass, found, findings } = await prepare(serving(file));
    await prepareFile(csv);
    expect(await failure(fetch(csv))).toMatchObject({ type: 'ServiceUnreachable', nonRetryable: false });
    expect(found()).toEqual([]);
    expect(await findings()).toEqual([]);
    await letPass(giveUpMs / 1_000);
    expect(await fetch(csv)).toMatchObject({ state: 'not_fetched', problem: 'ServiceUnreachable', path: null });
    expect(found()).toEqual([]);
    expect(await findings()).toEqual([['service_output_not_fetched', 1]]);
  });

  it('does not retry an error that no retry can solve', async () => {
    const gone = () => Response.json({ code: 'EXPORT_JOB_NOT_FOUND' }, { status: 404 });
    const { obtain, findings } = await prepare({
      serviceFetch: async (request, proceed) => (request.url.endsWith('/download') ? gone() : proceed(request)),
    });
    expect(await obtain(csv)).toMatchObject({ state: 'not_fetched', problem: 'EXPORT_JOB_NOT_FOUND' });
    expect(await findings()).toEqual([['service_output_not_fetched', 1]]);
  });

  it('keeps the earlier file while the disk is full, and completes when there is space', async () => {
    const { obtain, prepareFile, fetchOnto, fetch, directory, orderId, found } = await prepare();
    await obtain(csv);
    const path = join(directory, `${orderId}.service-en.csv`);
    writeFileSync(path, 'an earlier file');
    await prepareFile(csv);
    expect(await failure(fetchOnto(csv, fullAfter(100)))).toMatchObject({ type: 'DiskFull', nonRetryable: false });
    expect(readFileSync(path, 'utf8')).toBe('an earlier file');
    expect(found()).toHaveLength(1);
    const late = { scheduledTimestampMs: start - giveUpMs };
    expect(await fetchOnto(csv, fullAfter(100), late)).toMatchObject({ state: 'not_fetched', problem: 'DiskFull' });
    await prepareFile(csv);
    expect(await fetch(csv)).toMatchObject({ state: 'delivered', rows: 7 });
  });

  it('is retried when its temporary file was deleted', async () => {
    const { prepareFile, fetchOnto, fetch, found } = await prepare();
    await prepareFile(csv);
    const lost: OpenFile = async (path, flags) => {
      const handle = await open(path, flags);
      rmSync(path);
      return handle;
    };
    expect(await failure(fetchOnto(csv, lost))).toMatchObject({ type: 'FileBusy', nonRetryable: false });
    expect(found()).toEqual([]);
    expect(await fetch(csv)).toMatchObject({ state: 'delivered', rows: 7 });
  });

  it('writes one complete file when two attempts run at once', async () => {
    const { prepareFile, fetch, found, ledger, orderId } = await prepare();
    await prepareFile(csv);
    for (const report of await Promise.all([fetch(csv), fetch(csv)])) expect(report.state).toBe('delivered');
    expect(found()).toEqual([`${orderId}.service-en.csv`]);
    expect(await ledger.outputs.get(orderId, 'csv en')).toMatchObject({ state: 'delivered', rows: 7 });
  });

  it('keeps the file of a later attempt when an earlier attempt fails last', async () => {
    const { promise: gone, resolve: fail } = Promise.withResolvers<Response>();
    const { promise: hanging, resolve: hang } = Promise.withResolvers<void>();
    let isFirst = true;
    const { prepareFile, fetch, ledger, orderId } = await prepare({
      async serviceFetch(asked, proceed) {
        if (!isFirst || !asked.url.endsWith('/download')) return proceed(asked);
        isFirst = false;
        hang();
        return gone;
      },
    });
    await prepareFile(csv);
    const late = fetch(csv);
    await hanging;
    const delivered = await fetch(csv);
    expect(delivered).toMatchObject({ state: 'delivered', rows: 7 });
    fail(Response.json({ code: 'EXPORT_JOB_NOT_FOUND' }, { status: 404 }));
    expect(await late).toEqual(delivered);
    expect(await ledger.outputs.get(orderId, 'csv en')).toMatchObject({ state: 'delivered', rows: 7 });
  });

  it('stops counting rows at the deadline', async () => {
    const { prepareFile, perform, stepOf } = await prepare({ quantity: 300 });
    await prepareFile(xlsx);
    const info = { scheduledTimestampMs: start };
    expect(await perform('fetchOutput', stepOf(xlsx, { giveUpMs: 1 }), info)).toMatchObject({
      state: 'rows_differ',
      rows: null,
      path: expect.stringMatching(/xlsx$/),
    });
  });

  it('stops when it is cancelled, and leaves nothing behind', async () => {
    const { prepareFile, found, performCancelled, ledger, orderId, stepOf } = await prepare();
    await prepareFile(csv);
    await expect(performCancelled('fetchOutput', stepOf(csv, { giveUpMs: 0 }))).rejects.toThrow(/cancel/i);
    expect(found()).toEqual([]);
    expect(await ledger.outputs.get(orderId, 'csv en')).toMatchObject({ state: 'ready' });
  });
});

describe('requestOutput, awaitOutput and fetchOutput for an output that the run does not configure', () => {
  it('request nothing, and store no receipt', async () => {
    const { perform, orderId, ledger, stepOf, asked } = await prepare();
    const step = { ...stepOf(csv), output: sheet };
    const refused = { state: 'refused', problem: 'ConfigurationDiffers' };
    expect(await perform('requestOutput', step)).toMatchObject(refused);
    expect(await perform('awaitOutput', step)).toMatchObject(refused);
    expect(await perform('fetchOutput', step)).toMatchObject(refused);
    expect(await ledger.outputs.list(orderId)).toEqual([]);
    expect(asked(/\/outputs/)).toBe(0);
  });

  it('keep the earlier receipt', async () => {
    const { perform, configureRun, orderId, obtain, ledger, stepOf } = await prepare();
    const step = stepOf(csv);
    const delivered = await obtain(csv);
    configureRun(plan());
    expect(await perform('requestOutput', step)).toEqual(delivered);
    expect(await ledger.outputs.get(orderId, 'csv en')).toMatchObject({ state: 'delivered' });
  });
});

describe('requestOutput and fetchOutput for an order with forgotten people', () => {
  it('delete the fetched file, and bring no output with these people', async () => {
    const { ledger, orderId, obtain, request, prepareFile, fetch, found, asked } = await prepare();
    await obtain(csv);
    await prepareFile(xlsx);
    const slots = await ledger.slots.readParsed(orderId, { from: 0, to: 7 });
    const domain = slots.flatMap(({ slot }) => slot.company?.domain ?? [])[0] ?? '';
    const { identifiers } = await previewForget(ledger, { kind: 'domain', value: domain });
    const context = {
      readRefusal: (body: string | null) => readRefusal(body, defaultReplyPolicy),
      now: () => new Date(),
      signal: new AbortController().signal,
    };
    const { files } = await forget(ledger, identifiers, context);
    expect(files.deleted).toEqual([expect.stringContaining('.service-en.csv')]);
    const requests = asked(posts);
    const refused = { state: 'refused', problem: 'OrderErased' };
    expect(await request(csv)).toMatchObject(refused);
    expect(await fetch(xlsx)).toMatchObject(refused);
    expect([found(), asked(posts)]).toEqual([[], requests]);
    expect(toOutputFindings(await ledger.outputs.list(orderId))).toEqual([]);
  });
});

/** Fetches an output twice. */
async function fetchTwice(output: ServiceOutput, file: string | Buffer) {
  const { obtain, findings } = await prepare(serving(() => new Response(file)));
  return [await obtain(output), await obtain(output), await findings()];
}

const refusedTwice = [
  ...Array.from({ length: 2 }, () => ({ state: 'refused', problem: 'FileTooLarge', rows: null, path: null })),
  [['service_output_refused', 1]],
];
