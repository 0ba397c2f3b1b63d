/** Detects where responses carry the fields that the specification does not show: by setting, then by name, then by value. */
import { companyFields } from '../contract/company-fields.ts';
import type { FieldEntry } from '../contract/field-definition.ts';
import { prospectFields } from '../contract/prospect-fields.ts';
import { hostOf } from '../contract/website-domain.ts';
import {
  normalizeKey,
  innerRecord,
  isEmpty,
  flattenRecord,
  candidateNamesOf,
  readDottedPath,
} from './flatten-record.ts';
import { isEmail, detectProspects, mostSamples, pathInCompany, prospectsAt } from './detect-prospects.ts';
import { readText, readValue } from './read-value.ts';
import type { FieldReading, FieldSettings, Shape } from './shape.ts';
import { matchesPattern, type RecordContext } from './value-patterns.ts';
import { isRecord } from '../../base/json/own-property.ts';

type Json = Readonly<Record<string, unknown>>;

/** A pattern counts as found when at least this share of the values matches. */
const patternShare = 0.6;

const absent: FieldReading = { path: null, by: 'absent' };

interface DetectionInput {
  /** Slots as they were received, with a company. */
  readonly slots: readonly Json[];
  readonly settings: FieldSettings;
  /** The shape detected before; kept as long as the responses match it. */
  readonly previous: Shape | null;
}

export function detectShape({ slots, settings, previous }: DetectionInput): Shape {
  const companies = slots.flatMap((slot) => (isRecord(slot['company']) ? [slot['company']] : []));
  const prospects = detectProspects(slots, settings.company.prospects, previous?.company.prospects);
  const company = detectFields(companyFields, {
    records: companies.slice(0, mostSamples),
    settings: settings.company,
    previous: previous?.company ?? {},
    except: pathInCompany(prospects.path),
    leaveOut: 'prospects',
  });
  const people = slots.flatMap((slot) => prospectsAt(slot, prospects.path)).slice(0, mostSamples);
  const prospect = detectFields(prospectFields, {
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
  /** Path of the prospects, which are not a field of the company. */
  readonly except: string | null;
  readonly leaveOut: string | null;
}

/** The values at one path of all records. */
interface Column {
  readonly path: string;
  readonly names: readonly string[];
  readonly depth: number;
  readonly order: number;
  /** Values that are not empty, with the index of their record. */
  readonly values: { readonly record: number; readonly value: unknown }[];
}

function detectFields(
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
  // Exact names come before other names, and columns with values before empty ones.
  const full = columns.filter(({ values }) => values.length > 0);
  for (const [candidates, takesOtherNames] of [
    [full, false],
    [full, true],
    [columns, true],
  ] as const) {
    for (const [field, entry] of open()) {
      const names = [field, ...(takesOtherNames ? entry.names : [])].map(normalizeKey);
      const column = findByName(candidates, names, entry, claimed);
      if (column !== undefined) claim(field, column.path, 'name');
    }
  }
  const contexts = toRecordContexts(records, readings);
  for (const [field, entry] of open()) {
    const column = findByValue(columns, entry, claimed, contexts);
    if (column === undefined) readings.set(field, absent);
    else {
      claim(field, column.path, 'value');
      // A found field helps to find the next: a name by the email address, the company name by the domain.
      contexts.splice(0, contexts.length, ...toRecordContexts(records, readings));
    }
  }
  return Object.fromEntries(fields.map(([field]) => [field, readings.get(field) ?? absent]));
}

function toColumns(records: readonly Json[], except: string | null): Column[] {
  const columns = new Map<string, Column>();
  for (const [record, fields] of records.entries()) {
    for (const { path, value } of flattenRecord(fields, except)) {
      let column = columns.get(path);
      if (column === undefined) {
        column = {
          path,
          names: candidateNamesOf(path),
          depth: path.split('.').length,
          order: columns.size,
          values: [],
        };
        columns.set(path, column);
      }
      if (!isEmpty(value)) column.values.push({ record, value });
    }
  }
  return [...columns.values()];
}

/** The column with the most likely name; among equal names the least nested one. */
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

/** A code is the last choice: in `{code: "C17", label: "Packaging"}` the label is preferred. */
function isCode({ path }: Column): boolean {
  return /\.(?:code|id|key)$/i.test(path);
}

/** True when the values cannot be read as the kind of the field, or are clearly something else. */
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
    // An email address is not the name of a company or person.
    return kind !== 'text' || !isEmail(value) || pattern === undefined;
  });
  return usable.length >= values.length * patternShare;
}

function findByValue(
  columns: readonly Column[],
  { pattern }: FieldEntry,
  claimed: ReadonlySet<string>,
  contexts: readonly RecordContext[],
): Column | undefined {
  if (pattern === undefined || pattern === 'person') return undefined;
  const scored = columns.flatMap((column) => {
    if (claimed.has(column.path) || column.values.length === 0) return [];
    const fitting = column.values.filter(({ record, value }) => {
      const text = readText(Array.isArray(value) ? value.find((item) => !isEmpty(item)) : value);
      return typeof text === 'string' && matchesPattern(pattern, text, contexts[record] ?? emptyContext);
    });
    const share = fitting.length / column.values.length;
    return share >= patternShare ? [{ column, share, fitting: fitting.length }] : [];
  });
  return scored.toSorted((a, b) => b.fitting - a.fitting || b.share - a.share || a.column.order - b.column.order)[0]
    ?.column;
}

const emptyContext: RecordContext = { domain: null, email: null };

function toRecordContexts(records: readonly Json[], readings: ReadonlyMap<string, FieldReading>): RecordContext[] {
  const text = (record: Json, field: string) => {
    const path = readings.get(field)?.path ?? null;
    const found = path === null ? null : readText(innerText(readDottedPath(record, path)));
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
