/** Judges the rows of a table together: rows that repeat an earlier one, and record ids that name no company of HubSpot. */
import type { CompanySource } from '../config/enrichment-source-settings.ts';
import { comparableName, companyRowSchema, type CompanyRow } from '../contract/index.ts';
import { isRecordId } from '../hubspot/hubspot-record.ts';
import type { HubSpotClient } from '../hubspot/hubspot-client.ts';
import type { DraftRow } from '../ledger/draft-store.ts';
import type { RejectedRow } from '../ledger/rejected-rows.ts';
import { ownDomain } from '../mapping/website-domain.ts';
import { describeRows, toNamedRows } from '../text/named-rows.ts';
import { problemsShown, refusal, type TableSource } from './company-source.ts';
import { allRowsRejected, type TableDraft } from './table-companies.ts';

interface Judging {
  readonly source: TableSource;
  readonly companies: Pick<CompanySource, 'repeatedRows'>;
  /** Whether the external ids are ids of HubSpot records. */
  readonly areRecordIds: boolean;
  readonly signal: AbortSignal;
}

/** Why rows are left out, by their place in the draft. */
type Reasons = ReadonlyMap<DraftRow, string>;

/** @throws ApplicationFailure FileRefused when record ids are unknown to HubSpot, unless `bad_rows: reject` leaves their rows out */
export async function judgeRows(hubspot: HubSpotClient, draft: TableDraft, judging: Judging): Promise<TableDraft> {
  const parsed = draft.rows.map((row) => ({ row, company: companyRowSchema.parse(JSON.parse(row.json)) }));
  const unknown = judging.areRecordIds ? await findUnknownRecords(hubspot, parsed, judging) : new Map();
  const repeats = findRepeats(parsed, judging);
  if (judging.companies.repeatedRows === 'reject')
    return withoutRows(draft, new Map([...repeats, ...unknown]), judging);
  const repeated = toNamedRows([...repeats.keys()].filter((row) => !unknown.has(row)).map(numberOf));
  const { report } = draft.source;
  const counted = repeated.rows === 0 ? report : { ...report, repeated };
  return withoutRows({ ...draft, source: { ...draft.source, report: counted } }, unknown, judging);
}

interface ParsedRow {
  readonly row: DraftRow;
  readonly company: CompanyRow;
}

/** Rows of the same company as an earlier one, whatever their ids, or with the same record. */
function findRepeats(rows: readonly ParsedRow[], { areRecordIds }: Judging): Reasons {
  const first = new Map<string, number>();
  const repeats = new Map<DraftRow, string>();
  for (const { row, company } of rows) {
    const { external_id: id } = company;
    const keys = [toCompanyText(company), ...(areRecordIds && id ? [`record ${id}`] : [])];
    const earlier = keys.map((key) => first.get(key)).find((number) => number !== undefined);
    if (earlier !== undefined) repeats.set(row, `repeats row ${earlier}`);
    for (const key of keys) if (!first.has(key)) first.set(key, numberOf(row));
  }
  return repeats;
}

/** Equal for rows of one company: its own domain and city; without such a domain its name, city and country. */
function toCompanyText({ company_name: name, website_url: website, city, country }: CompanyRow): string {
  const domain = ownDomain(website);
  const texts = domain === null ? [name, city, country] : [city];
  return JSON.stringify([domain, ...texts.map((text) => comparableName(text ?? '').replaceAll('ß', 'ss'))]);
}

async function findUnknownRecords(
  hubspot: HubSpotClient,
  rows: readonly ParsedRow[],
  { source, signal }: Judging,
): Promise<Reasons> {
  const ids = rows.flatMap(({ company: { external_id: id } }) => (isRecordId(id ?? null) ? [id ?? ''] : []));
  const records = await hubspot.objects.read('companies', { ids, properties: [], signal });
  const unknown = rows.filter(({ company: { external_id: id } }) => id && !records.has(id)).map(({ row }) => row);
  if (unknown.length > 0 && source.badRows !== 'reject') {
    const named = describeRows(toNamedRows(unknown.map(numberOf)));
    const path = source.settingsPath.replace(/columns$/, '');
    throw refusal(
      source,
      `rows whose external_id names no company of HubSpot: ${named}, of ${rows.length}. Correct them; or set ${path}external_ids: other, if they are ids of another system; or ${path}bad_rows: reject, to leave these rows out`,
    );
  }
  return new Map(unknown.map((row) => [row, 'external_id: names no company of HubSpot']));
}

function withoutRows(draft: TableDraft, reasons: Reasons, { source }: Judging): TableDraft {
  if (reasons.size === 0) return draft;
  const rows = draft.rows.filter((row) => !reasons.has(row)).map((row, position): DraftRow => ({ ...row, position }));
  const left = [...reasons].map(([row, reason]): RejectedRow => {
    return { sourceRow: numberOf(row), reasons: [reason], ownJson: row.ownJson ?? '[]' };
  });
  const rejected = [...draft.rejected, ...left].toSorted((a, b) => a.sourceRow - b.sourceRow);
  if (rows.length === 0)
    throw allRowsRejected(
      source,
      rejected.length,
      rejected.slice(0, problemsShown).map(({ sourceRow, reasons: [reason] }) => `row ${sourceRow}: ${reason}`),
    );
  const report = { ...draft.source.report, ordered: rows.length, rejected: { rows: rejected.length, file: null } };
  return { rows, rejected, source: { ...draft.source, report } };
}

/** Every row of a table has a number. */
function numberOf({ sourceRow }: DraftRow): number {
  return sourceRow ?? 0;
}
