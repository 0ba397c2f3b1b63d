/** Compares the slots of an enrichment order with the rows that were submitted. */
import { comparableName, domainOf, type Company, type CompanyRow, type Slot } from './index.ts';

export type RowMismatch = 'external_id_differs' | 'company_differs_from_row';

/**
 * The slot must have the external id of its row, and a company whose domain or name is the one of the row. A company that the service
 * renamed, or whose website moved, still has the other of both. null: they agree, or there is nothing to compare.
 */
export function findRowMismatch(
  { status, external_id: externalId, company }: Slot,
  row: CompanyRow,
): RowMismatch | null {
  if ((externalId ?? null) !== (row.external_id ?? null)) return 'external_id_differs';
  // A duplicate has the company of an earlier row.
  if (company === null || status === 'DUPLICATE') return null;
  const sourceId = company.source_id ?? null;
  if (sourceId !== null && row.external_id != null && sourceId !== row.external_id) return 'external_id_differs';
  return isSameCompany(company, row) ? null : 'company_differs_from_row';
}

function isSameCompany(company: Company, row: CompanyRow): boolean {
  return isSameAs(company, { domain: row.website_url ?? null, name: row.company_name });
}

/** Two companies with the same domain or name, or with nothing to compare. */
export function isSameAs(company: Company, other: Pick<Company, 'domain' | 'website_url' | 'name'>): boolean {
  const domainsOf = ({ domain, website_url: website }: typeof other) =>
    [domainOf(domain), domainOf(website)].filter((each) => each !== null);
  const [domains, others] = [domainsOf(company), domainsOf(other)];
  const name = comparableName(company.name ?? '');
  const comparesDomain = domains.length > 0 && others.length > 0;
  if (!comparesDomain && name === '') return true;
  return (
    (comparesDomain && domains.some((domain) => others.some((each) => isSameSite(domain, each)))) ||
    (name !== '' && isSameName(name, comparableName(other.name ?? '')))
  );
}

/** Also a subdomain of the other: `shop.acme.example` and `acme.example`. */
export function isSameSite(a: string, b: string): boolean {
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}

/** Of comparable names. Also when one has further words, such as a legal form: `acme` and `acme gmbh`. */
export function isSameName(a: string, b: string): boolean {
  const [shorter = [], longer = []] = [a, b].map(toWords).toSorted((x, y) => x.length - y.length);
  return shorter.length > 0 && shorter.every((word) => longer.includes(word));
}

function toWords(name: string): string[] {
  return name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
