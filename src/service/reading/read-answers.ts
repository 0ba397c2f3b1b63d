/** Reads orders, profile creations and pages of results from answers of any form. */
import { resultArrayNames } from '../contract/container-names.ts';
import type { ProfileCreation, ResultSummary } from '../contract/index.ts';
import { normalizeKey, isEmpty } from './flatten-record.ts';
import { boundWord, boundWords } from '../../base/text/bound-text.ts';
import { readCount, readId, readText, readTime, readValue } from './read-value.ts';
import { isSlot } from './read-slot.ts';
import { findField, recordsIn, findRecordWith } from './find-record.ts';
import { toPrintablePath } from '../../base/text/printable-text.ts';
import { isRecord } from '../../base/json/own-property.ts';

type Json = Readonly<Record<string, unknown>>;

/** Why an answer cannot be used, without its values. */
export interface AnswerProblem {
  readonly problem: string;
}

export function isProblem(read: object): read is AnswerProblem {
  return 'problem' in read;
}

/** An order; null for values that the service does not send. */
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

/** Reads an order. Only its status is required ("Order"). */
export function readOrder(answer: unknown, orderId: string): ReadOrder | AnswerProblem {
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
    order_type: readText(valueByName(record, ['order_type', 'type', 'kind', 'order_kind'])) ?? null,
    profile_id: readId(valueByName(record, ['profile_id', 'search_profile_id'])) ?? null,
    title: readText(valueByName(record, ['title', 'name', 'order_title'])) ?? null,
    features: readWords(record['features']),
    created_at:
      readTime(valueByName(record, ['created_at', 'created', 'created_on', 'submitted_at', 'date_created'])) ?? null,
  };
}

/** Reads a profile creation; other fields, such as `message`, are ignored. */
export function readProfileCreation(answer: unknown): ProfileCreation | AnswerProblem {
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

/** One page of results; slots as received. */
export interface ResultsPage {
  readonly summary: ResultSummary | null;
  readonly total: number | null;
  readonly hasMore: boolean | null;
  readonly slots: Json[];
  /** Path of the array of slots. */
  readonly itemsAt: string;
}

/** `setting`: the configured name of the array (A01), or null. */
export function readResultsPage(answer: unknown, setting: string | null): ResultsPage | AnswerProblem {
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

/** The array whose items have input_position and status; if all are empty, the one with the most likely name. */
function findSlots(answer: unknown, setting: string | null): { slots: Json[]; path: string } | AnswerProblem {
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
  const mixed = lists.find(({ list }) => list.some(isSlot));
  if (found === undefined && mixed !== undefined)
    return {
      problem: `item ${mixed.list.findIndex((item) => !isSlot(item)) + 1} of ${toPrintablePath(mixed.path)} has no input_position or no status that can be read`,
    };
  if (found === undefined)
    return { problem: `no array of slots was found (${describeKeys(answer)}). Set service.results_items to its name` };
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

/** A discovery summary may have no reasons. */
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

function valueByName(record: Json, names: readonly string[]): unknown {
  for (const name of names) {
    const key = Object.keys(record).find((candidate) => normalizeKey(candidate) === normalizeKey(name));
    if (key !== undefined && !isEmpty(record[key])) return record[key];
  }
  return null;
}

function readWords(value: unknown): string[] | null {
  return Array.isArray(value) ? boundWords(value.flatMap((word) => readText(word) ?? [])) : null;
}

function missing(field: string, answer: unknown): AnswerProblem {
  return { problem: `${field}: not found (${describeKeys(answer)})` };
}

/** The field names of an answer, for messages. A key that looks like a value is replaced by `…`. */
export function describeKeys(answer: unknown): string {
  if (!isRecord(answer)) return Array.isArray(answer) ? 'the answer is a list' : 'the answer is not an object';
  const keys = Object.keys(answer).map((key) => (/^[\w.-]{1,40}$/.test(key) && !/\d{5}/.test(key) ? key : '…'));
  return `the answer has ${keys.slice(0, 12).join(', ') || 'no field'}${keys.length > 12 ? ', …' : ''}`;
}
