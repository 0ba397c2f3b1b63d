/** A result slot as a row of the service's own files (A42). */
import type { Company, Prospect, ResultSummary, Slot } from '../../src/service/contract/index.ts';
import type { Column, SummarySection } from '../../src/base/spreadsheet/table.ts';

/** Generated companies have at most three contacts. */
const contactsPerRow = 3;
const contactNumbers = Array.from({ length: contactsPerRow }, (_, place) => place + 1);

const companyColumns = [
  { key: 'id', header: 'Company Id', kind: 'text', width: 38 },
  { key: 'source_id', header: 'Source Id', kind: 'text' },
  { key: 'name', header: 'Company Name', kind: 'text', width: 32 },
  { key: 'website_url', header: 'Website', kind: 'text', width: 32 },
  { key: 'domain', header: 'Domain', kind: 'text' },
  { key: 'description', header: 'Description', kind: 'text', width: 48 },
  { key: 'industry', header: 'Industry', kind: 'text' },
  { key: 'employee_count', header: 'Employees', kind: 'number' },
  { key: 'founded_year', header: 'Founded', kind: 'number' },
  { key: 'phone', header: 'Company Phone', kind: 'phone' },
  { key: 'email', header: 'Company Email', kind: 'text', width: 28 },
  { key: 'street', header: 'Street', kind: 'text' },
  { key: 'postal_code', header: 'Postal Code', kind: 'text', width: 14 },
  { key: 'city', header: 'City', kind: 'text' },
  { key: 'country', header: 'Country', kind: 'text', width: 16 },
  { key: 'linkedin_url', header: 'Company LinkedIn', kind: 'text' },
  { key: 'fit_score', header: 'Fit Score', kind: 'number' },
] as const satisfies readonly (Column & { readonly key: keyof Company })[];

const contactColumns = [
  { key: 'full_name', header: 'Name', kind: 'text' },
  { key: 'job_title', header: 'Job Title', kind: 'text', width: 28 },
  { key: 'email', header: 'Email', kind: 'text', width: 30 },
  { key: 'email_status', header: 'Email Status', kind: 'text', width: 20 },
  { key: 'email_client_deliverable', header: 'Email Client Deliverable', kind: 'boolean' },
  { key: 'email_delivery_quality', header: 'Email Delivery Quality', kind: 'text' },
  { key: 'phone', header: 'Phone', kind: 'phone' },
  { key: 'linkedin_url', header: 'LinkedIn', kind: 'text' },
  { key: 'qualification_score', header: 'Qualification Score', kind: 'number' },
] as const satisfies readonly (Column & { readonly key: keyof Prospect })[];

/** Columns of an enrichment order. */
export const outputColumns: readonly Column[] = [
  // As on the results page: counted from 0.
  { key: 'input_position', header: 'Position', kind: 'number' },
  { key: 'external_id', header: 'External Id', kind: 'text', width: 18 },
  { key: 'status', header: 'Result Status', kind: 'text', width: 16 },
  { key: 'reasons', header: 'Result Reasons', kind: 'text', width: 48 },
  { key: 'duplicate_of', header: 'Duplicate Of', kind: 'number' },
  ...companyColumns.map((column) => ({ ...column, key: companyKey(column.key) })),
  ...contactNumbers.flatMap((number) =>
    contactColumns.map((column) => ({
      ...column,
      key: contactKey(number, column.key),
      header: `Contact ${number} ${column.header}`,
    })),
  ),
  { key: 'delivered_at', header: 'Delivered At', kind: 'text', width: 30 },
];

const resultColumns: ReadonlySet<string> = new Set(['status', 'reasons', 'duplicate_of']);

/** Columns of a discovery order (A87). */
export const discoveryColumns: readonly Column[] = outputColumns.filter(({ key }) => !resultColumns.has(key));

type OutputCell = string | number | boolean | null | undefined;
export type OutputRow = Readonly<Record<string, OutputCell>>;

/** Timestamps stay text: a date of a spreadsheet would lose the microseconds. */
export function toOutputRow({ company, ...slot }: Slot): OutputRow {
  const cells: Record<string, OutputCell> = {
    input_position: slot.input_position,
    external_id: slot.external_id,
    status: slot.status,
    reasons: toReasonText(slot.reasons),
    duplicate_of: slot.duplicate_of_input_position,
    delivered_at: slot.delivered_at,
  };
  for (const { key } of companyColumns) cells[companyKey(key)] = company?.[key];
  for (const [place, prospect] of (company?.prospects ?? []).slice(0, contactsPerRow).entries()) {
    for (const { key } of contactColumns) cells[contactKey(place + 1, key)] = prospect[key];
  }
  return cells;
}

/** "Result Reasons shows the English message with the detail in parentheses" */
function toReasonText(reasons: Slot['reasons']): string {
  return reasons.map(({ message, detail }) => (detail ? `${message} (${detail})` : message)).join('; ');
}

export function toSummarySections(summary: ResultSummary): SummarySection[] {
  const { requested_count, fully_enriched_count, annotated_count, reasons } = summary;
  return [
    {
      title: 'Slots',
      rows: [
        { label: 'Requested', value: requested_count },
        { label: 'Fully enriched', value: fully_enriched_count },
        { label: 'Annotated', value: annotated_count },
      ],
    },
    { title: 'Reasons', rows: reasons.map(({ label, code, count }) => ({ label: label ?? code, value: count })) },
  ];
}

function companyKey(field: string): string {
  return `company_${field}`;
}

function contactKey(number: number, field: string): string {
  return `contact_${number}_${field}`;
}
