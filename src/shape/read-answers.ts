/** Orders, profile creations and pages of results as the client uses them, however a service wraps them. */
import { resultArrayNames } from '../contract/wrapper-names.ts';
import type { ProfileCreation, ResultSummary } from '../contract/index.ts';
import { normalizeKey, isEmpty, isRecord } from './flatten-record.ts';
import { boundWord, boundWords } from '../text/bound-text.ts';
import { readCount, readId, readText, readTime, readValue } from './read-value.ts';
import { isSlot } from './read-slot.ts';
import { findField, recordsIn, findRecordWith } from './find-record.ts';
import { toPrintablePath } from '../text/printable-text.ts';

type Json = Readonly<Record<string, unknown>>;

/** What stands in the way of using an answer, in words without its values. */
export interface Problem {
  readonly problem: string;
}

export function isProblem(read: object): read is Problem {
  return 'problem' in read;
}

/** An order as the service tells it; null for what it does not tell. */
export interface ReadOrder {
  readonly order_id: string;
  readonly status: string;
  readonly briefing_quantity: number | null;
  readonly available_briefing_quantity: number | null;
  readonly results_published: boolean;
  readonly result_summary: ResultSummary | null;
  readonly order_type: string | null;
  readonly profile_id: string | null;
  readonly title: string | null;
  readonly features: readonly string[] | null;
  /** ISO 8601. */
  readonly created_at: string | null;
}

/** The order of an answer. Its status is all that must be there ("Order"). */
export function readOrder(answer: unknown, orderId: string): ReadOrder | Problem {
  const found =
    findRecordWith(answer, ['order_id', 'status']) ??
    findRecordWith(answer, ['status', 'results_published']) ??
    findRecordWith(answer, ['status']);
  const status = readText(found?.record['status']);
  if (found === null || typeof status !== 'string') return missing('status', answer);
  const { record } = found;
  const summary = readSummary(record['result_summary']);
  return {
    order_id: readId(record['order_id']) ?? orderId,
    status: boundWord(status),
    briefing_quantity: readCount(record['briefing_quantity']) ?? null,
    available_briefing_quantity: readCount(record['available_briefing_quantity']) ?? null,
    results_published: readValue('boolean', record['results_published']) ?? summary !== null,
    result_summary: summary,
    order_type: readText(named(record, ['order_type', 'type', 'kind', 'order_kind'])) ?? null,
    profile_id: readId(named(record, ['profile_id', 'search_profile_id'])) ?? null,
    title: readText(named(record, ['title', 'name', 'order_title'])) ?? null,
    features: readWords(record['features']),
    created_at:
      readTime(named(record, ['created_at', 'created', 'created_on', 'submitted_at', 'date_created'])) ?? null,
  };
}

/** `message` and what else the answer carries is left aside. */
export function readProfileCreation(answer: unknown): ProfileCreation | Problem {
  const found = findRecordWith(answer, ['profile_creation_id', 'status']) ?? findRecordWith(answer, ['id', 'status']);
  const id = readId(found?.record['profile_creation_id'] ?? found?.record['id']);
  const status = readText(found?.record['status']);
  if (found === null || typeof id !== 'string') return missing('profile_creation_id', answer);
  if (typeof status !== 'string') return missing('status', answer);
  const { record } = found;
  const errorCode = readText(record['error_code']);
  return {
    profile_creation_id: id,
    status: boundWord(status),
    profile_id: readId(record['profile_id']) ?? null,
    error_code: typeof errorCode === 'string' ? boundWord(errorCode) : null,
    error_message: readText(record['error_message']) ?? null,
    created_at: readTime(record['created_at']) ?? '',
    started_at: readTime(record['started_at']) ?? null,
    finished_at: readTime(record['finished_at']) ?? null,
  };
}

/** One page of results; slots as they were received. */
export interface ResultsPage {
  readonly summary: ResultSummary | null;
  readonly total: number | null;
  readonly hasMore: boolean | null;
  readonly slots: Json[];
  /** Name of the array of slots, with its wrappers. */
  readonly itemsAt: string;
}

/** `setting`: name of the array where it is configured (A01). */
export function readResultsPage(answer: unknown, setting: string | null): ResultsPage | Problem {
  const found = findSlots(answer, setting);
  if ('problem' in found) return found;
  return {
    slots: found.slots,
    itemsAt: found.path,
    summary: readSummary(findField(answer, 'summary')),
    total: readCount(findField(answer, 'total')) ?? null,
    hasMore: readValue('boolean', findField(answer, 'has_more')) ?? null,
  };
}

interface Lists {
  readonly path: string;
  readonly key: string;
  readonly list: readonly unknown[];
}

/** The array whose items have input_position and status; else, of empty ones, the likeliest name. */
function findSlots(answer: unknown, setting: string | null): { slots: Json[]; path: string } | Problem {
  const lists = [...(Array.isArray(answer) ? [{ path: '', key: '', list: answer }] : []), ...listsIn(answer)];
  const chosen = setting === null ? undefined : lists.find(({ path, key }) => path === setting || key === setting);
  const full = lists.find(({ list }) => list.length > 0 && list.every(isSlot));
  const names = resultArrayNames.map(normalizeKey);
  const empty = lists
    .filter(({ list }) => list.length === 0)
    .map((list) => ({ ...list, rank: names.indexOf(normalizeKey(list.key)) }))
    .filter(({ rank }) => rank >= 0)
    .toSorted((a, b) => a.rank - b.rank)[0];
  const total = readCount(findField(answer, 'total')) ?? null;
  const found =
    chosen ??
    full ??
    (total === 0 || lists.length === 1 ? (empty ?? lists.find(({ list }) => list.length === 0)) : empty);
  if (found === undefined)
    return { problem: `no array of slots was found (${toKeys(answer)}). Set service.results_items to its name` };
  const slots = found.list.filter(isSlot);
  if (slots.length === found.list.length) return { slots, path: found.path };
  return { problem: `items of ${toPrintablePath(found.path)} have no input_position or no status` };
}

function listsIn(answer: unknown): Lists[] {
  return recordsIn(answer, (key) => key !== 'summary').flatMap(({ record, path }) =>
    Object.entries(record).flatMap(([key, value]) =>
      Array.isArray(value) ? [{ path: path === '' ? key : `${path}.${key}`, key, list: value }] : [],
    ),
  );
}

/** A discovery summary may come without reasons. */
function readSummary(value: unknown): ResultSummary | null {
  if (!isRecord(value)) return null;
  const counts = ['requested_count', 'fully_enriched_count', 'annotated_count'] as const;
  const [requested, enriched, annotated] = counts.map((field) => readCount(value[field]));
  if (typeof requested !== 'number' || typeof enriched !== 'number' || typeof annotated !== 'number') return null;
  const reasons = Array.isArray(value['reasons']) ? value['reasons'].filter(isRecord) : [];
  return {
    requested_count: requested,
    fully_enriched_count: enriched,
    annotated_count: annotated,
    reasons: reasons.map((reason) => ({
      code: boundWord(readText(reason['code']) ?? ''),
      message: readText(reason['message']) ?? '',
      label: readText(reason['label']) ?? null,
      count: readCount(reason['count']) ?? 0,
    })),
  };
}

function named(record: Json, names: readonly string[]): unknown {
  for (const name of names) {
    const key = Object.keys(record).find((candidate) => normalizeKey(candidate) === normalizeKey(name));
    if (key !== undefined && !isEmpty(record[key])) return record[key];
  }
  return null;
}

function readWords(value: unknown): string[] | null {
  return Array.isArray(value) ? boundWords(value.flatMap((word) => readText(word) ?? [])) : null;
}

function missing(field: string, answer: unknown): Problem {
  return { problem: `${field}: not found (${toKeys(answer)})` };
}

/** Names of the answer's fields, those that look like names: a key may be a value in disguise. */
export function toKeys(answer: unknown): string {
  if (!isRecord(answer)) return Array.isArray(answer) ? 'the answer is a list' : 'the answer is no object';
  const keys = Object.keys(answer).map((key) => (/^[\w.-]{1,40}$/.test(key) && !/\d{5}/.test(key) ? key : '…'));
  return `the answer has ${keys.slice(0, 12).join(', ') || 'no field'}${keys.length > 12 ? ', …' : ''}`;
}
