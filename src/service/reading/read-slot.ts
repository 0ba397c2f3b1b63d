/** Converts a received slot to the fields of the contract. */
import { companyFields } from '../contract/company-fields.ts';
import type { FieldEntry } from '../contract/field-definition.ts';
import { prospectFields } from '../contract/prospect-fields.ts';
import type { Company, Prospect, Slot } from '../contract/index.ts';
import { createPathReader, isEmpty, isFieldName } from './flatten-record.ts';
import { createPeopleReader, pathInCompany, prospectsAt } from './detect-prospects.ts';
import { readCount, readText, readTime, readValue, type ScalarKind } from './read-value.ts';
import type { FieldReading, Shape } from './shape.ts';
import { boundText } from '../../base/text/bound-text.ts';
import { isRecord } from '../../base/json/own-property.ts';

type Json = Readonly<Record<string, unknown>>;

/** Called for each value that cannot be used; `field` as in `company.employee_count`. */
type Unusable = (field: string) => void;

export type SlotReader = (raw: unknown, unusable?: Unusable) => Slot;

const ignore: Unusable = () => undefined;

/**
 * Reads slots of one shape. Every field of the result is set; null when no usable value was sent.
 * `raw` of slot, company and prospect is the received record.
 * @throws {TypeError} when input_position or status is missing ("Result slot")
 */
export function createSlotReader(shape: Shape): SlotReader {
  const readCompany = createRecordReader('company', companyFields, shape.company);
  const readProspect = createRecordReader('prospect', prospectFields, shape.prospect);
  const peopleOf = createPeopleReader(shape.company.prospects?.path ?? null);

  return (raw, unusable = ignore) => {
    if (!isSlot(raw)) throw new TypeError('a stored slot has no input_position or no status');
    const read = <T>(field: string, value: T | null | undefined): T | null => {
      if (value === undefined) unusable(`slot.${field}`);
      return value ?? null;
    };
    const company = isRecord(raw['company']) ? raw['company'] : null;
    const reasons = readReasons(raw['reasons']);
    return {
      raw,
      input_position: readCount(raw['input_position']) ?? 0,
      external_id: read('external_id', readValue('id', raw['external_id'])),
      status: readText(raw['status']) ?? '',
      reason_codes: readCodes(raw['reason_codes']) ?? reasons.map(({ code }) => code),
      reasons,
      duplicate_of_input_position: read('duplicate_of_input_position', readCount(raw['duplicate_of_input_position'])),
      delivered_at: read('delivered_at', readTime(raw['delivered_at'])) ?? '',
      company: company === null ? null : toCompany(company, raw, unusable),
    };
  };

  function toCompany(company: Json, slot: Json, unusable: Unusable): Company {
    const prospects = peopleOf(slot).map((person) => withNames(readProspect(person, unusable)));
    return { ...readCompany(company, unusable), prospects };
  }
}

/** Reads only the fields of a slot that the specification defines; needs no shape. */
export const readSlotFields = createSlotReader({ company: {}, prospect: {} });

/** True for a record with the two required fields of a slot. */
export function isSlot(value: unknown): value is Json {
  return (
    isRecord(value) &&
    typeof readCount(value['input_position']) === 'number' &&
    typeof readText(value['status']) === 'string'
  );
}

function createRecordReader(
  name: 'company' | 'prospect',
  table: Readonly<Record<string, FieldEntry>>,
  readings: Readonly<Partial<Record<string, FieldReading>>>,
) {
  const fields = Object.entries(table).flatMap(([field, { kind }]) =>
    kind === 'people' ? [] : [{ field, read: createFieldReader(kind, readings[field]?.path ?? null) }],
  );
  return (record: Json, unusable: Unusable): Record<string, unknown> & { raw: Json } => {
    const values: Record<string, unknown> & { raw: Json } = { raw: record };
    for (const { field, read } of fields) {
      const value = read(record);
      if (value === undefined) unusable(`${name}.${field}`);
      values[field] = value ?? null;
    }
    return values;
  };
}

function createFieldReader(kind: ScalarKind, path: string | null): (record: Json) => unknown {
  if (path === null) return () => null;
  const valueOf = createPathReader(path);
  return (record) => readValue(kind, valueOf(record));
}

/** Derives the full name from first and last name, or these from the full name, where one was not sent. */
function withNames(prospect: Prospect): Prospect {
  const { first_name: first, last_name: last, full_name: full } = prospect;
  if (full && !(first && last)) {
    const { firstName, lastName } = splitName(full);
    return { ...prospect, first_name: first || firstName, last_name: last || lastName };
  }
  if (full || (!first && !last)) return prospect;
  return { ...prospect, full_name: [first, last].filter(Boolean).join(' ') };
}

function readCodes(value: unknown): string[] | null {
  if (!Array.isArray(value)) return typeof value === 'string' && !isEmpty(value) ? [boundText(value)] : null;
  return value.flatMap((code) => readText(code) ?? []);
}

function readReasons(value: unknown): { code: string; message: string; detail: string | null }[] {
  const reasons: readonly unknown[] = Array.isArray(value) ? value : isRecord(value) ? [value] : [];
  return reasons.flatMap((reason) => {
    if (typeof reason === 'string') return [{ code: boundText(reason), message: boundText(reason), detail: null }];
    if (!isRecord(reason)) return [];
    const code = readText(reason['code']) ?? '';
    return [{ code, message: readText(reason['message']) ?? code, detail: readText(reason['detail']) ?? null }];
  });
}

/** Words that belong to the last name that follows them. */
const particles = new Set([
  'von',
  'van',
  'vom',
  'zu',
  'zum',
  'zur',
  'de',
  'der',
  'den',
  'del',
  'della',
  'di',
  'da',
  'dos',
  'du',
  'la',
  'le',
  'ten',
  'ter',
  'el',
  'al',
  'bin',
  'ibn',
  'af',
  'av',
]);
/** Titles that are also names need a dot: Phil, Nat, Mag. */
const titles =
  /^(?:(?:prof|dr|mr|mrs|ms|herr|frau)\.?(?:-[a-z]+\.?)?|(?:ing|dipl|mag|rer|nat|med|phil|jur|oec|h|c)\.(?:c\.)?(?:-[a-z]+\.?)?|h\.c\.)$/i;
/** Degrees after a name and a comma. */
const degrees =
  /^(?:mba|ph\.?d|m\.?sc|b\.?sc|m\.?a|b\.?a|ll\.?m|ll\.?b|cpa|cfa|jr|sr|md|esq|i{1,3}|dr|prof|mag|msc|bsc)\.?$/i;

/** Splits `Dr. Anna Maria von der Heide` into first and last name. A single word is a last name; `Schmidt, Anna` is split at its comma. */
export function splitName(full: string): { firstName: string | null; lastName: string | null } {
  const parts = full.split(',').map((part) => part.trim());
  const [before = '', after] = parts.filter((part, index) => index === 0 || !degrees.test(part));
  if (after) return { firstName: withoutTitles(after) || null, lastName: withoutTitles(before) || null };
  const words = withoutTitles(before).split(' ').filter(Boolean);
  if (words.length <= 1) return { firstName: null, lastName: words[0] ?? null };
  const particle = words.findIndex((word, index) => index > 0 && particles.has(word.toLowerCase()));
  const at = particle > 0 ? particle : words.length - 1;
  return { firstName: words.slice(0, at).join(' '), lastName: words.slice(at).join(' ') };
}

function withoutTitles(name: string): string {
  const words = name.split(/\s+/);
  const from = words.findIndex((word) => !titles.test(word));
  return from < 0 ? name : words.slice(from).join(' ');
}

/**
 * Returns the names of the fields of one slot that prospect-sync does not read: `company.turnover`,
 * `company.prospects[].seniority`. Of nested fields only the outermost. They can be mapped as `raw.…`.
 */
export function createUnreadReader(shape: Shape): (slot: unknown) => Set<string> {
  const peoplePath = shape.company.prospects?.path ?? null;
  const inCompany = pathInCompany(peoplePath);
  const company = keysOf([
    ...pathsOf(shape.company).filter((path) => path !== peoplePath),
    ...(inCompany === null ? [] : [inCompany]),
  ]);
  const prospect = keysOf(pathsOf(shape.prospect));
  const people = peoplePath === null ? '' : `${peoplePath}[]`;
  return (slot) => {
    const names = new Set<string>();
    if (!isRecord(slot)) return names;
    if (isRecord(slot['company']))
      for (const key of Object.keys(slot['company']))
        if (!company.has(key) && isFieldName(key)) names.add(`company.${key}`);
    for (const person of prospectsAt(slot, peoplePath)) {
      for (const key of Object.keys(person)) if (!prospect.has(key) && isFieldName(key)) names.add(`${people}.${key}`);
    }
    return names;
  };
}

function pathsOf(readings: Shape['company'] | Shape['prospect']): string[] {
  return Object.values(readings).flatMap(({ path }) => path ?? []);
}

function keysOf(paths: readonly string[]): Set<string> {
  return new Set(paths.map((path) => path.split(/[.[]/, 1)[0] ?? path));
}
