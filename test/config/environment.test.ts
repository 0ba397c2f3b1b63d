import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseConfig, parseTemporalConfig } from '../../src/config/load-config.ts';
import { toSecret } from '../../src/config/environment.ts';
import { runCommand } from '../helpers/run-command.ts';
import { serveFetch } from '../helpers/serve-fetch.ts';

const key = Buffer.alloc(32).toString('base64');
const env = { PROSPECTING_API_KEY: 'a', HUBSPOT_TOKEN: 'b', AWS_SECRET_ACCESS_KEY: 'stolen', ENCRYPTION_KEY: key };
const file = (apiKey: string) => `service: {base_url: https://api.example.com, api_key: {env: ${apiKey}}}
hubspot: {token: {env: HUBSPOT_TOKEN}}
temporal: {encryption: {key: {id: a, env: ENCRYPTION_KEY}}}
`;

function problemsOf(apiKey: string, allowed: string | undefined) {
  const parsed = parseConfig(file(apiKey), {
    env: { ...env, PROSPECT_SYNC_ENV_ALLOWED: allowed },
    file: '/x/prospect-sync.yaml',
  });
  return parsed.ok ? [] : parsed.problems.map(({ field, rule, remedy }) => `${field}: ${rule}. ${remedy}`);
}

describe('PROSPECT_SYNC_ENV_ALLOWED', () => {
  it.each([undefined, '', ' , '])('lets the file use every variable when it is %j', (allowed) => {
    expect(problemsOf('AWS_SECRET_ACCESS_KEY', allowed)).toEqual([]);
  });

  it.each(['PROSPECTING_API_KEY,HUBSPOT_TOKEN,ENCRYPTION_KEY', ' PROSPECTING_* , HUBSPOT_TOKEN, ENCRYPTION_*'])(
    'rejects a variable that it does not list: %j',
    (allowed) => {
      expect(problemsOf('PROSPECTING_API_KEY', allowed)).toEqual([]);
      const [problem, ...others] = problemsOf('AWS_SECRET_ACCESS_KEY', allowed);
      expect(others).toEqual([]);
      const names = allowed.split(',').map((name) => name.trim());
      expect(problem).toBe(
        `service.api_key.env: environment variable AWS_SECRET_ACCESS_KEY is not allowed here. PROSPECT_SYNC_ENV_ALLOWED of this process allows ${names.join(', ')}`,
      );
      // The message does not reveal whether it is set.
      expect(problemsOf('AWS_NOT_SET', allowed)).toEqual([problem?.replace('SECRET_ACCESS_KEY', 'NOT_SET')]);
    },
  );

  it.each(['PROSPECTING_API_KEY;HUBSPOT_TOKEN', 'PROSPECTING_API_KEY HUBSPOT_TOKEN, ENCRYPTION_*'])(
    'says that commas separate its names: %s',
    (allowed) => {
      expect(problemsOf('PROSPECTING_API_KEY', allowed)[0]).toBe(
        `service.api_key.env: environment variable PROSPECTING_API_KEY is not allowed here. PROSPECT_SYNC_ENV_ALLOWED of this process allows ${allowed}. Commas separate its names: A,B`,
      );
    },
  );

  it('applies to encryption keys, and whenever a value is read', () => {
    const restricted = { ...env, PROSPECT_SYNC_ENV_ALLOWED: 'HUBSPOT_TOKEN' };
    const parsed = parseTemporalConfig(file('PROSPECTING_API_KEY'), { env: restricted });
    expect(parsed.ok ? [] : parsed.problems.map(({ field }) => field)).toEqual(['temporal.encryption.key.env']);
    expect(() => toSecret({ env: 'AWS_SECRET_ACCESS_KEY' }, restricted)).toThrow('is not in PROSPECT_SYNC_ENV_ALLOWED');
    expect(toSecret({ env: 'HUBSPOT_TOKEN' }, restricted).reveal()).toBe('b');
  });

  it('protects a variable from an address in a manipulated file', async () => {
    const received: (string | null)[] = [];
    const attacker = await serveFetch(async (request) => {
      received.push(request.headers.get('authorization'));
      return new Response('{}');
    });
    const folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-env-'));
    const text = file('AWS_SECRET_ACCESS_KEY')
      .replace('https://api.example.com', attacker.url)
      .replace('hubspot: {', `hubspot: {base_url: ${attacker.url}, `);
    await writeFile(path.join(folder, 'prospect-sync.yaml'), text);
    const allowed = 'PROSPECTING_*,HUBSPOT_TOKEN,ENCRYPTION_KEY';
    const place = { cwd: folder, env: { ...env, PROSPECT_SYNC_ENV_ALLOWED: allowed } };
    const { code, stderr } = await runCommand(['doctor'], place);
    attacker.close();
    await rm(folder, { recursive: true });
    expect({ code, received }).toEqual({ code: 2, received: [] });
    expect(stderr).toContain('environment variable AWS_SECRET_ACCESS_KEY is not allowed here');
    expect(stderr).not.toContain('stolen');
  });
});

describe('the value of a variable', () => {
  it.each(['"a-key"', "'a-key'", '"a key"'])('is refused with quotes around it, and not printed: %s', (value) => {
    const parsed = parseConfig(file('QUOTED'), { env: { ...env, QUOTED: value }, file: '/x/prospect-sync.yaml' });
    expect(parsed.ok ? [] : parsed.problems).toEqual([
      expect.objectContaining({
        field: 'service.api_key.env',
        rule: 'environment variable QUOTED begins and ends with a quote',
        found: null,
        remedy: 'Remove the quotes from the value, which is not shown here',
      }),
    ]);
  });

  it('is refused as the key of the service when it is a token of HubSpot, before anything is sent', () => {
    const token = 'pat-eu1-4711';
    const parsed = parseConfig(file('TOKEN'), { env: { ...env, TOKEN: token }, file: '/x/prospect-sync.yaml' });
    expect(parsed.ok ? [] : parsed.problems).toEqual([
      expect.objectContaining({
        field: 'service.api_key.env',
        rule: 'environment variable TOKEN begins with pat- like a token of HubSpot, which must not be sent to the service: it and hubspot.token may be exchanged',
        found: null,
        remedy: 'Its value is not shown here',
      }),
    ]);
  });

  it.each([
    [
      'hubspot',
      ['HUBSPOT_TOKEN'],
      'hubspot.token',
      'service.api_key: the secret of the service would be used for HubSpot too',
    ],
    [
      'a webhook',
      ['KEY_OF_SENDER'],
      'order_status.key.value',
      'service.api_key: the secret of the service would be used for the webhooks too',
    ],
  ])('is refused where two systems would get the same secret, and not printed: %s', (_, names, field, rule) => {
    const values = Object.fromEntries(['PROSPECTING_API_KEY', ...names].map((name) => [name, 'one-4711']));
    const webhooks = `order_status: {secrets: [{env: SIGNING}], key: {header: X-Key, value: {env: KEY_OF_SENDER}}}`;
    const all = { ...env, SIGNING: `whsec_${key}`, KEY_OF_SENDER: 'c', ...values };
    const parsed = parseConfig(`${file('PROSPECTING_API_KEY')}\n${webhooks}`, {
      env: all,
      file: '/x/prospect-sync.yaml',
    });
    const problems = parsed.ok ? [] : parsed.problems;
    expect(problems).toEqual([
      expect.objectContaining({
        field: `${field}.env`,
        rule: `has the same value as ${rule}`,
        found: null,
        remedy: 'Set one of the two variables to its own secret; the value is not shown here',
      }),
    ]);
    expect(JSON.stringify(problems)).not.toContain('one-4711');
  });
});
