import { hasErasure, isErased } from '../../src/json/erased-mark.ts';
import { redactSlot, eraseSlot } from '../../src/redaction/redact-slot.ts';
import { personIdentifiersIn, toIdentifier, type Identifier } from '../../src/redaction/identifiers.ts';

const testFor = (...identifiers: Identifier[]) => {
  const texts = new Set(identifiers.map(({ kind, value }) => `${kind} ${value}`));
  return ({ kind, value }: Identifier) => texts.has(`${kind} ${value}`);
};
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
    expect(redacted).toEqual(slot({ name: 'Acme', email: null }));
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
