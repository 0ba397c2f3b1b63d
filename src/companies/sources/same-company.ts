/** Decides whether two rows are of one company, within a source and between orders. */
import { judgeCountry } from '../../base/countries/judge-country.ts';
import { withoutMarks } from '../../base/text/normalize-text.ts';
import { comparableName, type CompanyRow } from '../../service/contract/index.ts';
import { ownDomain, ownerOf } from '../../service/contract/website-domain.ts';
import { toCityKey } from './city-key.ts';
import { withoutLegalForm, withShortLegalForm } from './legal-form.ts';

export interface ComparableCompany {
  readonly domain: string | null;
  /** The registered domain of that domain. */
  readonly owner: string | null;
  /** Without its legal form. */
  readonly name: string;
  readonly fullName: string;
  /** Empty where the row has none, as the following two. */
  readonly city: string;
  readonly country: string;
  readonly externalId: string;
}

export function toComparableCompany(row: CompanyRow): ComparableCompany {
  const { company_name: name, website_url: website, city, country, external_id: externalId } = row;
  const domain = ownDomain(website);
  return {
    domain,
    owner: domain === null ? null : ownerOf(domain),
    name: toPlainName(name),
    fullName: withoutSpelling(withShortLegalForm(name)),
    city: toCityKey(city ?? ''),
    country: country ? toComparableCountry(country) : '',
    externalId: externalId ?? '',
  };
}

/** Without its legal form. `mueller stahl` of `Müller-Stahl GmbH` */
export function toPlainName(name: string): string {
  return withoutSpelling(withoutLegalForm(name));
}

/** `mueller soehne` of `müller-söhne`, `müller & söhne` and `müller und söhne` */
function withoutSpelling(name: string): string {
  const plain = withoutMarks(name.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue'));
  const words = plain.replaceAll(/['’`´]/g, '').split(/[^\p{L}\p{N}\p{Sc}#@%*]+/u);
  return words.filter((word) => word !== '' && !connectives.has(word)).join(' ') || name;
}

const connectives: ReadonlySet<string> = new Set(['und', 'and', 'et', 'u']);

function toComparableCountry(text: string): string {
  const judged = judgeCountry(text);
  return ('name' in judged ? judged.name : null) ?? comparableName(text);
}

/**
 * One name at one registered domain is one company, however its city is written. Otherwise companies of one domain are branches if their
 * cities differ, and those of one name are others if their domains, cities or countries differ. An external id counts only beside an equal
 * domain or name, because files number their rows.
 */
export function isSameCompany(a: ComparableCompany, b: ComparableCompany): boolean {
  const isSameDomain = a.domain !== null && a.domain === b.domain;
  if (a.name === b.name && a.owner !== null && a.owner === b.owner) return true;
  if (a.externalId !== '' && a.externalId === b.externalId && (isSameDomain || a.name === b.name)) return true;
  if (!agree(a.city, b.city)) return false;
  return a.domain !== null && b.domain !== null ? isSameDomain : a.name === b.name && agree(a.country, b.country);
}

function agree(a: string, b: string): boolean {
  return a === '' || b === '' || a === b;
}

/** Two rows with an equal key are certainly of one company: neither lacks a value that could differ. */
export function certainKeys({ domain, owner, name, fullName, city, country }: ComparableCompany): string[] {
  return domain === null || owner === null
    ? [toKey('name and place', fullName, city, country)]
    : [toKey('name and owner', name, owner), toKey('domain and city', domain, city)];
}

/** Keys of a row by which `soughtKeys` of another row of its company find it, also where one of them has no city. */
export function storedKeys(company: ComparableCompany): string[] {
  const { domain, name, city } = company;
  const places = city === '' ? [''] : [city, '*'];
  const kinds = [['name', name], domain === null ? ['name without domain', name] : ['domain', domain]];
  return [...places.flatMap((place) => kinds.map((kind) => toKey(...kind, place))), ...placelessKeys(company)];
}

export function soughtKeys(company: ComparableCompany): string[] {
  const { domain, name, city } = company;
  const places = city === '' ? ['', '*'] : [city, ''];
  const nameKey = [domain === null ? 'name' : 'name without domain', name];
  const kinds = domain === null ? [nameKey] : [['domain', domain], nameKey];
  return [...placelessKeys(company), ...places.flatMap((place) => kinds.map((kind) => toKey(...kind, place)))];
}

function placelessKeys({ domain, owner, name, externalId }: ComparableCompany): string[] {
  return [
    ...(owner === null ? [] : [toKey('name and owner', name, owner)]),
    ...(externalId === '' ? [] : [toKey('id and name', externalId, name)]),
    ...(externalId === '' || domain === null ? [] : [toKey('id and domain', externalId, domain)]),
  ];
}

function toKey(...parts: readonly string[]): string {
  return parts.join('\n');
}
