// Names from outside that every JavaScript object inherits must never reach the inherited property.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import ExcelJS from 'exceljs';
import Papa from 'papaparse';
import { DatabaseError } from 'pg';
import { explainPostgres } from '../src/ledger/postgres.ts';
import { explainSqlite } from '../src/ledger/sqlite.ts';
import { parseConfig } from '../src/config/load-config.ts';
import { findRun } from '../src/cli/configuration.ts';
import { findExclusion } from '../src/cli/exclusions-sync.ts';
import { toCrmPlan } from '../src/delivery/mapping/crm-plan.ts';
import { defaultContactPolicy } from '../src/delivery/mapping/contact-policy.ts';
import { defaultMapping } from '../src/delivery/mapping/default-mapping.ts';
import { toCheckFindings } from '../src/proof/checks/check.ts';
import { toOrderChecks, type OrderFigures } from '../src/proof/checks/order-checks.ts';
import { toWrittenValues } from '../src/delivery/crm/written-values.ts';
import { toWorkerConfiguration } from '../src/config/run-plan.ts';
import { toOrderBody } from '../src/service/reading/order-requests.ts';
import { defaultRequestSettings } from '../src/service/contract/request-settings.ts';
import { readDottedPath } from '../src/service/reading/flatten-record.ts';
import { parseCron } from '../src/config/calendar/cron-calendar.ts';
import { demoEnrichmentRows } from '../sandbox/generated-data/demo-data.ts';
import { readXlsx } from '../src/base/spreadsheet/read-xlsx.ts';
import { startRun } from '../src/worker/start-workflows.ts';
import { runCommand } from './helpers/run-command.ts';
import { discoveryPlan, startPipeline, type Pipeline } from './helpers/pipeline.ts';
import { startTemporal, type TemporalTestServer } from './helpers/temporal-server.ts';
import { createFolder } from './base/spreadsheet/temporary-folder.ts';
import { fileCompanies } from './helpers/companies-source.ts';

const findingsOf = (figures: OrderFigures) => toCheckFindings(toOrderChecks(figures));

const names = ['constructor', '__proto__', 'hasOwnProperty', 'toString'] as const;
const folder = createFolder();

const head = `service: {base_url: https://a.example, api_key: {env: KEY}}
hubspot: {token: {env: TOKEN}}
`;
const run =
  'kind: discovery, briefing_quantity: 1, profile: {profile_name: P, ideal_customer_profile: I, target_countries: [DE]}';
const parse = (text: string) =>
  parseConfig(head + text, { env: { KEY: 'k', TOKEN: 't' }, file: '/x/prospect-sync.yaml' });

function problemsOf(text: string): string[] {
  const parsed = parse(text);
  return parsed.ok ? [] : parsed.problems.map(({ field, rule }) => `${field}: ${rule}`);
}

describe.each(names)('the name %s', (name) => {
  const parsed = parse(`runs:\n  a: {${run}}\nexclusions:\n  b: {blacklist: c, csv: d.csv}\n`);
  if (!parsed.ok) throw new Error('the configuration is valid');
  const { config } = parsed;

  it('is not a run or exclusion of a configuration without it', () => {
    expect(() => findRun(config, name)).toThrow(`There is no run named ${name}. The configuration has: a.`);
    expect(() => findExclusion(config, name)).toThrow(`There are no exclusions named ${name}`);
    expect(toWorkerConfiguration(config).findRun(name)).toBeNull();
    expect(toWorkerConfiguration(config).findExclusion(name)).toBeNull();
  });

  it('is not a setting, exclusion, time or variable', () => {
    expect(problemsOf(`${name}: {a: 1}`)).toEqual([`${name}: there is no such setting`]);
    expect(problemsOf(`runs: {a: {${run}, ${name}: {b: 1}}}`)).toEqual([`runs.a.${name}: there is no such setting`]);
    expect(problemsOf(`runs: {a: {${run}, exclusions: [${name}]}}`)).toEqual([
      `runs.a.exclusions[0]: exclusions has no "${name}"`,
    ]);
    expect(parseCron(name)).toBeNull();
    const upper = name.toUpperCase();
    expect(problemsOf(`ledger: {database_url: {env: ${upper}}}`)).toEqual([
      `ledger.database_url.env: environment variable ${upper} is not set`,
    ]);
  });

  it('is not an error code of a database', () => {
    const refused = Object.assign(new DatabaseError('refused', 1, 'error'), { code: name });
    expect(explainPostgres(refused, 'a.example')).toMatchObject({ reason: 'failed', code: name });
    const error = Object.assign(new Error('refused'), { code: name });
    expect(explainSqlite(error, 'ledger.db')).toBe(error);
  });

  it('is counted as a reason code', () => {
    const reasons = [{ code: name, message: '', label: '', count: 3 }];
    const summary = { requested_count: 3, fully_enriched_count: 0, annotated_count: 3, reasons };
    const figures = {
      status: 'COMPLETED',
      resultsPublished: true,
      availableQuantity: 3,
      kind: 'enrichment' as const,
      publishedKind: 'enrichment' as const,
      briefingQuantity: null,
      submission: null,
      fields: {},
      slots: 3,
      byStatus: { PARTIAL: 3 },
    };
    const counts = Object.fromEntries([[name, 3]]);
    expect(findingsOf({ ...figures, summary, annotatedByReason: counts })).toEqual([]);
    const finding = { code: `reason_count_differs:${name}`, count: 3, positions: [] };
    expect(findingsOf({ ...figures, summary, annotatedByReason: {} })).toEqual([finding]);
    const silent = { ...summary, reasons: [] };
    expect(findingsOf({ ...figures, summary: silent, annotatedByReason: counts })).toEqual([finding]);
  });

  it('finds no value in an answer, and is sent unchanged in an order', () => {
    expect(readDottedPath({}, name)).toBeUndefined();
    expect(readDottedPath({}, `${name}[kind=x].value`)).toBeUndefined();
    expect(readDottedPath({ list: [{}] }, `list[${name}=${String(Reflect.get({}, name))}]`)).toBeUndefined();
    const requests = { ...defaultRequestSettings, profile_reference: `${name}.id` };
    const input = { order_type: 'DISCOVERY', profile_id: 'p', title: 't', briefing_quantity: 1 } as const;
    expect(Object.entries(toOrderBody(input, requests))).toContainEqual([name, { id: 'p' }]);
  });
});

it('an inherited name is not a run, order or variable of a command', async () => {
  const key = Buffer.alloc(32).toString('base64');
  const place = { cwd: folder, env: { KEY: key, TOKEN: 't' } };
  const encryption = 'temporal: {encryption: {key: {id: a, env: KEY}}}\n';
  await writeFile(path.join(folder, 'prospect-sync.yaml'), `${head}${encryption}runs:\n  a: {${run}}\n`);
  for (const [expected, ...args] of [
    ['must be the name of an environment variable', 'conformance', '--base-url', 'http://127.0.0.1:9', '--api-key-env'],
    ['--token-env must be the name of an environment variable', 'codec-server', '--port', '0', '--token-env'],
    ['There is no run named constructor. The configuration has: a.', 'run'],
    ['The ledger has no order "constructor"', 'preview'],
  ] as const) {
    const { code, stderr } = await runCommand([...args, 'constructor'], place);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(expected) });
  }
});

it('readXlsx refuses an unknown entity, and returns cells by their headers', async () => {
  const workbook = new ExcelJS.Workbook();
  workbook.addWorksheet('a &constructor; b').addRows([
    ['constructor', '__proto__'],
    ['c', 'd'],
  ]);
  const file = path.join(folder, 'sheets.xlsx');
  await workbook.xlsx.writeFile(file, { zip: { compression: 'STORE' } } as never);
  const [batch] = await Array.fromAsync(readXlsx(file));
  expect(batch).toMatchObject({ headers: ['constructor', '__proto__'], rows: [{ cells: ['c', 'd'] }] });
  await changePart(file, 'name="a &amp;constructor; b"', 'name="a &constructor; bbbbb"');
  await expect(Array.fromAsync(readXlsx(file))).rejects.toThrow('it is no Excel file (.xlsx), or a damaged one');
});

it('toWrittenValues records properties that every object inherits', () => {
  const properties = { always: { constructor: 'a' }, fillEmpty: {}, onlyIfOurs: { toString: 'b' }, stamp: {} };
  const record = { id: '1', properties: {} };
  const write = { key: 'k', properties, match: { rule: 'key', record, conflictingProperties: [] } } as never;
  const written = (value: string) => ({ value, digest: null, previous: null });
  expect([...toWrittenValues('companies', write, { toString: 'b' })]).toEqual([
    ['constructor', written('a')],
    ['toString', written('b')],
  ]);
});

/** Changes a part of an uncompressed zip file, and its checksum. */
async function changePart(file: string, from: string, to: string): Promise<void> {
  const bytes = await readFile(file, 'latin1');
  const part = bytes.slice(bytes.lastIndexOf('<?xml', bytes.indexOf(from)), bytes.indexOf('</workbook>') + 11);
  const checksum = (text: string) => {
    const written = Buffer.alloc(4);
    written.writeUInt32LE(crc32(Buffer.from(text, 'latin1')));
    return written.toString('latin1');
  };
  const changed = part.replace(from, to);
  await writeFile(file, bytes.split(part).join(changed).split(checksum(part)).join(checksum(changed)), 'latin1');
}

describe('an enrichment whose reasons, columns and properties have such names', () => {
  let temporal: TemporalTestServer;
  let pipeline: Pipeline;
  const renamed = { NO_EMAIL_FOUND: 'constructor', WEBSITE_MOVED: '__proto__', WEBSITE_EMPTY: 'hasOwnProperty' };
  beforeAll(async () => {
    temporal = await startTemporal();
    pipeline = await startPipeline(temporal, {
      throughService: (fetch) => async (request) => {
        const response = await fetch(request);
        let text = await response.text();
        for (const [code, name] of Object.entries(renamed)) text = text.replaceAll(`"${code}"`, `"${name}"`);
        const { status, headers } = response;
        return new Response(status === 204 ? null : text, {
          status,
          headers: new Headers([...headers].filter(([header]) => header !== 'content-length')),
        });
      },
    });
  });
  afterAll(async () => {
    await pipeline?.stop();
    await temporal?.stop();
  });

  it('is counted, written and reconciled', async () => {
    await pipeline.clients.hubspot.properties.ensure('companies', {
      group: { name: 'other', label: 'Other' },
      properties: [
        { name: 'constructor', label: 'Constructor', type: 'string', fieldType: 'text', groupName: 'other' },
      ],
    } as never);
    const csv = path.join(pipeline.folder, 'leads.csv');
    const rows = demoEnrichmentRows(1).map((row) => ({ ...row, hasOwnProperty: 'own cell' }));
    await writeFile(csv, Papa.unparse(rows));
    const field = { from: 'company.city', transform: null, policy: 'always' } as const;
    const mapping = { ...defaultMapping, companies: { ...defaultMapping.companies, constructor: field } };
    const plan = discoveryPlan(pipeline.folder, {
      kind: 'enrichment',
      briefingQuantity: null,
      companies: fileCompanies(csv),
    });
    pipeline.configureMapping(toCrmPlan(mapping, defaultContactPolicy));
    const { handle } = await startRun(pipeline.client, plan, { label: 'names' });
    const { order } = await handle.result();
    expect(order.findings).toEqual([]);
    expect(Object.entries(order.byReason)).toEqual(
      expect.arrayContaining([
        ['constructor', 2],
        ['__proto__', 2],
        ['hasOwnProperty', 2],
      ]),
    );
    const filterGroups = [[{ propertyName: 'constructor', operator: 'HAS_PROPERTY' } as const]];
    const search = { filterGroups, properties: ['constructor', 'city'], signal: new AbortController().signal };
    const found = (await Array.fromAsync(pipeline.clients.hubspot.objects.search('companies', search))).flat();
    expect(found.length).toBeGreaterThan(100);
    expect(found.filter(({ properties }) => Reflect.get(properties, 'constructor') !== properties['city'])).toEqual([]);
  });
});
