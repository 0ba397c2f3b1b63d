import * as fc from 'fast-check';
import { createRedactor } from '../../../src/service/reading/redact-text.ts';

const mask = createRedactor(null);
const uuid = '7c1e0a4f-52b8-4c1d-9a77-3f2b6d8e1a90';

describe('createRedactor', () => {
  it('masks every text that was sent, at any depth', () => {
    const sent = { title: 'herbst', companies: [{ name: 'geheimwerk gmbh', address: { city: 'stillort' } }] };
    expect(createRedactor(sent)('no geheimwerk gmbh in stillort for herbst')).toBe('no … in … for …');
  });

  it('masks the longest values first', () => {
    expect(createRedactor(['nordwind', 'nordwind solar'])('nordwind solar is unknown')).toBe('… is unknown');
  });

  it('masks the API key', () => {
    expect(createRedactor(null, 'key-1')('the key key-1 is revoked')).toBe('the key … is revoked');
  });

  it.each([
    ['an email address', 'no mailbox anna.schmidt@nordwind.example here', 'no mailbox … here'],
    ['an email address in brackets', 'unknown <anna@nordwind.example>', 'unknown <…>'],
    ['a web address', 'see https://nordwind.example/a?b=c for more', 'see … for more'],
    ['a token', 'token cbk_live_0123456789abcdefghij is old', 'token … is old'],
    ['a telephone number', 'call +49 30 1234567 now', 'call … now'],
    ['a name', 'the contact Anna Schmidt is blocked', 'the contact … is blocked'],
    ['a name at the start', 'Anna Schmidt is blocked', '… is blocked'],
    ['a name after a colon', 'blocked: Anna Schmidt', 'blocked: …'],
    ['a name with umlauts', 'blocked is Özlem Müller-Lüdenscheidt', 'blocked is …'],
  ])('masks %s that was not sent', (_, text, expected) => {
    expect(mask(text)).toEqual(expected);
  });

  it.each([
    'Field required',
    "Input should be 'DISCOVERY' or 'COMPANY_ENRICHMENT'",
    'the API key lacks orders:write',
    'profile_id must be a UUID',
    'searchProfileId is required',
    'companies[0].company_name is missing',
    'briefing_quantity must be between 1 and 1000',
    `no order ${uuid}`,
    'Unknown field. Use profile_id.',
  ])('keeps %j', (text) => {
    expect(mask(text)).toBe(text);
  });

  it('keeps enum values, ids and short texts that were sent', () => {
    const sent = { order_type: 'DISCOVERY', features: ['COMPANY_DATA'], profile_id: uuid, country: 'DE' };
    const text = `DISCOVERY with COMPANY_DATA for ${uuid} in DE`;
    expect(createRedactor(sent)(text)).toBe(text);
  });

  it('joins the lines of a text, and shortens it to 300 characters', () => {
    expect(mask('  a\n  b\tc ')).toBe('a b c');
    expect(mask('word '.repeat(200))).toHaveLength(300);
  });

  it('shows nothing that was sent', () => {
    const value = fc.stringMatching(/^[a-zäöü]{4,12}( [a-zäöü]{4,12})?$/);
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (values) => {
        const masked = createRedactor({ rows: values })(values.map((sent) => `1 ${sent} 2`).join(' 3 '));
        for (const sent of values) expect(masked).not.toContain(sent);
      }),
    );
  });
});

describe('createRedactor for other spellings of values', () => {
  const sent = {
    order_type: 'DISCOVERY',
    companies: [
      { company_name: 'BASF', website_url: 'https://www.geheimwerk.example' },
      { company_name: 'Geheimwerk GmbH' },
    ],
    ideal_customer_profile: `Maschinenbau\n in Bayern, ${'und so weiter '.repeat(80)}`,
  };

  it.each([
    ['a name in capitals', 'BASF is blocked'],
    ['the host of a website', 'geheimwerk.example has no page'],
    ['another case', 'geheimwerk gmbh is blocked'],
    ['other blanks', `maschinenbau in bayern, ${'und so weiter '.repeat(80)}is too long`],
    ['a quoted name', "value 'Geheimwerk' is blocked"],
  ])('hides %s', (_, text) => {
    expect(createRedactor(sent)(text)).not.toMatch(/basf|geheimwerk|bayern|weiter/i);
  });

  it.each([
    "Input should be 'DISCOVERY' or 'COMPANY_ENRICHMENT'",
    'order 9e107d9d-3728-4321-8123-1f2e3d4c5b6a: Not Found',
    'the Idempotency-Key header is required',
    'available_briefing_quantity is unknown',
    'Das Feld suchprofil ist ein Pflichtfeld',
    'unbekanntes Feld',
    'Die Anfrage ist ungültig.',
  ])('keeps %s', (text) => {
    expect(createRedactor(sent)(text)).toBe(text);
  });
});
