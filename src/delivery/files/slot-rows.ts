/** Result slots as rows of a spreadsheet, with the columns that the service's own outputs have and the CRM record ids. */
import {
  isKnownReasonCode,
  reasonCodes,
  type Company,
  type Prospect,
  type Slot,
} from '../../service/contract/index.ts';
import { isErased } from '../../base/json/erased-mark.ts';
import { toRaw } from '../mapping/crm-properties.ts';
import { isRawPath, valuesAt, type OrderSource } from '../mapping/source-paths.ts';
import type { Column, Row } from '../../base/spreadsheet/table.ts';
import {
  companyColumns,
  contactColumns,
  contactCount,
  deliveredAt,
  reasonCodeColumn,
  resultColumns,
  ownKey,
  sourceRowColumn,
  toOwnColumns,
} from './slot-columns.ts';
import { sayIn, type SheetLanguage } from './sheet-language.ts';

/**
 * `slot`: one row for each company, with the number of its contacts and the best one, so that the sheet can be sorted and filtered by
 * company. `prospect`: one row for each contact, with the company repeated. A slot without contacts has one row in both modes.
 */
export type RowMode = 'slot' | 'prospect';

/** Paths of additional columns, by header: `{ Turnover: 'raw.company.turnover' }`. */
export type FurtherColumns = Readonly<Record<string, string>>;

interface Known {
  readonly order: OrderSource;
  /** Verdict of the leak check; null when no blacklist of the order names the company. */
  readonly exclusion: string | null;
  readonly companyRecordId: string | null;
  /** In the order of the company's prospects. */
  readonly contactRecordIds: readonly (string | null)[];
}

interface ColumnSettings {
  readonly further?: FurtherColumns | undefined;
  /** The headers of the user's file, whose columns come first. */
  readonly ownHeaders?: readonly string[];
  readonly language?: SheetLanguage | undefined;
}

export function slotColumns(mode: RowMode, { further = {}, ownHeaders = [], language }: ColumnSettings = {}): Column[] {
  const say = sayIn(language);
  const named = (column: Column): Column => ({ ...column, header: say(column.header) });
  const best = (column: Column): Column => ({
    ...column,
    header: `${say('Best Contact')} ${say(column.header.replace(/^Contact /, ''))}`,
  });
  const others = Object.keys(further).map((header): Column => ({ key: furtherKey(header), header, kind: 'text' }));
  const count = mode === 'slot' ? [contactCount] : [];
  const results = [
    ...[...resultColumns, ...companyColumns, ...count].map(named),
    ...contactColumns.map(mode === 'slot' ? best : named),
    ...[deliveredAt, reasonCodeColumn].map(named),
    ...others,
  ];
  return [...toOwnColumns(ownHeaders, results, language), ...results];
}

/** The row of the user's file that a slot belongs to. */
interface SourceRow {
  readonly sourceRow: number | null;
  readonly ownCells: readonly Row[string][];
}

export function toOwnCells({ sourceRow, ownCells }: SourceRow): Row {
  return {
    [sourceRowColumn.key]: sourceRow,
    ...Object.fromEntries(ownCells.map((cell, index) => [ownKey(index), cell])),
  };
}

/** At least one row. Positions, statuses and reasons are as published, also unknown ones. */
export function toSlotRows(
  slot: Slot,
  { mode, further = {}, ...all }: { mode: RowMode; further?: FurtherColumns } & Known,
): Row[] {
  const known = leaveErased(slot, all);
  const { prospects } = known;
  const toFurther = (prospect: Prospect | undefined) =>
    toFurtherCells(further, { order: known.order, slot, company: slot.company, prospect });
  const shared: Row = {
    position: slot.input_position,
    external_id: slot.external_id ?? null,
    result_status: slot.status,
    result_reasons: toReasonText(slot),
    duplicate_of: slot.duplicate_of_input_position ?? null,
    exclusion: known.exclusion,
    ...(slot.company && toCompanyCells(slot.company)),
    company_record_id: known.companyRecordId,
    delivered_at: toDate(slot.delivered_at),
    reason_codes: toReasonCodes(slot).join(', ') || null,
  };
  const contacts = prospects.map((prospect, index): Row => ({
    ...toContactCells(prospect, known.contactRecordIds[index] ?? null),
    ...toFurther(prospect),
  }));
  if (mode === 'prospect')
    return contacts.length === 0
      ? [{ ...shared, ...toFurther(undefined) }]
      : contacts.map((contact) => ({ ...shared, ...contact }));
  return [{ ...shared, contact_count: prospects.length, ...toFurther(undefined), ...contacts[bestOf(prospects)] }];
}

/** People who were forgotten have no row. */
function leaveErased({ company }: Slot, { contactRecordIds, ...known }: Known) {
  const people = (company?.prospects ?? []).map((prospect, index) => ({
    prospect,
    recordId: contactRecordIds[index] ?? null,
  }));
  const kept = people.filter(({ prospect }) => !isErased(prospect['raw']));
  return {
    ...known,
    prospects: kept.map(({ prospect }) => prospect),
    contactRecordIds: kept.map(({ recordId }) => recordId),
  };
}

function furtherKey(header: string): string {
  return `further ${header}`;
}

type RowFields = { order: OrderSource; slot: Slot; company: Slot['company']; prospect: Prospect | undefined };

/** Paths to people read the person of the row. */
function toFurtherCells(further: FurtherColumns, fields: RowFields): Row {
  const { slot, prospect } = fields;
  return Object.fromEntries(
    Object.entries(further).map(([header, path]) => {
      const source = isRawPath(path) ? { raw: toRaw({ slot, ...(prospect && { prospect }) }) } : { ...fields };
      return [furtherKey(header), valuesAt(path, source).join('; ') || null];
    }),
  );
}

/** `The website could not be reached (https://…); …`: the wording of the service's outputs. */
function toReasonText({ reasons, reason_codes: codes }: Slot): string {
  const texts = reasons.map(({ message, detail }) => (detail ? `${message} (${detail})` : message));
  const explained = new Set(reasons.map(({ code }) => code));
  const bare = codes.filter((code) => !explained.has(code));
  return [...texts, ...bare.map((code) => (isKnownReasonCode(code) ? reasonCodes[code].message : code))].join('; ');
}

function toReasonCodes({ reasons, reason_codes: codes }: Slot): string[] {
  return [...new Set([...codes, ...reasons.map(({ code }) => code)])];
}

function toCompanyCells(company: Company): Row {
  return {
    company_name: company.name,
    company_website: company.website_url,
    company_domain: company.domain,
    company_description: company.description,
    company_industry: company.industry,
    company_employees: company.employee_count,
    company_founded: company.founded_year,
    company_phone: company.phone,
    company_email: company.email,
    company_street: company.street,
    company_postal_code: company.postal_code,
    company_city: company.city,
    company_country: company.country,
    company_linkedin: company.linkedin_url,
    company_fit_score: company.fit_score,
  };
}

function toContactCells(prospect: Prospect, recordId: string | null): Row {
  return {
    contact_name: prospect.full_name,
    contact_first_name: prospect.first_name,
    contact_last_name: prospect.last_name,
    contact_job_title: prospect.job_title,
    contact_email: prospect.email,
    contact_email_status: prospect.email_status,
    contact_email_client_deliverable: prospect.email_client_deliverable,
    contact_email_delivery_quality: prospect.email_delivery_quality,
    contact_email_delivery_quality_reason: prospect.email_delivery_quality_reason,
    contact_phone: prospect.phone,
    contact_linkedin: prospect.linkedin_url,
    contact_score: prospect.qualification_score,
    contact_record_id: recordId,
  };
}

/** The person with the highest qualification score, or the first of equals, because the service lists the best ones first. */
function bestOf(prospects: readonly Prospect[]): number {
  const scores = prospects.map(({ qualification_score: score }) => score ?? -Infinity);
  return scores.indexOf(Math.max(...scores));
}

/** Dates of spreadsheets have milliseconds. An invalid timestamp stays a text. */
function toDate(timestamp: string): Date | string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? timestamp : date;
}
