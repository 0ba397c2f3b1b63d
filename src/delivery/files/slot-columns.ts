/** The columns of a results spreadsheet. */
import { toHeaderKey } from '../../base/text/header-key.ts';
import { toRecordLink } from '../../hubspot/record-link.ts';
import { type Column } from '../../base/spreadsheet/table.ts';
import { sayIn, type SheetLanguage } from './sheet-language.ts';

/** Number of the row in the user's file, before the columns of that file. */
export const sourceRowColumn: Column = { key: 'source_row', header: 'Source Row', kind: 'number' };

export function toSourceRowColumn(language: SheetLanguage | undefined): Column {
  return { ...sourceRowColumn, header: sayIn(language)(sourceRowColumn.header) };
}

export const resultColumns: readonly Column[] = [
  // The service's input_position, from 0, so that a row can be found again in its results.
  { key: 'position', header: 'Position', kind: 'number' },
  { key: 'external_id', header: 'External Id', kind: 'text', width: 18 },
  { key: 'result_status', header: 'Result Status', kind: 'text', width: 16 },
  { key: 'result_reasons', header: 'Result Reasons', kind: 'text', width: 48 },
  { key: 'duplicate_of', header: 'Duplicate Of', kind: 'number' },
  // LEAK, LATE or WEAK: a blacklist of the order names the company.
  { key: 'exclusion', header: 'Exclusion', kind: 'text', width: 12 },
];

export const companyColumns: readonly Column[] = [
  { key: 'company_name', header: 'Company Name', kind: 'text', width: 32 },
  { key: 'company_website', header: 'Website', kind: 'text', width: 32, link: toWebLink },
  { key: 'company_domain', header: 'Domain', kind: 'text' },
  { key: 'company_description', header: 'Description', kind: 'text', width: 48 },
  { key: 'company_industry', header: 'Industry', kind: 'text' },
  { key: 'company_employees', header: 'Employees', kind: 'number' },
  { key: 'company_founded', header: 'Founded', kind: 'number' },
  { key: 'company_phone', header: 'Company Phone', kind: 'phone' },
  { key: 'company_email', header: 'Company Email', kind: 'text', width: 28 },
  { key: 'company_street', header: 'Street', kind: 'text' },
  { key: 'company_postal_code', header: 'Postal Code', kind: 'text', width: 14 },
  { key: 'company_city', header: 'City', kind: 'text' },
  { key: 'company_country', header: 'Country', kind: 'text', width: 16 },
  { key: 'company_linkedin', header: 'Company LinkedIn', kind: 'text', link: toWebLink },
  { key: 'company_fit_score', header: 'Fit Score', kind: 'number' },
  { key: 'company_record_id', header: 'HubSpot Company Id', kind: 'text', width: 20 },
];

export const contactCount: Column = { key: 'contact_count', header: 'Contacts', kind: 'number' };

export const contactColumns: readonly Column[] = [
  { key: 'contact_name', header: 'Contact Name', kind: 'text' },
  { key: 'contact_first_name', header: 'First Name', kind: 'text', width: 16 },
  { key: 'contact_last_name', header: 'Last Name', kind: 'text', width: 16 },
  { key: 'contact_job_title', header: 'Job Title', kind: 'text', width: 28 },
  { key: 'contact_email', header: 'Email', kind: 'text', width: 30 },
  { key: 'contact_email_status', header: 'Email Status', kind: 'text', width: 16 },
  { key: 'contact_email_client_deliverable', header: 'Email Client Deliverable', kind: 'boolean' },
  { key: 'contact_email_delivery_quality', header: 'Email Delivery Quality', kind: 'text' },
  { key: 'contact_email_delivery_quality_reason', header: 'Email Delivery Quality Reason', kind: 'text' },
  { key: 'contact_phone', header: 'Phone', kind: 'phone' },
  { key: 'contact_linkedin', header: 'LinkedIn', kind: 'text', link: toWebLink },
  { key: 'contact_score', header: 'Qualification Score', kind: 'number' },
  { key: 'contact_record_id', header: 'HubSpot Contact Id', kind: 'text', width: 20 },
];

export const deliveredAt: Column = { key: 'delivered_at', header: 'Delivered At', kind: 'date' };

/** The words by which `rows --reason` and the service name the result reasons, for filters that should work in every language. */
export const reasonCodeColumn: Column = { key: 'reason_codes', header: 'Reason Codes', kind: 'text', width: 32 };

/** Only to pages: the address comes from the service, and a link of another kind could start a program. */
function toWebLink(text: string): string | null {
  const url = URL.parse(text);
  const isPage = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPage ? url.href : null;
}

/** The column with links to the records of the portal, if it has ids of records. */
export function withRecordLinks(column: Column, portalId: number): Column {
  const object = column.key === 'company_record_id' ? 'companies' : 'contacts';
  if (object === 'contacts' && column.key !== 'contact_record_id') return column;
  return { ...column, link: (id) => toRecordLink({ portalId }, { object, id }) };
}

/** The number of the row and the columns of the user's file, by names that differ from those of `results`. */
export function toOwnColumns(
  headers: readonly string[],
  results: readonly Column[],
  language?: SheetLanguage,
): Column[] {
  if (headers.length === 0) return [];
  const say = sayIn(language);
  const first = toSourceRowColumn(language);
  const taken = new Set([first, ...results].map(({ header }) => toHeaderKey(header)));
  const uses = new Map<string, number>();
  const columns = headers.map((header, index): Column => {
    let unique = header;
    // The count makes many equal headers differ without trying each number from the beginning.
    for (let use = uses.get(header) ?? 1; taken.has(toHeaderKey(unique)); use += 1) {
      unique = `${header} (${say('source')}${use === 1 ? '' : ` ${use}`})`;
      uses.set(header, use + 1);
    }
    taken.add(toHeaderKey(unique));
    return { key: ownKey(index), header: unique, kind: 'own' };
  });
  return [first, ...columns];
}

export function ownKey(index: number): string {
  return `own ${index}`;
}
