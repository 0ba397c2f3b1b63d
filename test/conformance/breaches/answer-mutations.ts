/** Mutations of an answer. A path names members: `summary.reasons[].count`, `items[status=PARTIAL].company`, `[0].id`. */
import type { Change, Seen } from '../conformance-harness.ts';
import { namedValues } from './named-values.ts';

type Row = Record<string, unknown>;

/** An answer with its place: `nth` counts the answers of the operation from 1; `earlier` are all answers before it. */
export interface NumberedAnswer extends Seen {
  readonly nth: number;
  readonly earlier: readonly Seen[];
}

export type Mutation = (answer: NumberedAnswer) => Change;

const rows = (value: unknown) => (value ?? []) as Row[];
const row = (value: unknown) => (value ?? {}) as Row;

/** What becomes of the value at a path, or of the whole body at the path `.`. */
const valueMutations: Readonly<Record<string, (old: unknown, operand: unknown, answer: NumberedAnswer) => unknown>> = {
  set: (_, value) => value,
  drop: () => undefined,
  merge: (old, members) => old && { ...row(old), ...row(members) },
  /** Another valid value of the same type, and another one for each answer. */
  other: (old, _, { nth }) => otherValue(old, nth),
  shorten: (old) => (typeof old === 'string' ? old.slice(1) : old),
  keep: (old, range) => rows(old).slice(...(range as [start: number, end?: number])),
  append: (old, item) => [...rows(old), item],
  repeat: (old) => rows(old).flatMap((item) => [item, item]),
  reverse: (old) => rows(old).toReversed(),
  /** The value of the first answer that has this member. */
  first: (old, member, { earlier }) => earlier.find(({ body }) => String(member) in body)?.body[String(member)] ?? old,
  /** Lists the blacklist whose creation was refused. */
  appendRefused(old, blacklist, { earlier }) {
    const refused = earlier.find(({ status, sent }) => status === 401 && 'name' in sent);
    return refused ? [...rows(old), { ...row(blacklist), name: refused.sent['name'] }] : old;
  },
  /** Lists the blacklist that was deleted. */
  appendDeleted(old, blacklist, { earlier }) {
    const deletion = earlier.find(({ request, status }) => request.method === 'DELETE' && status === 204);
    return deletion ? [...rows(old), { ...row(blacklist), id: deletion.url.pathname.split('/').at(-1) }] : old;
  },
  /** Lists an entry that was removed. */
  appendRemoved(old, entry, { earlier }) {
    const [id] = earlier.flatMap(({ sent }) => (sent['entry_ids'] ?? []) as string[]);
    return id === undefined ? old : [...rows(old), { ...row(entry), id }];
  },
  /** The first company although it is excluded, or another one although it is not. */
  matchWrongly(old, foreignCompany, { earlier }) {
    const pages = earlier.filter(({ url }) => url.pathname.endsWith('/results'));
    const company = row(rows(pages.find(({ status }) => status === 200)?.body['items'])[0]?.['company']);
    return row(old)['id'] === company['id'] ? { ...company, ...row(foreignCompany) } : company;
  },
};

/** `set items[].company null`: a name, a path, and a value as JSON or by its name. */
export function toMutation(text: string): Mutation {
  const [name = '', path = '', ...rest] = text.split(' ');
  if (name === 'answer') return answer(Number(path), rest.length === 0 ? undefined : toValue(rest.join(' ')));
  if (name === 'header') return () => ({ headers: { [path]: rest[0] ?? null } });
  if (name === 'text') return () => ({ text: String(toValue(path)) });
  if (name === 'replace') {
    const [part, replacement] = toValue(`[${text.slice(name.length).trim().replace('" "', '","')}]`) as string[];
    return (seen) => ({ text: seen.text.replaceAll(part ?? '', replacement ?? '') });
  }
  const change = valueMutations[name];
  if (!change) throw new Error(`no mutation ${name}`);
  const operand = rest.length === 0 ? undefined : toValue(name === 'keep' ? `[${rest.join()}]` : rest.join(' '));
  return (seen) => {
    // The body of a `Seen` is always an object, its text may be an array.
    const body: unknown = seen.text === '' ? {} : JSON.parse(seen.text);
    const steps = path.match(/[^.[\]]+|\[[^\]]*\]/g) ?? [];
    return { body: update(body, steps, (old) => change(old, operand, seen)) };
  };
}

/** Replaces status and body. Without `body` the body is empty. */
export function answer(status: number, body?: unknown): Mutation {
  return () => (body === undefined ? { status, text: '' } : { status, body });
}

function toValue(text: string): unknown {
  return Object.hasOwn(namedValues, text) ? namedValues[text] : JSON.parse(text);
}

function update(value: unknown, [step, ...rest]: readonly string[], change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (step.startsWith('[')) {
    const [member = '', expected] = step.slice(1, -1).split('=');
    const isMeant = (item: Row, index: number) =>
      expected === undefined ? ['', String(index)].includes(member) : String(item[member]) === expected;
    return rows(value).map((item, index) => (isMeant(item, index) ? update(item, rest, change) : item));
  }
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, [step]: update(row(value)[step], rest, change) };
}

function otherValue(value: unknown, nth: number): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value !== 'string') return `other ${nth}`;
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-/.test(value)) return crypto.randomUUID();
  if (/^[\da-f]{64}$/.test(value)) return String(nth).padStart(64, '0');
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return `2026-11-21T00:00:00.${String(nth).padStart(6, '0')}Z`;
  return `other ${nth}`;
}
