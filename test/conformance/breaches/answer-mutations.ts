/** Mutations of an answer. A path names members: `summary.reasons[].count`, `items[status=PARTIAL].company`, `[0].id`. */
import type { Change, Seen } from '../conformance-harness.ts';

export type Row = Record<string, unknown>;

/** An answer with its place: `nth` counts the answers of the operation from 1; `earlier` are all answers before it. */
export interface NumberedAnswer extends Seen {
  readonly nth: number;
  readonly earlier: readonly Seen[];
}

export interface Mutation {
  /** For the title of the test. */
  readonly name: string;
  readonly mutate: (answer: NumberedAnswer) => Change;
}

export const rows = (value: unknown) => (value ?? []) as Row[];
export const row = (value: unknown) => (value ?? {}) as Row;

const foreignId = '00000000-0000-4000-8000-000000000001';
const created_at = '2026-11-01T10:00:00.000000Z';
const updated_at = created_at;
export const foreignBlacklist = { id: foreignId, name: 'A', description: null, entry_count: 0, created_at, updated_at };
const noPlace = { website_url: null, city: null, country: null };
export const foreignEntry = { id: foreignId, company_name: 'A', ...noPlace, external_id: null, reason: null, created_at };
export const fault = { code: 'INTERNAL_ERROR', message: 'x' };
export const invalidBody = { detail: [] };
export const noSlots = { requested_count: 0, fully_enriched_count: 0, annotated_count: 0, reasons: [] };
export const emptyPage = { items: [], total: 0, has_more: false, summary: noSlots };

export function mutation(name: string, mutate: Mutation['mutate']): Mutation {
  return { name, mutate };
}

/** Replaces status and body. Without `body` the body is empty. */
export function answer(status: number, body?: unknown): Mutation {
  return mutation(`answers ${status}`, () => (body === undefined ? { status, text: '' } : { status, body }));
}

/** Replaces what is at `path`, or the whole body, by a value that may follow from the present one. */
export function compute(
  name: string,
  path: string,
  toValue: (old: never, answer: NumberedAnswer) => unknown,
): Mutation {
  const steps = path.match(/[^.[\]]+|\[[^\]]*\]/g) ?? [];
  return mutation(`${name} ${path}`.trim(), (answer) => {
    // The body of a `Seen` is always an object, its text may be an array.
    const body: unknown = answer.text === '' ? {} : JSON.parse(answer.text);
    return { body: update(body, steps, (old) => toValue(old as never, answer)) };
  });
}

export function set(path: string, value: unknown): Mutation {
  return compute(`${JSON.stringify(value)} as`, path, () => value);
}

export function drop(path: string): Mutation {
  return compute('drops', path, () => undefined);
}

/** Another valid value of the same type, and another one for each answer. */
export function other(path: string): Mutation {
  return compute('another', path, (value, { nth }) => otherValue(value, nth));
}

/** Changes several members of the record at `path`. */
export function merge(members: Row, path = ''): Mutation {
  return compute(`sets ${Object.keys(members).join()}`, path, (record) => record && { ...row(record), ...members });
}

export function keep(path: string, start: number, end?: number): Mutation {
  return compute(`items ${start} to ${end ?? 'the last'} only of`, path, (list) => rows(list).slice(start, end));
}

export function append(path: string, item: unknown): Mutation {
  return compute('one more item in', path, (list) => [...rows(list), item]);
}

export function reverse(path: string): Mutation {
  return compute('reverses', path, (list) => rows(list).toReversed());
}

/** Lists every item twice. */
export function repeat(path: string): Mutation {
  return compute('repeats', path, (list) => rows(list).flatMap((item) => [item, item]));
}

export function header(name: string, value: string | null): Mutation {
  return mutation(`${value} as header ${name}`, () => ({ headers: { [name]: value } }));
}

export function replaceText(part: string, replacement: string): Mutation {
  return mutation(`${replacement} in place of ${part}`, ({ text }) => ({ text: text.replaceAll(part, replacement) }));
}

/** Mutates only the answers to such requests. */
export function whenSent(isMeant: (sent: Row) => boolean, { name, mutate }: Mutation): Mutation {
  return mutation(`${name} to some requests`, (answer) => (isMeant(answer.sent) ? mutate(answer) : undefined));
}

function update(value: unknown, [step, ...rest]: readonly string[], change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (!step.startsWith('[')) {
    return typeof value === 'object' && value !== null
      ? { ...value, [step]: update(row(value)[step], rest, change) }
      : value;
  }
  const [member = '', expected] = step.slice(1, -1).split('=');
  return rows(value).map((item, index) => {
    const isMeant =
      expected === undefined ? ['', String(index)].includes(member) : String(row(item)[member]) === expected;
    return isMeant ? update(item, rest, change) : item;
  });
}

function toTimestamp(microseconds: number): string {
  return `2026-11-21T00:00:00.${String(microseconds).padStart(6, '0')}Z`;
}

function otherValue(value: unknown, nth: number): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value !== 'string') return `other ${nth}`;
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-/.test(value)) return crypto.randomUUID();
  if (/^[\da-f]{64}$/.test(value)) return String(nth).padStart(64, '0');
  return /^\d{4}-\d\d-\d\dT/.test(value) ? toTimestamp(nth) : `other ${nth}`;
}
