/**
 * The fictional companies of the sandbox and the demo. A company is a function of seed and index, so a million
 * of them cost no memory. Domains, email addresses and telephone numbers are reserved ones, so nothing is ever sent to a real person.
 */
import { domainOf, type Company, type Prospect } from '../../src/service/contract/index.ts';
import { hashAt, hashText, pick, uuidAt, uuidOf } from '../deterministic-values.ts';
import { prospectsOf } from './prospect-generator.ts';
import { countries, industries, nameFields, nameHeads, nameTails, streets, type Country } from './word-lists.ts';

/** Salts of `hashAt`; ids use the low ones. */
const salt = { offset: 100, traits: 101, place: 102, contact: 103 } as const;

/** The fields that blacklist matching and paging need; cheaper to compute than the whole company. */
export interface CompanyOutline {
  readonly name: string;
  readonly domain: string;
  readonly website_url: string;
  readonly city: string;
  readonly country: Country;
  readonly source_id: string;
}

/** Fictional companies always have a name and prospects. */
export type GeneratedCompany = Company & { readonly name: string; readonly prospects: Prospect[] };

/** Index is 0 to 2^32 - 1. Country and industry follow from the index alone (see candidate-companies.ts). */
export function companyAt(seed: number, index: number): GeneratedCompany {
  const { country, ...outline } = outlineAt(seed, index);
  return describeCompany({ ...outline, seed, index, country: country.name, idOf: (kind) => uuidAt(seed, index, kind) });
}

export function outlineAt(seed: number, index: number): CompanyOutline {
  const country = pick(countries, index);
  // Multiplying by an odd number is one-to-one modulo 2^17: names repeat only after 131,072 companies.
  const name = (Math.imul(index, 0x9e37_79b1) + hashAt(seed, 0, salt.offset)) & 0x1_ffff;
  const stem = pick(nameHeads, name) + pick(nameTails, name >>> 6);
  const number = String(index).padStart(5, '0');
  const domain = `${stem.toLowerCase()}-${number}.example`;
  return {
    name: `${stem} ${pick(nameFields, name >>> 12)} ${country.legalForm}`,
    domain,
    website_url: `https://www.${domain}`,
    city: pick(country.cities, hashAt(seed, index, salt.place)),
    country,
    source_id: `register-${country.code.toLowerCase()}-${number}`,
  };
}

export interface SubmittedRow {
  readonly company_name: string;
  readonly website_url?: string | null | undefined;
  readonly city?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly external_id?: string | null | undefined;
}

/** The company of a submitted row: the generated company with that domain, or a new one from the row. */
export function resolveRow(seed: number, row: SubmittedRow): GeneratedCompany {
  const domain = domainOf(row.website_url) ?? generateDomain(row);
  const known = indexOfDomain(seed, domain);
  const index = known ?? hashText(domain);
  const outline = outlineAt(seed, index);
  return describeCompany({
    seed,
    index,
    domain,
    // Two companies from rows can share an index, but never an id.
    idOf: (kind) => (known === null ? uuidOf(seed, domain, kind) : uuidAt(seed, index, kind)),
    source_id: row.external_id ?? null,
    name: row.company_name,
    website_url: row.website_url ?? `https://${domain}`,
    city: row.city ?? outline.city,
    country: row.country ?? outline.country.name,
  });
}

/** The index of the generated company that has this domain; null for every other domain. */
export function indexOfDomain(seed: number, domain: string): number | null {
  const digits = /^[a-z]+-(\d{5,10})\.example$/.exec(domain)?.[1];
  if (digits === undefined) return null;
  const index = Number(digits);
  return index < 2 ** 32 && outlineAt(seed, index).domain === domain ? index : null;
}

function generateDomain(row: SubmittedRow): string {
  const slug = row.company_name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
  return `${slug || 'company'}-${hashText(`${row.company_name}\n${row.city ?? ''}`).toString(36)}.example`;
}

interface Identity extends Omit<CompanyOutline, 'country' | 'source_id'> {
  readonly seed: number;
  readonly index: number;
  readonly source_id: string | null;
  readonly country: string;
  /** Kind 0 is the company; 1 and up are its people. */
  readonly idOf: (kind: number) => string;
}

function describeCompany(identity: Identity): GeneratedCompany {
  const { seed, index, idOf, ...known } = identity;
  const traits = hashAt(seed, index, salt.traits);
  const contact = hashAt(seed, index, salt.contact);
  const industry = industryAt(index);
  const country = countries.find(({ name }) => name === known.country) ?? countries[0];
  const mailDomain = reservedDomain(known.domain);
  return {
    id: idOf(0),
    source_id: known.source_id,
    name: known.name,
    website_url: known.website_url,
    domain: known.domain,
    description: `${known.name} works in ${industry.toLowerCase()} and is based in ${known.city}.`,
    industry,
    employee_count: 5 + (traits % 900),
    founded_year: 1920 + ((traits >>> 10) % 105),
    phone: traits % 5 === 0 ? null : `${country.dial} 555 01${String(contact % 100).padStart(2, '0')}`,
    email: traits % 7 === 0 ? null : `info@${mailDomain}`,
    street: `${pick(streets, contact)} ${1 + ((contact >>> 7) % 120)}`,
    postal_code: String(10_000 + (contact % 89_999)),
    city: known.city,
    country: known.country,
    linkedin_url: `https://www.linkedin.example/company/${known.domain.replaceAll('.', '-')}`,
    fit_score: 50 + (hashAt(seed, index, salt.place) % 51),
    prospects: prospectsOf({ seed, index, mailDomain, idOf }),
  };
}

function industryAt(index: number): string {
  return pick(industries, Math.floor(index / countries.length));
}

/** Generated addresses must reach no one (RFC 2606, RFC 6761), so a real domain is put below `.example`. */
function reservedDomain(domain: string): string {
  return /(?:^|\.)(?:example|test|invalid|example\.(?:com|net|org))$/.test(domain) ? domain : `${domain}.example`;
}
