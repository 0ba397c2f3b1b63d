// What the service, HubSpot, files, the configuration and colleagues in the namespace write must not reach a terminal as it is.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow/index.js';
import ExcelJS from 'exceljs';
import { stringify } from 'yaml';
import { createHubSpotSandbox } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createServiceSandbox } from '../../sandbox/service/service-sandbox.ts';
import { type Ended } from '../helpers/command.ts';
import { runCommand } from '../helpers/run-command.ts';
import { serveFetch } from '../helpers/serve-fetch.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { startWorkerProcess } from '../helpers/worker-process.ts';
import { itOfAll } from '../helpers/sample.ts';

/** Sets the title of the window, clears the screen, forges a line, and turns and hides text. */
const attack = '\u001B]0;owned\u0007\u001B[2J\rFORGED\nFORGED\u2028FORGED \u202Egnp\u2066\u200B\u009B2J\uFEFF';
const obeyed = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u3164]/u;

type Fetch = (request: Request) => Promise<Response>;
type Json = Record<string, unknown>;

const service = createServiceSandbox({
  progression: { profiles: { after_seconds: 0.02 }, orders: { after_seconds: 0.05 } },
});
const hubspot = createHubSpotSandbox();
let temporal: TemporalTestServer;
let folder: string;
let env: Record<string, string>;
let closeAll = () => {};
let throughService: (request: Request) => Promise<Response> = service.fetch;
let throughHubSpot: (request: Request) => Promise<Response> = hubspot.fetch;

beforeAll(async () => {
  temporal = await startTemporal();
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-hostile-'));
  const served = [
    await serveFetch((request) => throughService(request)),
    await serveFetch((request) => throughHubSpot(request)),
  ] as const;
  closeAll = () => served.forEach(({ close }) => close());
  env = {
    TEMPORAL_ADDRESS: temporal.address,
    SERVICE_URL: served[0].url,
    HUBSPOT_URL: served[1].url,
    API_KEY: service.createOrganization({ name: 'test' }).apiKey,
    HUBSPOT_TOKEN: hubspot.createPortal({ name: 'test' }).token,
  };
  await configure({ weekly: discovery });
});
beforeEach(() => {
  throughService = service.fetch;
  throughHubSpot = hubspot.fetch;
});
afterAll(async () => {
  closeAll();
  await temporal?.stop();
  await rm(folder, { recursive: true, force: true });
});

const profile = { profile_name: `A${attack}`, ideal_customer_profile: 'B', target_countries: ['DE'] };
const discovery = { kind: 'discovery', briefing_quantity: 5, title: `T${attack}`, profile };

async function configure(runs: Json, more: Json = {}): Promise<void> {
  const text = stringify({
    service: { base_url: { env: 'SERVICE_URL' }, api_key: { env: 'API_KEY' } },
    hubspot: { base_url: { env: 'HUBSPOT_URL' }, token: { env: 'HUBSPOT_TOKEN' } },
    polling: { profile: '20ms', order_first: '50ms', order_max: '50ms' },
    runs,
    ...more,
  });
  await writeFile(path.join(folder, 'prospect-sync.yaml'), text);
}

const command = (...args: string[]) => runCommand(args, { cwd: folder, env });

function expectHarmless({ stdout, stderr }: Pick<Ended, 'stdout' | 'stderr'>): string {
  const said = `${stdout}${stderr}`;
  expect(said).not.toMatch(obeyed);
  expect(said).not.toMatch(/^\s*FORGED/m);
  return said;
}

/** An answer of a stand-in whose JSON is changed. */
function changed(fetch: Fetch, isChanged: (request: Request) => boolean, change: (body: Json) => Json): Fetch {
  return async (request) => {
    const response = await fetch(request);
    if (!isChanged(request) || !response.ok) return response;
    return Response.json(change((await response.json()) as Json), { status: response.status });
  };
}

const refusal = (status: number, headers: Record<string, string> = {}) =>
  Response.json(
    {
      message: `not ${attack} today`,
      code: `CODE${attack}`,
      errors: [{ loc: ['body', `field${attack}`], msg: `is ${attack} wrong`, type: attack }],
    },
    { status, headers },
  );

describe('foreign texts', () => {
  it('are escaped when the configuration contains unknown names', async () => {
    await configure(
      {
        [`run${attack}`]: discovery,
        weekly: { ...discovery, [`key${attack}`]: 1, exclusions: [`customers${attack}`], features: [attack] },
      },
      { [`section${attack}`]: {}, mapping: { companies: { [`p${attack}`]: `company.${attack}` } } },
    );
    for (const args of [
      ['validate'],
      ['validate', '--json'],
      ['run', `nobody${attack}`],
      [`command${attack.replaceAll('\n', '')}`],
    ]) {
      const ended = await command(...args);
      expect(ended.code).toBe(2);
      const said = expectHarmless(ended);
      expect(said).toContain(String.raw`\x1b]0;owned\x07`);
    }
    const { stdout } = await command('validate', '--json');
    expect(expectHarmless({ stdout, stderr: '' })).toContain('owned');
    expect(JSON.parse(stdout)).toMatchObject({ ok: false });
  });

  it('are escaped when they come from the service and HubSpot', async () => {
    await configure({ weekly: discovery });
    throughService = async () => refusal(403);
    throughHubSpot = async () =>
      Response.json(
        { message: attack, category: `C${attack}`, errors: [{ message: attack, code: attack }] },
        { status: 403 },
      );
    for (const args of [['doctor'], ['run', 'weekly']]) {
      expect(expectHarmless(await command(...args))).toContain(String.raw`403: not \x1b]0;owned`);
    }
    const { stdout } = await command('doctor', '--json');
    expect(JSON.parse(expectHarmless({ stdout, stderr: '' }))).toMatchObject({ ok: false });
  });

  it('are escaped in the names of sheets and columns', async () => {
    const workbook = new ExcelJS.Workbook();
    workbook.addWorksheet('first\u202E\u200B').addRows([
      ['Firma', `Notiz${attack}`],
      ['Acme', attack],
    ]);
    await workbook.xlsx.writeFile(path.join(folder, 'leads.xlsx'));
    const companies = { xlsx: 'leads.xlsx' };
    const enrichment = { kind: 'enrichment', profile };
    await configure({
      columns: { ...enrichment, companies },
      read: { ...enrichment, companies: { ...companies, columns: { company_name: 'Firma' } } },
      sheet: { ...enrichment, companies: { ...companies, sheet: 'second\u001B[2J\u202E\nFORGED' } },
    });
    for (const [expected, ...args] of [
      [String.raw`sheet "first\u{202e}\u{200b}", row 1`, 'run', 'columns'],
      [String.raw`has no sheet "second\u001b[2J\u{202e}\nFORGED"; its sheets are "first\u{202e}`, 'run', 'sheet'],
      [String.raw`FORGED\nFORGED\u{2028}FORGED \u{202e}gnp`, 'run', 'read', '--dry-run'],
    ] as const) {
      expect(expectHarmless(await command(...args))).toContain(expected);
    }
  });

  itOfAll('are escaped in answers, logs, failures, texts in Temporal, and reports of a whole run', async () => {
    await configure({ weekly: discovery });
    let failures = 0;
    let looks = 0;
    throughService = async (request) => {
      const { pathname } = new URL(request.url);
      if (request.method === 'POST' && pathname.endsWith('-creations') && (failures += 1) === 1)
        return refusal(503, { 'retry-after': '1' });
      if (
        request.method === 'GET' &&
        /\/orders\/[^/]+$/.test(pathname) &&
        !pathname.includes('00000000') &&
        (looks += 1) <= 2
      )
        return changed(
          service.fetch,
          () => true,
          (order) => ({ ...order, status: `WAITING${attack}` }),
        )(request);
      return changed(
        service.fetch,
        () => pathname.endsWith('/results'),
        (page) => {
          const items = Object.values(page).find(Array.isArray) ?? [];
          for (const slot of items as Json[]) {
            slot['reason_codes'] = [`CODE${attack}`];
            slot['reasons'] = [{ code: `CODE${attack}`, message: attack, detail: attack }];
            slot['external_id'] = `id${attack}`;
            const company = slot['company'] as Json | null;
            if (company) Object.assign(company, { name: `Acme${attack}`, 'turn\u3164over': 1, [`t${attack}`]: 1 });
          }
          return page;
        },
      )(request);
    };
    const worker = await startWorkerProcess(folder, env, ['--log-format', 'text']);
    try {
      const started = { taskQueue: 'prospect-sync', args: [{ runName: `x${attack}`, digest: '1' }] };
      await temporal.client.workflow.start('runProspecting', { ...started, workflowId: `run/x${attack}/1` });
      const run = await command('run', 'weekly');
      const said = expectHarmless(run);
      expect(said).toContain(
        'retrying: POST /api/v1/search-profile-creations failed with status 503: not \\x1b]0;owned',
      );
      expect(said).toMatch(/CODE\\x1b\]0;owned\\x07.* {2}unknown to this version/);
      const [, orderId = ''] = /order ([0-9a-f-]{36})/.exec(run.stdout) ?? [];
      const rows = await command('rows', orderId);
      expect(expectHarmless(rows)).toContain(String.raw`CODE\x1b]0;owned`);
      const json = await command('rows', orderId, '--json');
      expectHarmless(json);
      expect(JSON.parse(json.stdout)).toContainEqual(
        expect.objectContaining({ reason_codes: [`CODE${attack.trim()}`] }),
      );
      expectHarmless(await command('status'));
      const logs = expectHarmless({ stdout: '', stderr: worker.said() });
      expect(logs).toContain(String.raw`run/x\x1b]0;owned\x07`);
      const workflowIds = [`order/${orderId}`, `order/${orderId}/reconcile`];
      for await (const { workflowId } of temporal.client.workflow.list()) workflowIds.push(workflowId);
      const texts = (await Promise.all([...new Set(workflowIds)].map(textsIn))).flat();
      for (const shown of [
        'not \\x1b]0;owned',
        'is WAITING\\x1b]0;owned',
        'invalid input: runName',
        '**title**: T\\\\x1b',
      ])
        expect(texts).toContainEqual(expect.stringContaining(shown));
      expect(texts.filter((text) => obeyed.test(text.replaceAll('\n', '')) || /^\s*FORGED/m.test(text))).toEqual([]);
    } finally {
      await worker.stop();
    }
  });
});

/** Failures, summaries and details of a workflow, as a person reads them in the UI. */
async function textsIn(workflowId: string): Promise<string[]> {
  const handle = temporal.client.workflow.getHandle(workflowId);
  const converter = temporal.client.options.loadedDataConverter;
  const { events } = await handle.fetchHistory();
  const texts: string[] = [];
  for (const event of events ?? []) {
    for (const attributes of Object.values(event)) {
      if (typeof attributes !== 'object' || attributes === null) continue;
      for (const failure of [Reflect.get(attributes, 'failure'), Reflect.get(attributes, 'lastFailure')]) {
        if (!failure) continue;
        const decoded = await decodeOptionalFailureToOptionalError(converter, failure);
        texts.push(...causesOf(decoded).flatMap(({ message, stack = '' }) => [message, stack]));
      }
    }
    for (const payload of [event.userMetadata?.summary, event.userMetadata?.details]) {
      if (payload?.data) texts.push(JSON.parse(Buffer.from(payload.data).toString()) as string);
    }
  }
  const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata').catch(() => ({}));
  texts.push(('currentDetails' in metadata && metadata.currentDetails) || '');
  return texts;
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
