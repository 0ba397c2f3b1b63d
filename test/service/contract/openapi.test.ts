import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { assumptions, entryInputSchema, operations } from '../../../src/service/contract/index.ts';
import { toOpenApi } from '../../../tools/service-openapi.ts';

const document = JSON.stringify(toOpenApi());

describe('toOpenApi', () => {
  it('equals openapi.json', () => {
    expect(JSON.parse(readFileSync('openapi.json', 'utf8'))).toEqual(JSON.parse(document));
  });

  it('resolves every reference', () => {
    const { components } = JSON.parse(document) as { components: { schemas: object } };
    const names = [...document.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]);
    expect(names.length).toBeGreaterThan(40);
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(names));
  });

  it('contains the limits of the specification', () => {
    const { components } = toOpenApi() as { components: { schemas: Record<string, { properties: object }> } };
    const { schemas } = components;
    expect(schemas['BlacklistEntryInput']).toMatchObject({
      required: ['company_name'],
      properties: { company_name: { minLength: 1, maxLength: 500 } },
    });
    expect(schemas['AddEntriesRequest']).toMatchObject({ properties: { entries: { minItems: 1, maxItems: 10_000 } } });
    expect(schemas['RemoveEntriesRequest']).toMatchObject({
      properties: { entry_ids: { minItems: 1, maxItems: 1_000 } },
    });
    expect(schemas['AssignBlacklistsRequest']).toMatchObject({ properties: { blacklist_ids: { maxItems: 100 } } });
  });

  const createValidator = (name: string) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const { components } = JSON.parse(document) as object & { components: unknown };
    ajv.addSchema({ $id: 'contract', components });
    return ajv.compile({ $ref: `contract#/components/schemas/${name}` });
  };
  const id = '3f0f4b0e-6f0a-4d8e-9d55-0a1b2c3d4e5f';
  const discovery = { order_type: 'DISCOVERY', profile_id: id, briefing_quantity: 3 };
  const enrichment = { order_type: 'ENRICHMENT', profile_id: id, companies: [{ company_name: 'Acme' }] };

  it.each([
    ['CreateOutputRequest', operations.createOutput.body, { output_type: 'csv' }, true],
    ['CreateOutputRequest', operations.createOutput.body, { output_type: 'google_sheets' }, false],
    ['CreateOutputRequest', operations.createOutput.body, { output_type: 'google_sheets', spreadsheet_id: 's' }, true],
    ['CreateOrderRequest', operations.createOrder.body, { ...discovery, blacklist_ids: [id] }, true],
    ['CreateOrderRequest', operations.createOrder.body, { ...discovery, briefing_quantity: undefined }, false],
    ['CreateOrderRequest', operations.createOrder.body, { ...discovery, companies: enrichment.companies }, false],
    ['CreateOrderRequest', operations.createOrder.body, enrichment, true],
    ['CreateOrderRequest', operations.createOrder.body, { ...enrichment, companies: undefined }, false],
    ['CreateOrderRequest', operations.createOrder.body, { ...enrichment, briefing_quantity: 1 }, false],
    ['CreateOrderRequest', operations.createOrder.body, { ...enrichment, blacklist_ids: [id] }, false],
    ['BlacklistEntryInput', entryInputSchema, { company_name: 'Acme', website_url: 'http://a.example' }, true],
    ['BlacklistEntryInput', entryInputSchema, { company_name: 'Acme', website_url: 'HTTP://a.example' }, false],
  ])('publishes for %s the rules of its schema (%#)', (name, schema, value, isFine) => {
    const sent: unknown = JSON.parse(JSON.stringify(value));
    expect([createValidator(name)(sent), schema.safeParse(sent).success]).toEqual([isFine, isFine]);
  });

  it('marks only documented assumptions', () => {
    const marked = [...document.matchAll(/"x-assumed(?:-null)?":"(\w+)"/g)].map((match) => match[1]);
    expect(marked.length).toBeGreaterThan(20);
    expect(Object.keys(assumptions)).toEqual(expect.arrayContaining(marked));
  });
});
