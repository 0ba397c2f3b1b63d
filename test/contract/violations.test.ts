import { describeViolation, entryInputSchema, operations, violations } from '../../src/contract/index.ts';

const describeAll = (schema: Parameters<typeof violations>[0], value: unknown) =>
  violations(schema, value).map(describeViolation);

describe('violations', () => {
  it.each([
    ['company_name', 500],
    ['website_url', 2_048],
    ['city', 255],
    ['country', 255],
    ['external_id', 255],
    ['reason', 2_000],
  ])('names %s, its limit and the size found', (field, limit) => {
    const text = (length: number) => (field === 'website_url' ? 'www.'.padEnd(length, 'x') : 'x'.repeat(length));
    const entry = (length: number) => ({ company_name: 'Acme', [field]: text(length) });
    expect(describeAll(entryInputSchema, entry(limit))).toEqual([]);
    expect(describeAll(entryInputSchema, entry(limit + 1))).toEqual([
      `${field}: at most ${limit.toLocaleString('en')} characters, found ${(limit + 1).toLocaleString('en')} characters`,
    ]);
  });

  it('counts items of a list', () => {
    const entries = Array.from({ length: 10_001 }, () => ({ company_name: 'Acme' }));
    expect(describeAll(operations.addEntries.body, { entries })).toEqual([
      'entries: at most 10,000 items, found 10,001 items',
    ]);
    expect(describeAll(operations.addEntries.body, { entries: [] })).toEqual([
      'entries: at least 1 item, found 0 items',
    ]);
  });

  it('names the row of a nested field and never its value', () => {
    const [text] = describeAll(operations.addEntries.body, {
      entries: [{ company_name: 'Acme', website_url: 'ftp://secret' }],
    });
    expect(text).toBe('entries[0].website_url: must start with http://, https:// or www., found 12 characters');
  });

  it('refuses a null name in a change of a blacklist, and lets a null description pass', () => {
    expect(describeAll(operations.updateBlacklist.body, { name: null })).toEqual(['name: must be string, found null']);
    expect(describeAll(operations.updateBlacklist.body, { description: null })).toEqual([]);
  });

  it('words a bound that is not itself allowed, and an address that is none', () => {
    const order = { order_type: 'DISCOVERY', profile_id: '3f0f4b0e-6f0a-4d8e-9d55-0a1b2c3d4e5f' };
    expect(describeAll(operations.createOrder.body, { ...order, briefing_quantity: 0 })).toEqual([
      'briefing_quantity: above 0, found 0',
    ]);
    expect(
      describeAll(operations.createOrder.body, { ...order, briefing_quantity: 1, webhook_url: 'http://a.example' }),
    ).toEqual(['webhook_url: must be a public https address, found 16 characters']);
  });

  it('holds each kind of order to its own fields', () => {
    const profile_id = '3f0f4b0e-6f0a-4d8e-9d55-0a1b2c3d4e5f';
    expect(describeAll(operations.createOrder.body, { order_type: 'DISCOVERY', profile_id })).toEqual([
      'briefing_quantity: is required for a discovery order, found nothing',
    ]);
    expect(
      describeAll(operations.createOrder.body, {
        order_type: 'ENRICHMENT',
        profile_id,
        briefing_quantity: 3,
        companies: [{ company_name: 'A' }],
      }),
    ).toEqual(['briefing_quantity: is derived from companies in an enrichment order, found 3']);
  });
});
