/** Which rows of an enrichment were ordered before, by whatever run. */
import type { Ledger } from '../../ledger/ledger.ts';
import type { PlacedOrder } from '../../ledger/placed-orders.ts';
import { judgeCountry } from '../../base/countries/judge-country.ts';
import { comparableName, type CompanyRow } from '../../service/contract/index.ts';
import { ownDomain, ownerOf } from '../../service/contract/website-domain.ts';
import { comparableNameOrPlace, withoutLegalForm } from '../sources/name-problem.ts';

/** An order, and how many of the rows it had that no order before it in the list had. */
export interface BoughtRows {
  readonly order: PlacedOrder;
  readonly rows: number;
}

/** Rows of earlier orders that are compared at most: then the comparison ends, after about ten seconds. */
const comparedRows = 1_000_000;

/** A row belongs to the first of the orders that had its company, whatever its id and its spelling. */
export async function findBoughtRows(
  { drafts }: Pick<Ledger, 'drafts'>,
  rows: readonly CompanyRow[],
  orders: readonly PlacedOrder[],
): Promise<BoughtRows[]> {
  const left = createCompanyMatcher(rows);
  const bought: BoughtRows[] = [];
  let compared = 0;
  for (const order of orders) {
    if (left.isEmpty() || compared >= comparedRows) break;
    if (order.draftId === null) continue;
    let found = 0;
    for await (const page of drafts.stream(order.draftId)) {
      compared += page.length;
      for (const row of page) if (row !== null) found += left.take(row);
    }
    if (found > 0) bought.push({ order, rows: found });
  }
  return bought;
}

interface ComparableCompany {
  readonly domain: string | null;
  /** The registered domain of that domain. */
  readonly owner: string | null;
  readonly name: string;
  /** Empty where the row has none, as the following two. */
  readonly city: string;
  readonly country: string;
  readonly externalId: string;
}

interface Group {
  readonly company: ComparableCompany;
  rows: number;
}

export function createCompanyMatcher(rows: readonly CompanyRow[]) {
  const groups = new Map<string, Group>();
  /** Keys that rows of one company may share; a key of a row without a city is found by those with one, and the reverse. */
  const byKey = new Map<string, Set<Group>>();
  for (const row of rows) {
    const company = toComparableCompany(row);
    const text = JSON.stringify(company);
    const group = groups.get(text) ?? { company, rows: 0 };
    group.rows += 1;
    if (groups.has(text)) continue;
    groups.set(text, group);
    for (const key of storedKeys(company)) byKey.set(key, (byKey.get(key) ?? new Set()).add(group));
  }
  return {
    isEmpty: () => groups.size === 0,

    /** Removes the rows of a company. @returns how many they were */
    take(row: CompanyRow): number {
      const company = toComparableCompany(row);
      let taken = 0;
      for (const key of soughtKeys(company)) {
        for (const group of byKey.get(key) ?? []) {
          if (!isSameCompany(company, group.company)) continue;
          taken += group.rows;
          groups.delete(JSON.stringify(group.company));
          for (const stored of storedKeys(group.company)) byKey.get(stored)?.delete(group);
        }
      }
      return taken;
    },
  };
}

function toComparableCompany(row: CompanyRow): ComparableCompany {
  const { company_name: name, website_url: website, city, country, external_id: externalId } = row;
  const domain = ownDomain(website);
  return {
    domain,
    owner: domain === null ? null : ownerOf(domain),
    name: withoutLegalForm(name),
    city: comparableNameOrPlace(city ?? ''),
    country: country ? toComparableCountry(country) : '',
    externalId: externalId ?? '',
  };
}

function toComparableCountry(text: string): string {
  const judged = judgeCountry(text);
  return ('name' in judged ? judged.name : null) ?? comparableName(text);
}

/**
 * One name at one registered domain is one company, however its city is written. Otherwise companies of one domain are branches if their
 * cities differ, and those of one name are others if their domains, cities or countries differ. An external id counts only beside an equal
 * domain or name, because files number their rows.
 */
function isSameCompany(a: ComparableCompany, b: ComparableCompany): boolean {
  const isSameDomain = a.domain !== null && a.domain === b.domain;
  if (a.name === b.name && a.owner !== null && a.owner === b.owner) return true;
  if (a.externalId !== '' && a.externalId === b.externalId && (isSameDomain || a.name === b.name)) return true;
  if (!agree(a.city, b.city)) return false;
  return a.domain !== null && b.domain !== null ? isSameDomain : a.name === b.name && agree(a.country, b.country);
}

function agree(a: string, b: string): boolean {
  return a === '' || b === '' || a === b;
}

function storedKeys(company: ComparableCompany): string[] {
  const { domain, name, city } = company;
  const places = city === '' ? [''] : [city, '*'];
  const kinds = [['name', name], domain === null ? ['name without domain', name] : ['domain', domain]];
  return [...places.flatMap((place) => kinds.map((kind) => toKey(...kind, place))), ...placelessKeys(company)];
}

function soughtKeys(company: ComparableCompany): string[] {
  const { domain, name, city } = company;
  const places = city === '' ? ['', '*'] : [city, ''];
  const nameKey = [domain === null ? 'name' : 'name without domain', name];
  const kinds = domain === null ? [nameKey] : [['domain', domain], nameKey];
  return [...places.flatMap((place) => kinds.map((kind) => toKey(...kind, place))), ...placelessKeys(company)];
}

function placelessKeys({ owner, name, externalId }: ComparableCompany): string[] {
  return [
    ...(owner === null ? [] : [toKey('name and owner', name, owner)]),
    ...(externalId === '' ? [] : [toKey('id', externalId)]),
  ];
}

function toKey(...parts: readonly string[]): string {
  return parts.join('\n');
}
