import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { warnOfEmptyLedger, warnOfReplyProblems } from '../../src/cli/preflight/reply-checks.ts';
import type { Config } from '../../src/config/config.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { createSandboxPortal } from '../helpers/sandbox-portal.ts';

let folder: string;
let ledger: Ledger;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'reply-checks-'));
  ledger = await openLedger({ dataDir: folder });
});
afterAll(async () => {
  await ledger.close();
  await rm(folder, { recursive: true });
});

function read(replies: string): Config {
  const parsed = parseConfig(
    `service: {base_url: https://a.example, api_key: {env: KEY}}\nhubspot: {token: {env: TOKEN}}\nreplies: ${replies}`,
    {
      env: { KEY: 'a', TOKEN: 't', SECRET: `whsec_${Buffer.alloc(32).toString('base64')}` },
      file: '/x/prospect-sync.yaml',
    },
  );
  if (!parsed.ok) throw new Error('the configuration is invalid');
  return parsed.config;
}

describe('a process that receives or writes replies', () => {
  it.each([
    ['{secrets: [{env: SECRET}]}', []],
    ['{classes: {interested: {lead_status: Verbunden}}}', []],
    [
      '{secrets: [{env: SECRET}], classes: {interested: {lead_status: Verbunden}}}',
      [expect.stringMatching(/mapped properties: hs_lead_status .*Verbunden/)],
    ],
  ])('with replies %s says before the first reply what HubSpot would refuse', async (replies, lines) => {
    const { client, ensureProperties } = createSandboxPortal();
    await ensureProperties();
    const said: string[] = [];
    await warnOfReplyProblems(read(replies), { hubspot: client, ledger, log: (line) => void said.push(line) });
    expect(said).toEqual(lines);
  });
});

describe('a receiver whose ledger has no order', () => {
  it.each([
    [[], 1],
    [['order'], 0],
  ])('says that runs with another ledger do not know its refusals: %j', async (ids, lines) => {
    const said: string[] = [];
    const orders = { newestIds: () => Promise.resolve(ids) } as unknown as Ledger['orders'];
    await warnOfEmptyLedger({ ledger: { orders }, log: (line) => void said.push(line) });
    expect(said).toHaveLength(lines);
  });
});
