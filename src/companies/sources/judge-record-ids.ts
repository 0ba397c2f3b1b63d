/** Compares the external ids of a table with the companies of HubSpot: whether they are record ids, and of the companies of their rows. */
import { splitIntoBatches } from '../../hubspot/batch-requests.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import { ADDITIONAL_DOMAINS, additionalDomains, isRecordId, type CrmRecord } from '../../hubspot/hubspot-record.ts';
import type { DraftRow } from '../../ledger/draft-store.ts';
import type { CompanyRow } from '../../service/contract/index.ts';
import { isSameName, isSameSite } from '../../service/contract/row-mismatch.ts';
import { ownDomain } from '../../service/contract/website-domain.ts';
import { describeRows, toNamedRows } from '../../base/text/named-rows.ts';
import { refusal, type TableSource } from './company-source.ts';
import { toPlainName } from './same-company.ts';

interface RecordJudging {
  readonly source: TableSource;
  readonly signal: AbortSignal;
}

const properties = ['name', 'domain', ADDITIONAL_DOMAINS];

/** Rows whose records are compared at once, so that few records are in memory. */
const rowsPerRead = 1_000;

/** Rows whose external id names no record, and rows whose record is a different company. @throws ApplicationFailure FileRefused for the former */
export async function judgeRecords(
  hubspot: HubSpotClient,
  rows: readonly DraftRow[],
  { source, signal }: RecordJudging,
): Promise<{ unknown: ReadonlyMap<DraftRow, string>; different: DraftRow[] }> {
  const unknown: DraftRow[] = [];
  const different: DraftRow[] = [];
  for (const page of splitIntoBatches(rows, rowsPerRead)) {
    const ids = page.flatMap(({ company: { external_id: id } }) => (isRecordId(id ?? null) ? [id ?? ''] : []));
    const records = await hubspot.objects.read('companies', { ids, properties, signal });
    for (const row of page) {
      const { company } = row;
      if (!company.external_id) continue;
      const record = records.get(company.external_id);
      if (record === undefined) unknown.push(row);
      else if (isDifferentCompany(company, record)) different.push(row);
    }
  }
  if (unknown.length > 0 && source.badRows !== 'reject') {
    const named = describeRows(toNamedRows(unknown.map(numberOf)));
    const path = toSettingsPath(source);
    throw refusal(
      source,
      `rows whose external_id names no company of HubSpot: ${named}, of ${rows.length}. Correct them; or set ${path}external_ids: other, if they are ids of another system; or ${path}bad_rows: reject, to leave these rows out`,
    );
  }
  return { unknown: new Map(unknown.map((row) => [row, 'external_id: names no company of HubSpot'])), different };
}

/** One batch of HubSpot. */
const mostCompared = 100;

/**
 * Reads a part of the ids, spread over the table, that have the form of record ids.
 * @throws ApplicationFailure FileRefused when half of them or more are those of the companies of their rows: with the ids of another
 * system, each of these companies would get a second record
 */
export async function refuseRecordIds(
  hubspot: HubSpotClient,
  rows: readonly DraftRow[],
  { source, signal }: RecordJudging,
): Promise<void> {
  const possible = rows.filter(({ company: { external_id: id } }) => isRecordId(id ?? null));
  const step = Math.ceil(possible.length / mostCompared);
  const compared = possible.filter((_, index) => index % step === 0);
  if (compared.length === 0) return;
  const ids = [...new Set(compared.map(({ company: { external_id: id } }) => id ?? ''))];
  const records = await hubspot.objects.read('companies', { ids, properties, signal });
  const same = compared.filter(({ company }) => isSameCompany(company, records.get(company.external_id ?? '')));
  if (same.length * 2 < compared.length) return;
  const named = describeRows(toNamedRows(same.map(numberOf)));
  const path = toSettingsPath(source);
  throw refusal(
    source,
    `rows whose external_id is the HubSpot record id of the same company: ${named}, of ${compared.length} that were compared. Set ${path}external_ids: record_id, so that these records are updated; or ${path}external_ids: other, if they are ids of another system`,
  );
}

/** Every row of a table has a number. */
export function numberOf({ sourceRow }: DraftRow): number {
  return sourceRow ?? 0;
}

function toSettingsPath({ settingsPath }: TableSource): string {
  return settingsPath.replace(/columns$/, '');
}

function isSameCompany(company: CompanyRow, record: CrmRecord | undefined): boolean {
  return record !== undefined && (hasSameName(company, record) || hasSameDomain(company, record));
}

/** Another name and no equal domain, as in rows whose ids were sorted apart from their names. A record without a name is not compared. */
function isDifferentCompany(company: CompanyRow, record: CrmRecord): boolean {
  return toName(record) !== '' && !hasSameName(company, record) && !hasSameDomain(company, record);
}

function hasSameName({ company_name: name }: CompanyRow, record: CrmRecord): boolean {
  return isSameName(toName(record), toPlainName(name));
}

function hasSameDomain({ website_url: website }: CompanyRow, record: CrmRecord): boolean {
  const domain = ownDomain(website);
  return domain !== null && toDomains(record).some((known) => isSameSite(known, domain));
}

function toName({ properties: { name } }: CrmRecord): string {
  return toPlainName(name ?? '');
}

function toDomains(record: CrmRecord): string[] {
  return [record.properties['domain'], ...additionalDomains(record)].flatMap((address) => ownDomain(address) ?? []);
}
