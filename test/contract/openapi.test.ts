import { readFileSync } from 'node:fs';
import { assumptions } from '../../src/contract/index.ts';
import { toOpenApi } from '../../src/contract/openapi.ts';

const document = JSON.stringify(toOpenApi());

describe('toOpenApi', () => {
  it('is what openapi.json holds', () => {
    expect(JSON.parse(readFileSync('openapi.json', 'utf8'))).toEqual(JSON.parse(document));
  });

  it('resolves every reference', () => {
    const { components } = JSON.parse(document) as { components: { schemas: object } };
    const names = [...document.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]);
    expect(names.length).toBeGreaterThan(40);
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(names));
  });

  it('carries the limits of the specification', () => {
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

  it('marks only assumptions that are listed', () => {
    const marked = [...document.matchAll(/"x-assumed":"(\w+)"/g)].map((match) => match[1]);
    expect(marked.length).toBeGreaterThan(20);
    expect(Object.keys(assumptions)).toEqual(expect.arrayContaining(marked));
  });
});
