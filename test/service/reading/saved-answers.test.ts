/** Answers of two independent services that follow the specification (test/fixtures/other-services). */
import { readFileSync } from 'node:fs';
import { detectShape } from '../../../src/service/reading/detect-shape.ts';
import { isProblem, readResultsPage } from '../../../src/service/reading/read-answers.ts';
import { createSlotReader } from '../../../src/service/reading/read-slot.ts';
import { noFieldSettings } from '../../../src/service/reading/shape.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- the files have any shape
type Any = any;

/** The path of each value in a service's answers, read from its files by hand. */
interface Wording {
  readonly slots: (answer: Any) => Any[];
  readonly people: (company: Any) => Any[];
  readonly companyName: (company: Any) => string[];
  readonly site: (company: Any) => string;
  readonly email: (person: Any) => string | undefined;
  readonly first?: (person: Any) => string;
  readonly last?: (person: Any) => string;
  readonly full?: (person: Any) => string;
}

const wordings: Record<string, Wording> = {
  'python-default': {
    slots: (answer) => answer.results,
    people: (company) => company.prospects,
    companyName: (company) => [company.name],
    site: (company) => company.domain,
    email: (person) => person.email,
    first: (person) => person.first_name,
    last: (person) => person.last_name,
  },
  'python-nested': {
    slots: (answer) => answer.data.results,
    people: (company) => company.decision_makers,
    companyName: (company) => [company.name.display, company.name.legal],
    site: (company) => company.domain,
    email: (person) => person.contact.email,
    first: (person) => person.name.first,
    last: (person) => person.name.last,
  },
  'python-lists': {
    slots: (answer) => answer.slots,
    people: (company) => company.contacts,
    companyName: (company) => [company.legal_name],
    site: (company) => company.domain,
    email: (person) => person.emails[0].address,
    full: (person) => person.full_name,
  },
  'python-flat': {
    slots: (answer) => answer.page.companies,
    people: (company) => company.people,
    companyName: (company) => [company.company_name],
    site: (company) => company.url,
    email: (person) => person.email_address,
    full: (person) => person.name,
  },
  'python-sparse': {
    slots: (answer) => answer.data,
    people: (company) => company.persons,
    companyName: (company) => [company.name],
    site: (company) => company.website_url,
    email: (person) => person.email?.address,
    first: (person) => person.first_name,
    last: (person) => person.last_name,
    full: (person) => person.full_name,
  },
  'go-a': {
    slots: (answer) => answer.records,
    people: (company) => company.decisionMakers,
    companyName: (company) => [company.displayName, company.legalName],
    site: (company) => company.primaryDomain,
    email: (person) => person.contact.emailAddress,
    first: (person) => person.givenName,
    last: (person) => person.familyName,
  },
  'go-b': {
    slots: (answer) => answer.data,
    people: (company) => company.relationships.people.data,
    companyName: ({ attributes }) => [attributes.trading_name, attributes.registered_name],
    site: (company) => company.attributes.web.host,
    email: (person) => person.attributes.channels.find(({ kind }: Any) => kind === 'EMAIL').value,
    first: (person) => person.attributes.name.first,
    last: (person) => person.attributes.name.last,
  },
  'go-c': {
    slots: (answer) => answer.zeilen,
    people: (company) => company.ansprechpartner,
    companyName: (company) => [company.firma],
    site: (company) => company.webseite,
    email: (person) => person.mail,
    full: (person) => person.name,
  },
};

type Person = readonly [email: string, first: string, last: string, full: string];

const albrecht: Person = [
  'sabine.meyerlandrut@albrecht-packaging.example',
  'Sabine',
  'Meyer-Landrut',
  'Sabine Meyer-Landrut',
];
const nordwind: Person = ['thomas.becker@nordwind-solar.example', 'Thomas', 'Becker', 'Thomas Becker'];
const brennholm: Person = ['svenja.brandt@brennholm-anlagenbau.example', 'Svenja', 'Brandt', 'Svenja Brandt'];
const ostermann: Person = ['henrik.ostermann@nordwind-solar.example', 'Henrik', 'Ostermann', 'Henrik Ostermann'];

/** People and email addresses of all slots, DUPLICATE ones included; site, name and first contact of the first company. */
const files: readonly (readonly [name: string, people: number, emails: number, string, string, Person])[] = [
  ['python-default-discovery', 6, 6, 'albrecht-packaging.example', 'Albrecht Packaging GmbH & Co. KG', albrecht],
  ['python-default-enrichment', 5, 5, 'nordwind-solar.example', 'Nordwind Solar GmbH', nordwind],
  ['python-nested-discovery', 6, 6, 'albrecht-packaging.example', 'Albrecht Packaging', albrecht],
  ['python-nested-enrichment', 5, 5, 'nordwind-solar.example', 'Nordwind Solar', nordwind],
  ['python-lists-discovery', 6, 6, 'albrecht-packaging.example', 'Albrecht Packaging GmbH & Co. KG', albrecht],
  ['python-lists-enrichment', 5, 5, 'nordwind-solar.example', 'Nordwind Solar GmbH', nordwind],
  [
    'python-flat-discovery',
    6,
    6,
    'https://www.albrecht-packaging.example',
    'Albrecht Packaging GmbH & Co. KG',
    albrecht,
  ],
  ['python-flat-enrichment', 8, 8, 'https://www.nordwind-solar.example', 'Nordwind Solar GmbH', nordwind],
  [
    'python-sparse-discovery',
    6,
    5,
    'https://www.albrecht-packaging.example',
    'Albrecht Packaging GmbH & Co. KG',
    albrecht,
  ],
  ['python-sparse-enrichment', 5, 4, 'https://www.nordwind-solar.example', 'Nordwind Solar GmbH', nordwind],
  ['go-a-discovery', 6, 6, 'brennholm-anlagenbau.example', 'Brennholm Anlagenbau GmbH', brennholm],
  ['go-a-enrichment', 6, 6, 'nordwind-solar.example', 'Nordwind Solar GmbH', ostermann],
  ['go-b-discovery', 6, 6, 'brennholm-anlagenbau.example', 'Brennholm Anlagenbau GmbH', brennholm],
  ['go-b-enrichment', 4, 4, 'nordwind-solar.example', 'Nordwind Solar GmbH', ostermann],
  ['go-c-discovery', 6, 6, 'www.brennholm-anlagenbau.example', 'Brennholm Anlagenbau GmbH', brennholm],
  ['go-c-enrichment', 4, 4, 'www.nordwind-solar.example', 'Nordwind Solar GmbH', ostermann],
];

const load = (name: string): Any =>
  JSON.parse(readFileSync(new URL(`../../fixtures/other-services/${name}.json`, `file://${__filename}`), 'utf8'));

function wordingOf(name: string): Wording {
  const wording = wordings[name.replace(/-(?:discovery|enrichment)$/, '')];
  if (wording === undefined) throw new Error(`no wording of ${name}`);
  return wording;
}

function read(name: string) {
  const page = readResultsPage(load(name), null);
  if (isProblem(page)) throw new Error(page.problem);
  const shape = detectShape({
    slots: page.slots.filter(({ company }) => company),
    settings: noFieldSettings,
    previous: null,
  });
  const readSlot = createSlotReader(shape);
  const slots: Any[] = page.slots.map((slot) => readSlot(slot));
  const companies: Any[] = slots.flatMap(({ company }) => company ?? []);
  const enriched: Any[] = slots.flatMap(({ status, company }) => (status === 'ENRICHED' ? company : []));
  return { page, shape, slots, companies, enriched };
}

describe.each(files)('%s', (name, peopleCount, emailCount, firstSite, firstName, person) => {
  const isEnrichment = name.endsWith('enrichment');

  it('contains the slots, the summary and the end of the page', () => {
    const { page } = read(name);
    expect(page.slots).toEqual(wordingOf(name).slots(load(name)));
    expect(page).toMatchObject(
      isEnrichment
        ? { total: 4, hasMore: false, summary: { requested_count: 4, fully_enriched_count: 2, annotated_count: 2 } }
        : { total: 3, hasMore: false, summary: { requested_count: 3, fully_enriched_count: 3, annotated_count: 0 } },
    );
  });

  it('contains statuses, positions, ids and times', () => {
    const discovered = (position: number) => ({
      input_position: position,
      status: 'ENRICHED',
      external_id: null,
      duplicate_of_input_position: null,
    });
    const submitted = (position: number, status: string, duplicateOf: number | null = null) => ({
      input_position: position,
      status,
      external_id: `r-${position + 1}`,
      duplicate_of_input_position: duplicateOf,
    });
    const { slots } = read(name);
    expect(slots).toMatchObject(
      isEnrichment
        ? [submitted(0, 'ENRICHED'), submitted(1, 'UNRESOLVED'), submitted(2, 'ENRICHED'), submitted(3, 'DUPLICATE', 0)]
        : [discovered(0), discovered(1), discovered(2)],
    );
    for (const slot of slots) expect(slot.delivered_at).toMatch(/^2026-11-22T14:59:[\d.]+Z$/);
  });

  it('contains the first company and its first contact', () => {
    const [company] = read(name).companies;
    expect([company.domain, company.website_url]).toContain(firstSite);
    const [email, first, last, full] = person;
    expect(company.prospects[0]).toMatchObject({ email, first_name: first, last_name: last, full_name: full });
  });

  it('contains a domain or a website for every enriched slot', () => {
    const { site } = wordingOf(name);
    const { enriched } = read(name);
    expect(enriched).toHaveLength(isEnrichment ? 2 : 3);
    for (const { domain, website_url: website, raw } of enriched) expect([domain, website]).toContain(site(raw));
  });

  it('contains all contacts', () => {
    const { people, email, first, last, full } = wordingOf(name);
    const { companies } = read(name);
    const prospects: Any[] = companies.flatMap((company) => company.prospects);
    expect(prospects).toHaveLength(peopleCount);
    expect(prospects.filter((prospect) => prospect.email !== null)).toHaveLength(emailCount);
    for (const company of companies) {
      const readPeople = people(company.raw).map((person) => ({
        raw: person,
        email: email(person) ?? null,
        full_name: full?.(person) ?? `${first?.(person)} ${last?.(person)}`,
        ...(first && last ? { first_name: first(person), last_name: last(person) } : {}),
      }));
      expect(company.prospects).toMatchObject(readPeople);
    }
  });

  it('has the same shape when it is detected again', () => {
    const { page, shape } = read(name);
    expect(detectShape({ slots: page.slots, settings: noFieldSettings, previous: shape })).toEqual(shape);
  });

  it('contains the company names', () => {
    const { companyName } = wordingOf(name);
    const { enriched } = read(name);
    expect(enriched[0].name).toBe(firstName);
    for (const company of enriched) expect(companyName(company.raw)).toContain(company.name);
  });
});
