import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { generatePrivateKey } from '../../src/proof/certificate/signature.ts';
import { defaultReplyPolicy } from '../../src/config/reply-policy.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import { configJsonSchema, configSchemaFile, configTemplate, uncommentSettings } from '../../src/config/file-schema.ts';

const key = Buffer.alloc(32).toString('base64');
const keys = { ENCRYPTION_KEY: key, OLD_ENCRYPTION_KEY: key, CERTIFICATE_KEY: generatePrivateKey() };
const webhooks = { REPLIES_SECRET: `whsec_${key}`, RECEIVER_KEY: 'open-sesame' };
const CONSOLE_PASSWORD = `scrypt:32768:8:3:${'a'.repeat(22)}:${'b'.repeat(43)}`;
const env = {
  CONSOLE_PASSWORD,
  PROSPECTING_API_KEY: 'k',
  HUBSPOT_TOKEN: 't',
  DATABASE_URL: 'postgres://db/x',
  ...keys,
  ...webhooks,
};

/** Every setting of the schema, at any depth. */
function settings(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return [...propertiesOf(schema).map(([key]) => key), ...Object.values(schema).flatMap(settings)];
}

/** Settings by name. A schema with a type is a setting, even if its name is `properties`. */
function propertiesOf(schema: object): [string, { description?: string }][] {
  const { properties = {} } = schema as { properties?: Record<string, { description?: string }> };
  return typeof (properties as { type?: unknown }).type === 'string' ? [] : Object.entries(properties);
}

describe('configTemplate', () => {
  it('is a valid configuration once the variables are set', () => {
    expect(parseConfig(configTemplate(), { env, file: '/x/prospect-sync.yaml' })).toMatchObject({
      ok: true,
      config: { runs: { 'dach-discovery': { briefingQuantity: 300 }, 'crm-enrichment': { kind: 'enrichment' } } },
    });
  });

  it('reports only the variables that are not set', () => {
    const parsed = parseConfig(configTemplate(), { env: {}, file: '/x/prospect-sync.yaml' });
    expect(parsed).toMatchObject({
      ok: false,
      problems: [{ field: 'service.api_key.env' }, { field: 'hubspot.token.env' }],
    });
  });

  it('documents every setting', () => {
    const names = settings(configJsonSchema()).filter((name) => name !== 'env');
    expect(names.length).toBeGreaterThan(40);
    expect(names.filter((name) => !new RegExp(`^[# ]*${name}:`, 'm').test(configTemplate()))).toEqual([]);
  });

  it('shows valid values in its comments', () => {
    // Of settings that exclude each other, the first one is taken out.
    const text = uncommentSettings(configTemplate())
      .replace(/^ {4}companies:[^]*?\n( +)csv: /m, '    companies:\n$1csv: ')
      .replace(/^ +profile_id:.*\n/m, '')
      .replace(/^ +proxy_user_header:.*\n/m, '');
    const parsed = parseConfig(text, { env, file: '/x/prospect-sync.yaml' });
    expect(parsed).toMatchObject({
      ok: true,
      config: {
        service: { timeoutMilliseconds: 30_000 },
        mapping: {
          companies: { numberofemployees: { from: 'company.employee_count', policy: 'always' } },
          contacts: { prospect_score: { transform: 'integer', policy: 'only-if-ours' } },
        },
        contacts: { deliveryQualities: { only: ['client_deliverable'], except: ['risky_internal_catchall'] } },
        exclusions: { customers: { reasons: { csv: 'Existing customer', open_deals: 'Open deal' } } },
        replies: { secrets: [{}], key: { header: 'X-Receiver-Key' }, policy: defaultReplyPolicy },
        orderStatus: { secrets: [{ file: '/x/order-status-secret' }] },
        console: { signIn: { publicUrl: { host: 'console.example.com' }, userHeader: null }, personalData: 'masked' },
        runs: { 'crm-enrichment': { companies: { from: 'csv', externalIds: 'record_id' } } },
      },
    });
  });

  it('starts with the line for editors', () => {
    expect(configTemplate().split('\n')[0]).toBe(`# yaml-language-server: $schema=${configSchemaFile}`);
  });
});

describe('configJsonSchema', () => {
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(configJsonSchema());

  it('accepts the template', () => {
    expect(validate(parse(configTemplate())) ? [] : validate.errors).toEqual([]);
  });

  it('rejects what parseConfig rejects by its form', () => {
    const file = parse(configTemplate()) as { service: Record<string, unknown> };
    file.service['api_key'] = 'literal';
    expect(validate(file)).toBe(false);
  });

  it('describes every setting', () => {
    const bare: string[] = [];
    const visit = (schema: unknown, path: string) => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [key, child] of Object.entries(schema)) visit(child, `${path}/${key}`);
      for (const [key, { description }] of propertiesOf(schema))
        if (key !== 'env' && !description) bare.push(`${path}/${key}`);
    };
    visit(configJsonSchema(), '');
    expect(bare).toEqual([]);
    expect(JSON.stringify(configJsonSchema())).not.toContain('x-assumed');
  });
});
