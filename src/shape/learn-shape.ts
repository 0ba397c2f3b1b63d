/** Learns where answers carry the fields that the specification does not show: setting, then name, then value. */
import { companyFields } from '../contract/company-fields.ts';
import type { FieldEntry } from '../contract/field-definition.ts';
import { prospectFields } from '../contract/prospect-fields.ts';
import { hostOf } from '../mapping/own-domain.ts';
import { comparableKey, innerRecord, isEmpty, isRecord, leavesOf, namesOf, valueAt } from './leaves.ts';
import { isEmail, learnPeople, pathInCompany, peopleAt } from './people.ts';
import { readText, readValue } from './read-value.ts';
import type { FieldReading, FieldSettings, Shape } from './shape.ts';
import { fitsPattern, type Surroundings } from './value-patterns.ts';

type Json = Readonly<Record<string, unknown>>;

/** So many companies, and people, are looked at; a field that none of them has is absent. */
export const samplesWanted = 300;

/** From this share of the values on, a pattern counts as found. */
const patternShare = 0.6;

const absent: FieldReading = { path: null, by: 'absent' };

interface Learning {
  /** Slots as they were received, with a company. */
  readonly slots: readonly Json[];
  readonly settings: FieldSettings;
  /** What was learnt before: kept as long as answers fit it. */
  readonly previous: Shape | null;
}

export function learnShape({ slots, settings, previous }: Learning): Shape {
  const companies = slots.flatMap((slot) => (isRecord(slot['company']) ? [slot['company']] : []));
  const prospects = learnPeople(slots, settings.company.prospects, previous?.company.prospects);
  const company = learnRecord(companyFields, {
    records: companies.slice(0, samplesWanted),
    settings: settings.company,
    previous: previous?.company ?? {},
    except: pathInCompany(prospects.path),
    leaveOut: 'prospects',
  });
  const people = slots.flatMap((slot) => peopleAt(slot, prospects.path)).slice(0, samplesWanted);
  const prospect = learnRecord(prospectFields, {
    records: people,
    settings: settings.prospect,
    previous: previous?.prospect ?? {},
    except: null,
    leaveOut: null,
  });
  return { company: { ...company, prospects }, prospect };
}

interface Records {
  readonly records: readonly Json[];
  readonly settings: Readonly<Partial<Record<string, string | null>>>;
  readonly previous: Readonly<Partial<Record<string, FieldReading>>>;
  /** Path that is no field of the record: its people. */
  readonly except: string | null;
  readonly leaveOut: string | null;
}

/** What stands at one path of all records. */
interface Column {
  readonly path: string;
  readonly names: readonly string[];
  readonly depth: number;
  readonly order: number;
  /** Those that are not empty, with the number of their record. */
  readonly values: { readonly record: number; readonly value: unknown }[];
}

function learnRecord(
  table: Readonly<Record<string, FieldEntry>>,
  { records, settings, previous, except, leaveOut }: Records,
): Record<string, FieldReading> {
  const columns = toColumns(records, except);
  const fields = Object.entries(table).filter(([field]) => field !== leaveOut);
  const readings = new Map<string, FieldReading>();
  const claimed = new Set<string>();
  const claim = (field: string, path: string, by: FieldReading['by']) => {
    readings.set(field, { path, by });
    claimed.add(path);
  };
  for (const [field, entry] of fields) {
    const setting = settings[field];
    if (setting === null) readings.set(field, absent);
    else if (setting !== undefined) claim(field, setting, 'setting');
    else if (entry.specified === true) claim(field, field, 'specification');
  }
  const open = () => fields.filter(([field]) => !readings.has(field));
  for (const [field, entry] of open()) {
    const known = previous[field];
    const column = columns.find(({ path }) => path === known?.path);
    if (known?.path && column && !claimed.has(column.path) && isUsable(column, entry)) {
      claim(field, known.path, known.by === 'setting' ? 'name' : known.by);
    }
  }
  // What one field is called exactly must not go to another's second name; an empty field yields to a full one.
  const full = columns.filter(({ values }) => values.length > 0);
  for (const [candidates, takesOtherNames] of [
    [full, false],
    [full, true],
    [columns, true],
  ] as const) {
    for (const [field, entry] of open()) {
      const names = [field, ...(takesOtherNames ? entry.names : [])].map(comparableKey);
      const column = findByName(candidates, names, entry, claimed);
      if (column !== undefined) claim(field, column.path, 'name');
    }
  }
  const surroundings = toSurroundings(records, readings);
  for (const [field, entry] of open()) {
    const column = findByValue(columns, entry, claimed, surroundings);
    if (column === undefined) readings.set(field, absent);
    else {
      claim(field, column.path, 'value');
      // What was found helps to find the next: a name by the address, the company by the domain.
      surroundings.splice(0, surroundings.length, ...toSurroundings(records, readings));
    }
  }
  return Object.fromEntries(fields.map(([field]) => [field, readings.get(field) ?? absent]));
}

function toColumns(records: readonly Json[], except: string | null): Column[] {
  const columns = new Map<string, Column>();
  for (const [record, fields] of records.entries()) {
    for (const { path, value } of leavesOf(fields, except)) {
      let column = columns.get(path);
      if (column === undefined) {
        column = { path, names: namesOf(path), depth: path.split('.').length, order: columns.size, values: [] };
        columns.set(path, column);
      }
      if (!isEmpty(value)) column.values.push({ record, value });
    }
  }
  return [...columns.values()];
}

/** The likeliest name; of equals the one that stands least deep. */
function findByName(
  columns: readonly Column[],
  names: readonly string[],
  entry: FieldEntry,
  claimed: ReadonlySet<string>,
): Column | undefined {
  return columns
    .flatMap((column) => {
      const named = names.findIndex((name) => column.names.includes(name));
      return named < 0 || claimed.has(column.path) || isContradicted(column, entry) ? [] : [{ column, named }];
    })
    .toSorted(
      (a, b) =>
        a.named - b.named ||
        Number(isCode(a.column)) - Number(isCode(b.column)) ||
        a.column.depth - b.column.depth ||
        a.column.order - b.column.order,
    )[0]?.column;
}

/** `{code: "C17", label: "Packaging"}`: people read the label. */
function isCode({ path }: Column): boolean {
  return /\.(?:code|id|key)$/i.test(path);
}

/** True when values are there and cannot be read as the field's kind, or plainly are something else. */
function isContradicted(column: Column, entry: FieldEntry): boolean {
  return column.values.length > 0 && !isUsable(column, entry);
}

function isUsable({ values }: Column, { kind, pattern }: FieldEntry): boolean {
  if (kind === 'people' || values.length === 0) return false;
  const usable = values.filter(({ value }) => {
    const read = readValue(kind, value);
    if (read === undefined || read === null) return false;
    if (pattern === 'email') return isEmail(value);
    if (pattern === 'domain') return hostOf(String(read)) !== null;
    // A company called `organization: {…uuid…}`, a person called by an address.
    return kind !== 'text' || !isEmail(value) || pattern === undefined;
  });
  return usable.length >= values.length * patternShare;
}

function findByValue(
  columns: readonly Column[],
  { pattern }: FieldEntry,
  claimed: ReadonlySet<string>,
  surroundings: readonly Surroundings[],
): Column | undefined {
  if (pattern === undefined || pattern === 'person') return undefined;
  const scored = columns.flatMap((column) => {
    if (claimed.has(column.path) || column.values.length === 0) return [];
    const fitting = column.values.filter(({ record, value }) => {
      const text = readText(Array.isArray(value) ? value.find((item) => !isEmpty(item)) : value);
      return typeof text === 'string' && fitsPattern(pattern, text, surroundings[record] ?? nothingKnown);
    });
    const share = fitting.length / column.values.length;
    return share >= patternShare ? [{ column, share, fitting: fitting.length }] : [];
  });
  return scored.toSorted((a, b) => b.fitting - a.fitting || b.share - a.share || a.column.order - b.column.order)[0]
    ?.column;
}

const nothingKnown: Surroundings = { domain: null, email: null };

function toSurroundings(records: readonly Json[], readings: ReadonlyMap<string, FieldReading>): Surroundings[] {
  const text = (record: Json, field: string) => {
    const path = readings.get(field)?.path ?? null;
    const found = path === null ? null : readText(innerText(valueAt(record, path)));
    return typeof found === 'string' ? found : null;
  };
  return records.map((record) => ({
    domain: hostOf(text(record, 'domain') ?? text(record, 'website_url')),
    email: text(record, 'email'),
  }));
}

function innerText(value: unknown): unknown {
  return Array.isArray(value) && innerRecord(value) === null ? value.find((item) => !isEmpty(item)) : value;
}
