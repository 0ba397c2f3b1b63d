import { erasedKey, hasErasure, isErased } from '../../../src/base/json/erased-mark.ts';
import {
  redactSlot as redact,
  eraseSlot,
  namesForgotten,
  jsonNamesForgotten,
} from '../../../src/ledger/redaction/redact-slot.ts';
import {
  namesAnyone,
  personIdentifiersIn,
  toIdentifier,
  toIdentifierTest,
  type Identifier,
} from '../../../src/ledger/redaction/identifiers.ts';
import { sampleOf } from '../../helpers/sample.ts';

const testFor = (...identifiers: Identifier[]) => toIdentifierTest(identifiers);
const redactSlot = (slot: Record<string, unknown>, test: ReturnType<typeof testFor>) =>
  redact(slot, test, { keepExternalId: true });
const jane = { kind: 'email', value: 'jane@acme.de' } as const;

const person = {
  first_name: 'Jane',
  last_name: 'Doe',
  email: 'Jane@Acme.de',
  linkedin_url: 'https://de.linkedin.com/in/Jane-Doe/?x=1',
};
const other = { full_name: 'Max Roe', email: 'max@acme.de' };
const slot = (company: object) => ({ input_position: 3, status: 'ENRICHED', reason_codes: ['A'], company });

describe('toIdentifier', () => {
  it.each([
    [' Jane@ACME.de ', jane],
    ['https://www.acme.de/about', { kind: 'domain', value: 'acme.de' }],
    ['gmail.com', null],
    ['linkedin.com', null],
    ['no words', null],
    ['@acme.de', null],
    ['a@b@acme.de', null],
    ['<Jane@acme.de>', jane],
    ['mailto:jane@acme.de?subject=x', jane],
    ['jane@acme.de;bob@acme.de', null],
    ['jane@acme.de;beta.de', null],
    ['beta.de, jane@acme.de', null],
    ['acme.de;beta.de', null],
    ['acme.de beta.de', null],
  ])('reads %j as %j', (text, expected) => {
    expect(toIdentifier(text)).toEqual(expected);
  });
});

describe('personIdentifiersIn', () => {
  it('finds addresses and profiles in a text, but no pages of companies', () => {
    const text =
      'Write to <Jane@Acme.de>, or mailto:max@acme.de; https://www.linkedin.com/in/jane-doe, linkedin.com/company/acme';
    expect(personIdentifiersIn(text).map(({ value }) => value)).toEqual(['jane@acme.de', 'max@acme.de', 'in/jane-doe']);
  });
});

describe('namesAnyone', () => {
  const acme = { kind: 'domain', value: 'acme.de' } as const;
  const texts = [
    'jane@acme.de',
    'Write to Jane@Acme.de.',
    'jane@acme.de: hello',
    'jane@acme.de!',
    '"jane@acme.de"',
    '„jane@acme.de“',
    "'jane@acme.de'",
    '*jane@acme.de*',
    '**jane@acme.de**',
    '_jane@acme.de_',
    '`jane@acme.de`',
    '[Jane](mailto:jane@acme.de)',
    '<a href="mailto:jane@acme.de?subject=x">Jane</a>',
    'https://x.example/?email=jane@acme.de&x=1',
    'https://x.example/?email=jane%40acme.de',
    'jane%2540acme%2Ede',
    'jane&#64;acme.de',
    'jane&#x40;acme&#46;de',
    'jane&amp;#64;acme.de',
    'jane&commat;acme.de',
    String.raw`jane\u0040acme.de`,
    'ja\u200bne@ac\u00adme.de',
    'jane\uff20acme.de',
    'jane@acme\u3002de',
    'jane@<wbr>acme.de',
    'jane@acme.de.Please call',
    'Schreiben Sie\u2026jane@acme.de',
    '\u30e1\u30fc\u30eb\u306fjane@acme.de\u307e\u3067',
    '\u{1f449}jane@acme.de',
    '"jane"@acme.de',
  ];
  it.each(texts)('finds the address in %j', (text) => {
    expect(namesAnyone(text, testFor(jane))).toBe(true);
    // Which letters belong to the address is not known in a text without spaces.
    const mostLikely = /\p{Script=Katakana}/u.test(text) ? [text] : ['jane@acme.de'];
    expect(personIdentifiersIn(text).map(({ value }) => value)).toEqual(mostLikely);
  });

  it.each([
    ...texts,
    'See acme.de.',
    '(https://www.acme.de/about)',
    '*shop.acme.de*',
    'acme&#46;de',
    'ac\u200bme.de, and others',
    'https://x.example/?url=https%3A%2F%2Facme.de%2F',
    'See acme.de.Please call',
    '\u8a73\u7d30\u306facme.de\u3092',
  ])('finds the domain in %j', (text) => {
    expect(namesAnyone(text, testFor(acme))).toBe(true);
  });

  it.each([
    'mary-jane@acme.de',
    'first_jane@acme.de',
    'mary.jane@acme.de',
    'x+jane@acme.de',
    'jane@acme.dev',
    'jane@acme.de.com',
    'jane@shop.acme.de',
    'jane at acme.de',
    'acme.de/jane',
  ])('does not take %j for the address', (text) => {
    expect(namesAnyone(text, testFor(jane))).toBe(false);
  });

  it.each(['acme.dev', 'myacme.de', 'acme.de.com', 'my-acme.de', 'acme,de'])(
    'does not take %j for the domain',
    (text) => {
      expect(namesAnyone(text, testFor(acme))).toBe(false);
    },
  );

  it('takes both spellings of an international domain for the same', () => {
    const ascii = { kind: 'email', value: 'jane@xn--mnchen-3ya.de' } as const;
    expect(namesAnyone('to jane@m\u00fcnchen.de.', testFor(ascii))).toBe(true);
    expect(namesAnyone('to Jane@MU\u0308NCHEN.de.', testFor(ascii))).toBe(true);
    expect(namesAnyone('jane@xn--mnchen-3ya.de', testFor({ kind: 'email', value: 'jane@m\u00fcnchen.de' }))).toBe(true);
  });

  const parts = [
    '@',
    '*',
    '.',
    'a.',
    'a@',
    'a@a.',
    '%40',
    '&#64;',
    '\u200b',
    '\u0300',
    '"@',
    'linkedin.com/',
    '\ud83d',
    '_*',
  ];
  it.each(sampleOf(parts, 3))('reads a megabyte of %j in linear time', (part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    const startedAt = process.cpuUsage();
    namesAnyone(text, testFor(jane));
    const { user } = process.cpuUsage(startedAt);
    expect(user / 1e6).toBeLessThan(20);
  });
});

describe('namesForgotten', () => {
  it('finds an address in the name of a field, and at any depth', () => {
    expect(namesForgotten({ people: { 'jane@acme.de': 1 } }, testFor(jane))).toBe(true);
    let deep: unknown = 'jane@acme.de';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(namesForgotten(deep, testFor(jane))).toBe(true);
  });

  it('searches JSON beyond its limits, and text that is no JSON, as a whole', () => {
    const brackets = '['.repeat(4_000);
    expect(jsonNamesForgotten(`${brackets}"jane\\u0040acme.de"${']'.repeat(4_000)}`, testFor(jane))).toBe(true);
    expect(jsonNamesForgotten(`${brackets}jane@acme.de`, testFor(jane))).toBe(true);
    expect(jsonNamesForgotten(brackets, testFor(jane))).toBe(false);
  });
});

describe('redactSlot', () => {
  it.each([
    ['a list in the company', { prospects: [other, person] }],
    ['a list in a record of the company', { contacts: { items: [other, person] } }],
    [
      'nested records of a person',
      {
        people: [
          other,
          {
            name: { first_name: 'Jane', last_name: 'Doe' },
            emails: [{ value: person.email }],
            links: [person.linkedin_url],
          },
        ],
      },
    ],
    ['a single record', { name: 'Max Roe GmbH', contact: person }],
  ])('erases a person in %s, and keeps the others', (_, company) => {
    const redacted = redactSlot(slot({ domain: 'acme.de', ...company, about: 'Led by Jane Doe.' }), testFor(jane));
    const json = JSON.stringify(redacted?.slot);
    expect(json).not.toMatch(/jane|doe/i);
    expect(json).toContain('Max Roe');
    expect(hasErasure(redacted?.slot)).toBe(true);
    expect(redacted?.identifiers).toEqual(
      expect.arrayContaining([
        jane,
        { kind: 'linkedin', value: 'in/jane-doe' },
        { kind: 'name', value: 'jane doe@acme.de' },
      ]),
    );
  });

  it('keeps the number of people, whose outcomes name an index', () => {
    const { slot: redacted } = redactSlot(slot({ prospects: [other, person, other] }), testFor(jane)) ?? {};
    const { company } = redacted as { company: { prospects: unknown[] } };
    expect(company.prospects.map(isErased)).toEqual([false, true, false]);
  });

  it('recognises the person without an address by the profile, and by the name in the company', () => {
    const byProfile = slot({ prospects: [{ linkedin_url: 'http://linkedin.com/in/jane-doe' }] });
    const byName = slot({ website_url: 'https://www.acme.de', prospects: [{ full_name: 'JANE  Doe' }] });
    expect(redactSlot(byProfile, testFor({ kind: 'linkedin', value: 'in/jane-doe' }))).not.toBeNull();
    expect(redactSlot(byName, testFor({ kind: 'name', value: 'jane doe@acme.de' }))).not.toBeNull();
    expect(redactSlot(byName, testFor({ kind: 'name', value: 'jane doe@other.de' }))).toBeNull();
  });

  it('erases an address of the company itself, and nothing else of it', () => {
    const { slot: redacted } = redactSlot(slot({ name: 'Acme', email: 'jane@acme.de' }), testFor(jane)) ?? {};
    expect(redacted).toEqual({ ...slot({ name: 'Acme', email: null }), [erasedKey]: false });
    expect([isErased(redacted), hasErasure(redacted)]).toEqual([false, true]);
    expect(redactSlot(redacted ?? {}, testFor(jane))).toBeNull();
  });

  it('erases a company with all its people by its domain, subdomains included', () => {
    const company = { name: 'Acme', domain: 'shop.acme.de', prospects: [person, other] };
    const redacted = redactSlot(slot(company), testFor({ kind: 'domain', value: 'acme.de' }));
    expect(JSON.stringify(redacted?.slot)).not.toMatch(/jane|acme|roe/i);
    expect(redacted?.slot).toMatchObject({ input_position: 3, status: 'ENRICHED', reason_codes: ['A'] });
    expect(redacted?.identifiers).toContainEqual({ kind: 'email', value: 'max@acme.de' });
  });

  it('erases people with an address at a forgotten domain from other companies', () => {
    const redacted = redactSlot(
      slot({ domain: 'other.de', prospects: [person] }),
      testFor({ kind: 'domain', value: 'acme.de' }),
    );
    expect(redacted?.slot).toMatchObject({ company: { domain: 'other.de' } });
    expect(JSON.stringify(redacted?.slot)).not.toMatch(/jane/i);
  });

  it('removes the name of a field that is an address, and an external id', () => {
    const published = {
      ...slot({ domain: 'other.de', notes: { ok: 1, 'jane@acme.de': 'x' } }),
      external_id: 'Jane@acme.de',
    };
    const { slot: redacted } = redactSlot(published, testFor(jane)) ?? {};
    expect(JSON.stringify(redacted)).not.toMatch(/jane/i);
    expect(redacted).toMatchObject({ external_id: null });
  });

  it('erases a text that mentions a forgotten domain, and keeps the rest of the other company', () => {
    const company = {
      name: 'Other',
      domain: 'other.de',
      about: 'A part of *acme.de*.',
      prospects: [{ email: 'a@other.de' }],
    };
    const { slot: redacted } = redactSlot(slot(company), testFor({ kind: 'domain', value: 'acme.de' })) ?? {};
    expect(redacted).toEqual({ ...slot({ ...company, about: null }), [erasedKey]: false });
  });

  it('leaves a slot without forgotten people unchanged', () => {
    expect(redactSlot(slot({ domain: 'acme.de', prospects: [other] }), testFor(jane))).toBeNull();
  });
});

describe('eraseSlot', () => {
  it('keeps position, status, codes and the number of people only', () => {
    const published = {
      ...slot({ name: 'Acme', prospects: [person, other] }),
      external_id: '7',
      reasons: [{ message: 'Jane' }],
    };
    const erased = eraseSlot(published, { keepExternalId: false });
    expect(JSON.stringify(erased)).not.toMatch(/jane|acme|roe|"7"/i);
    expect(eraseSlot(published, { keepExternalId: true })).toMatchObject({ external_id: '7' });
    expect((erased as { company: { prospects: unknown[] } }).company.prospects).toHaveLength(2);
  });
});
