/** The evidence file of an order: every returned company beside the blacklist entry that matches it. */
import { domainOf } from '../contract/index.ts';
import { writeCsv } from '../spreadsheet/csv-writer.ts';
import type { Column, Row } from '../spreadsheet/table.ts';
import type { Leak } from './leak-check.ts';

const leakColumns: readonly Column[] = [
  { key: 'position', header: 'Position', kind: 'number' },
  { key: 'verdict', header: 'Verdict', kind: 'text' },
  { key: 'tier', header: 'Matched by', kind: 'text' },
  { key: 'companyName', header: 'Returned company', kind: 'text' },
  { key: 'companyDomain', header: 'Returned domain', kind: 'text' },
  { key: 'companyCity', header: 'Returned city', kind: 'text' },
  { key: 'companySourceId', header: 'Returned source id', kind: 'text' },
  { key: 'entryId', header: 'Entry id', kind: 'text' },
  { key: 'entryName', header: 'Entry company', kind: 'text' },
  { key: 'entryDomain', header: 'Entry domain', kind: 'text' },
  { key: 'entryCity', header: 'Entry city', kind: 'text' },
  { key: 'entryExternalId', header: 'Entry external id', kind: 'text' },
  { key: 'entryCreatedAt', header: 'Entry created at', kind: 'text' },
  { key: 'orderedAt', header: 'Ordered at', kind: 'text' },
];

/** `orderedAt`: ISO 8601. @returns rows, bytes and SHA-256 of the file */
export function writeLeakEvidence(path: string, leaks: readonly Leak[], orderedAt: string, signal: AbortSignal) {
  const rows = (async function* () {
    yield leaks.map((leak) => toLeakRow(leak, orderedAt));
  })();
  return writeCsv({ path, columns: leakColumns, rows, signal });
}

function toLeakRow({ position, company, verdict, tier, entry }: Leak, orderedAt: string): Row {
  return {
    position,
    verdict,
    tier,
    companyName: company.name,
    companyDomain: domainOf(company.website_url) ?? company.domain,
    companyCity: company.city,
    companySourceId: company.source_id,
    entryId: entry.id,
    entryName: entry.company_name,
    entryDomain: domainOf(entry.website_url),
    entryCity: entry.city,
    entryExternalId: entry.external_id,
    entryCreatedAt: entry.created_at,
    orderedAt,
  };
}
