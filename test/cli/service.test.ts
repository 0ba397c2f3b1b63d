import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { forgetService, learnService, showService, toServiceText } from '../../src/cli/service-shape.ts';
import { createTerminal } from '../../src/cli/terminal.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { resultsOperation, serviceScope } from '../../src/ledger/shape-store.ts';
import { detectShape } from '../../src/service/reading/detect-shape.ts';
import { nothingCounted, noFieldSettings } from '../../src/service/reading/shape.ts';

const env = { KEY: 'sk_secret', TOKEN: 'pat_secret' };
const baseUrl = 'https://service.example';
const text = `# Written by hand.
service:
  base_url: ${baseUrl}     # ours
  api_key: {env: KEY}
  requests: {profile_reference: search_profile_id, company_row: {city: null}}
hubspot: {token: {env: TOKEN}}
`;

const slot = (position: number, company: object) => ({
  input_position: position,
  status: 'ENRICHED',
  reason_codes: ['POLICY_ELIGIBLE'],
  reasons: [],
  company,
  delivered_at: '2026-11-20T12:00:00Z',
});
const company = (name: string) => ({
  legalName: `${name} GmbH`,
  web: { homepage: `https://www.${name.toLowerCase()}.example` },
  crew: [{ fullName: 'Anna Geheim', emailAddress: `anna.geheim@${name.toLowerCase()}.example` }],
});
const slots = ['Acme', 'Borealis', 'Cobalt'].map((name, position) => slot(position, company(name)));

let folder: string;
const terminal = createTerminal({
  env,
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
});
const options = () => ({
  config: path.join(folder, 'prospect-sync.yaml'),
  dataDir: path.join(folder, 'data'),
  json: false,
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-service-'));
  await writeFile(options().config, text);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function savePage(page: unknown): Promise<string> {
  const file = path.join(folder, 'page.json');
  await writeFile(file, typeof page === 'string' ? page : JSON.stringify(page));
  return file;
}

describe('learnService', () => {
  it('shows each field with its path and its evidence, and no value', async () => {
    const file = await savePage({ total: 3, has_more: false, records: slots });
    const shown = toServiceText(await learnService(terminal, options(), [file], { write: false }));
    expect(shown).toMatch(/company\.name +legalName {2}\(by name, 3 of 3: "Xxxx XxxX"\)/);
    expect(shown).toMatch(/company\.prospects +company\.crew {2}\(by value, 3 of 3: a list\)/);
    expect(shown).toMatch(/company\.website_url +web\.homepage /);
    expect(shown).toMatch(/prospect\.email +emailAddress /);
    expect(shown).toContain('Not in the results: company.source_id');
    expect(shown).toContain('service.requests.profile_reference: search_profile_id');
    expect(shown).not.toMatch(/Geheim|Acme|borealis/i);
    expect(await readFile(options().config, 'utf8')).toBe(text);
  });

  it('writes the paths to the configuration, which keeps its comments and stays valid', async () => {
    const file = await savePage({ total: 3, has_more: false, records: slots });
    const { written } = await learnService(terminal, options(), [file], { write: true });
    expect(written).toContain('service.fields.company.prospects: crew');
    const after = await readFile(options().config, 'utf8');
    expect(after).toMatch(/^# Written by hand\.$/m);
    expect(after).toContain('# ours');
    const parsed = parseConfig(after, { env, file: options().config });
    expect(parsed).toMatchObject({
      ok: true,
      config: {
        service: { fields: { company: { name: 'legalName', prospects: 'crew' }, prospect: { email: 'emailAddress' } } },
      },
    });
    expect(
      parsed.ok && detectShape({ slots, settings: parsed.config.service.fields, previous: null }).company.name,
    ).toEqual({
      path: 'legalName',
      by: 'setting',
    });
  });

  const nested = '['.repeat(9_000) + ']'.repeat(9_000);
  it.each([
    ['is not there', null, 'cannot be read: there is no such file (ENOENT)'],
    ['is not JSON', '<html>', 'is not JSON. Save the response of GET /api/v1/orders/{order_id}/results'],
    [
      'is nested too deep',
      `{"items":[{"company":${nested}}]}`,
      'is not a page of results: it is JSON of more than 100 levels, 250,000 values or 8 MB in one text',
    ],
    ['is no page of results', { companies: [{ id: 1 }] }, 'is not a page of results: no array of slots was found'],
    ['holds no company', { total: 0, items: [] }, 'contain no slot with a company'],
  ])('rejects a file that %s', async (_, page, problem) => {
    const file = page === null ? path.join(folder, 'missing.json') : await savePage(page);
    await expect(learnService(terminal, options(), [file], { write: true })).rejects.toThrow(problem);
    expect(await readFile(options().config, 'utf8')).toBe(text);
  });
});

describe('showService', () => {
  it('reports that nothing is learned yet', async () => {
    await (await openLedger({ dataDir: options().dataDir })).close();
    expect(toServiceText(await showService(terminal, options()))).toContain('Nothing was learned yet');
  });

  it('shows what was learned about the service until it is reset', async () => {
    const ledger = await openLedger({ dataDir: options().dataDir });
    const scope = serviceScope(baseUrl);
    const shape = detectShape({ slots, settings: noFieldSettings, previous: null });
    const learntAt = '2026-11-22T10:00:00.000Z';
    const json = JSON.stringify({ shape, counts: nothingCounted, unusable: {}, unread: {} });
    await ledger.shapes.save({ scope, operation: resultsOperation, json, learntAt });
    await ledger.shapes.save({ scope, operation: 'createOrder', json: '{"order_id":"data.id"}', learntAt });
    await ledger.close();
    const shown = toServiceText(await showService(terminal, options()));
    expect(shown).toContain(`${baseUrl}, learned ${learntAt}`);
    expect(shown).toMatch(/company\.name +legalName {2}\(by name\)/);
    expect(shown).toMatch(/createOrder\.order_id +data\.id/);
    await expect(forgetService(terminal, { ...options(), yes: false })).rejects.toThrow(
      /^Forgetting the field names that were learned from http\S+ was not confirmed: nothing was changed/,
    );
    expect(await forgetService(terminal, { ...options(), yes: true })).toBe(2);
    expect((await showService(terminal, options())).learntAt).toBeNull();
  });
});
