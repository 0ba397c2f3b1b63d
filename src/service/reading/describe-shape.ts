/** Describes a shape for the terminal: each field with its path, how it was found, and the form of an example. */
import { companyFields } from '../contract/company-fields.ts';
import type { FieldEntry, FieldNeed } from '../contract/field-definition.ts';
import { prospectFields } from '../contract/prospect-fields.ts';
import { isEmpty, readDottedPath, isRange } from './flatten-record.ts';
import { prospectsAt } from './detect-prospects.ts';
import type { EvidenceKind, FieldReading, Shape } from './shape.ts';
import { isRecord } from '../../base/json/own-property.ts';

type Json = Readonly<Record<string, unknown>>;

export interface FieldEvidence {
  /** `company.employee_count` */
  readonly field: string;
  readonly path: string | null;
  readonly by: EvidenceKind;
  readonly need: FieldNeed;
  /** How many of the examined records have a value there. */
  readonly values: number;
  readonly records: number;
  /** null when there is no value. */
  readonly example: string | null;
}

/** `slots`: as received, for the counts and examples; may be empty. */
export function describeShape(shape: Shape, slots: readonly Json[]): FieldEvidence[] {
  const companies = slots.flatMap(({ company }) => (isRecord(company) ? [company] : []));
  const peoplePath = shape.company.prospects?.path ?? null;
  const people = slots.flatMap((slot) => prospectsAt(slot, peoplePath));
  return [
    ...describeRecord('company', companyFields, { readings: shape.company, records: companies, slots }),
    ...describeRecord('prospect', prospectFields, { readings: shape.prospect, records: people, slots }),
  ];
}

interface Described {
  readonly readings: Readonly<Partial<Record<string, FieldReading>>>;
  readonly records: readonly Json[];
  readonly slots: readonly Json[];
}

function describeRecord(
  record: 'company' | 'prospect',
  table: Readonly<Record<string, FieldEntry>>,
  { readings, records, slots }: Described,
): FieldEvidence[] {
  return Object.entries(table).map(([field, { kind, need }]) => {
    const { path, by } = readings[field] ?? { path: null, by: 'absent' as const };
    // The path of the prospects begins at the slot.
    const holders = kind === 'people' ? slots : records;
    const found =
      path === null ? [] : holders.map((holder) => readDottedPath(holder, path)).filter((value) => !isEmpty(value));
    const example = found.length === 0 ? null : describeForm(found[0]);
    return { field: `${record}.${field}`, path, by, need, values: found.length, records: holders.length, example };
  });
}

const longestExample = 24;

/** The form of a value without its content: `Xxxxx Xxxxxx`, `xxxx.xxxx@xxxxx.xx`, `00-000`. */
export function describeForm(value: unknown): string {
  if (typeof value === 'string') {
    const start = value.trim().slice(0, longestExample);
    const form = start.replaceAll(/[\p{L}\p{N}]/gu, (sign) =>
      /\p{N}/u.test(sign) ? '0' : /\p{Lu}/u.test(sign) ? 'X' : 'x',
    );
    return `"${form}${value.trim().length > longestExample ? '…' : ''}"`;
  }
  if (typeof value === 'number') return Number.isInteger(value) ? 'a whole number' : 'a number';
  if (typeof value === 'boolean') return 'true or false';
  if (isRange(value)) return 'a range';
  return Array.isArray(value) ? 'a list' : 'a record';
}
