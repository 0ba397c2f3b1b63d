import { describeViolation, entryInputSchema, operations, violations } from '../../../src/service/contract/index.ts';

const describeAll = (schema: Parameters<typeof violations>[0], value: unknown) =>
  violations(schema, value).map(describeViolation);

describe('violations', () => {
  it('shows at most 60 characters of a foreign name, without control characters', () => {
    const names = [`\u001B]0;owned\u0007${'x'.repeat(10_000)}`, '__proto__', 'constructor'];
    const entry = Object.fromEntries([['company_name', 'Acme'], ...names.map((name) => [name, 1])]);
    const [long = '', ...others] = describeAll(entryInputSchema, entry);
    expect(long).toMatch(/^\\x1b\]0;owned\\x07x{43}…: no such field, found a value$/);
    expect(others).toEqual(['__proto__', 'constructor'].map((name) => `${name}: no such field, found a value`));
  });

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

  it.each([
    ['a letter of two UTF-16 units', '😀', 1],
    ['a letter that is written with two code points', 'e\u0301', 2],
    ['half a letter', '\ud83d', 1],
    ['a family of five code points', '👨‍👩‍👧', 5],
  ])('counts %s like the rule', (_, letter, codePoints) => {
    const entry = (letters: number) => ({ company_name: 'Acme', city: letter.repeat(letters) });
    const fitting = Math.floor(255 / codePoints);
    expect(describeAll(entryInputSchema, entry(fitting))).toEqual([]);
    expect(describeAll(entryInputSchema, entry(fitting + 1))).toEqual([
      `city: at most 255 characters, found ${(fitting + 1) * codePoints} characters`,
    ]);
  });

  it('accepts only lower-case prefixes of an address', () => {
    const found = (website_url: string) => describeAll(entryInputSchema, { company_name: 'Acme', website_url });
    for (const good of ['http://a.example', 'https://A.example', 'www.a.example']) expect(found(good)).toEqual([]);
    for (const bad of ['HTTP://a.example', 'Https://a.example', 'WWW.a.example']) expect(found(bad)).toHaveLength(1);
  });

  it('accepts any webhook address, which the service checks', () => {
    const order = { order_type: 'DISCOVERY', profile_id: '3f0f4b0e-6f0a-4d8e-9d55-0a1b2c3d4e5f', briefing_quantity: 1 };
    for (const webhook_url of ['http://127.0.0.1:8080/in', 'https://a.example'])
      expect(describeAll(operations.createOrder.body, { ...order, webhook_url })).toEqual([]);
  });

  it('counts the items of a list', () => {
    const entries = Array.from({ length: 10_001 }, () => ({ company_name: 'Acme' }));
    expect(describeAll(operations.addEntries.body, { entries })).toEqual([
      'entries: at most 10,000 items, found 10,001 items',
    ]);
    expect(describeAll(operations.addEntries.body, { entries: [] })).toEqual([
      'entries: at least 1 item, found 0 items',
    ]);
  });

  it('names the row of a nested field, and never its value', () => {
    const [text] = describeAll(operations.addEntries.body, {
      entries: [{ company_name: 'Acme', website_url: 'ftp://secret' }],
    });
    expect(text).toBe('entries[0].website_url: must start with http://, https:// or www., found 12 characters');
  });

  it('rejects a null name when a blacklist is updated, and accepts a null description', () => {
    expect(describeAll(operations.updateBlacklist.body, { name: null })).toEqual(['name: must be string, found null']);
    expect(describeAll(operations.updateBlacklist.body, { description: null })).toEqual([]);
  });

  it('describes an exclusive limit and an invalid address', () => {
    const order = { order_type: 'DISCOVERY', profile_id: '3f0f4b0e-6f0a-4d8e-9d55-0a1b2c3d4e5f' };
    expect(describeAll(operations.createOrder.body, { ...order, briefing_quantity: 0 })).toEqual([
      'briefing_quantity: above 0, found 0',
    ]);
    expect(
      describeAll(operations.createOrder.body, { ...order, briefing_quantity: 1, webhook_url: 'ftp://a.example' }),
    ).toEqual(['webhook_url: must be an http or https address, found 15 characters']);
  });

  it('checks that each kind of order has its own fields', () => {
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
