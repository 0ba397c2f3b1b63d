/** The result of an enrichment order: every submitted row in order. A row that fails is annotated, never left out. */
import {
  comparableName,
  domainOf,
  reasonCodes,
  type CompanyRow,
  type ReasonCodeName,
  type ResultSummary,
} from '../../src/service/contract/index.ts';
import { resolveRow } from '../generated-data/company-generator.ts';
import { reasonOfDomain } from '../magic-inputs.ts';
import { type PublishedSet, toSlot } from './published-set.ts';

interface EnrichmentFacts {
  readonly seed: number;
  readonly rows: readonly CompanyRow[];
  readonly historical: boolean;
  readonly deliveredAt: string;
}

export function createEnrichmentSet({ seed, rows, historical, deliveredAt }: EnrichmentFacts): PublishedSet {
  const eligible = historical ? 'HISTORICAL_DELIVERY_CONFIRMED' : 'POLICY_ELIGIBLE';
  const earlier = findDuplicates(rows);
  const codeAt = (place: number): ReasonCodeName =>
    earlier.has(place) ? 'DUPLICATE_OF_SLOT' : (requestedReason(rows[place]) ?? eligible);

  return {
    total: rows.length,
    summary: summarize(rows.map((_, place) => codeAt(place))),
    slotAt(place) {
      const row = rows[place];
      const duplicateOf = earlier.get(place);
      const resolved = rows[duplicateOf ?? place];
      if (!row || !resolved) throw new RangeError('no such slot');
      const code = codeAt(place);
      const company =
        code === 'UNRESOLVED_IDENTITY' ? null : { ...resolveRow(seed, resolved), source_id: row.external_id ?? null };
      const detail = detailOf(code, row);
      return toSlot({ position: place, code, company, deliveredAt, detail, externalId: row.external_id, duplicateOf });
    },
  };
}

/**
 * Place -> place of the first row with the same company: the same domain or, for a row without a website, the same name
 * and city. A row that cannot be resolved is never a duplicate.
 */
function findDuplicates(rows: readonly CompanyRow[]): ReadonlyMap<number, number> {
  const placeByKey = new Map<string, number>();
  const duplicates = new Map<number, number>();
  for (const [place, row] of rows.entries()) {
    if (requestedReason(row) === 'UNRESOLVED_IDENTITY') continue;
    const domain = domainOf(row.website_url);
    const named = `name ${comparableName(row.company_name)}\n${comparableName(row.city ?? '')}`;
    const key = domain === null ? named : `domain ${domain}`;
    const first = placeByKey.get(key);
    if (first !== undefined) duplicates.set(place, first);
    for (const known of [key, named]) {
      if (!placeByKey.has(known)) placeByKey.set(known, first ?? place);
    }
  }
  return duplicates;
}

function requestedReason(row: CompanyRow | undefined): ReasonCodeName | null {
  return reasonOfDomain(domainOf(row?.website_url));
}

function detailOf(code: ReasonCodeName, row: CompanyRow): string | undefined {
  const { detail } = reasonCodes[code];
  if (detail === 'the URL tried') return (row.website_url ?? '').replace(/^www\./i, 'https://www.');
  return detail === 'the origin redirected to' ? 'https://parking.example' : undefined;
}

function summarize(codes: readonly ReasonCodeName[]): ResultSummary {
  const annotated = codes.filter((code) => reasonCodes[code].status !== 'ENRICHED');
  const counts = new Map<ReasonCodeName, number>();
  for (const code of annotated) counts.set(code, (counts.get(code) ?? 0) + 1);
  return {
    requested_count: codes.length,
    fully_enriched_count: codes.length - annotated.length,
    annotated_count: annotated.length,
    reasons: Array.from(counts, ([code, count]) => {
      const { message, label } = reasonCodes[code];
      return { code, message, label, count };
    }),
  };
}
