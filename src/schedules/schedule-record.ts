/** A schedule as texts by field: the one form in which what is wanted and what Temporal has can be compared. */
import type { ScheduleDescription } from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import { z } from 'zod';
import { keyIdOf } from '../codec/encryption-codec.ts';
import { toDurationText } from '../config/duration.ts';
import { digest } from '../json/canonical-json.ts';
import { expand, toCronText, type NumberRange } from '../calendar/calendar.ts';
import { payloadsOf, unreadable } from './describe.ts';
import { monthNumber, weekdayNumber } from './spec.ts';

export const settingNames = [
  'calendars',
  'intervals',
  'skipped calendars',
  'timezone',
  'jitter',
  'start at',
  'end at',
  'overlap',
  'catch up',
  'pause on failure',
  'remaining starts',
  'run',
  'configuration',
  'workflow',
  'workflow id',
  'task queue',
  'summary',
  'details',
  'memo',
  'header',
  'encryption',
  'search attributes',
  'time limits',
] as const;
export type SettingName = (typeof settingNames)[number];
export type ScheduleSettings = Readonly<Record<SettingName, string>>;

export const nothing = 'none';

/** Name under which a started run's memo, and so its schedule's action, holds the digest of the settings as applied. */
export const settingsMemo = 'prospectSyncSettings';

/** Of longer texts the beginning is shown. */
const textShown = 240;

const inputSchema = z.tuple([z.strictObject({ runName: z.string(), digest: z.string() })]);

/** What Temporal has. */
export function toSettings(description: ScheduleDescription): ScheduleSettings {
  const { spec, action, policies, state } = description;
  const input = inputSchema.safeParse(action.args);
  const other = action.args?.includes(unreadable) ? unreadable : 'another input';
  const [reference] = input.success ? input.data : [{ runName: other, digest: other }];
  return {
    calendars: toListText((spec.calendars ?? []).map(fromCalendar)),
    intervals: toListText((spec.intervals ?? []).map(({ every, offset }) => toIntervalText(every, offset))),
    'skipped calendars': toListText((spec.skip ?? []).map(fromCalendar)),
    timezone: spec.timezone || 'UTC',
    jitter: toDurationText(spec.jitter ?? 0),
    'start at': toTimeText(spec.startAt),
    'end at': toTimeText(spec.endAt),
    overlap: String(policies.overlap).toLowerCase(),
    'catch up': toDurationText(policies.catchupWindow),
    'pause on failure': policies.pauseOnFailure ? 'yes' : 'no',
    'remaining starts': state.remainingActions === undefined ? 'unlimited' : String(state.remainingActions),
    run: reference.runName,
    configuration: reference.digest,
    workflow: action.workflowType,
    'workflow id': action.workflowId ?? nothing,
    'task queue': action.taskQueue,
    summary: toLineText(action.staticSummary),
    details: toDetailsText(action.staticDetails, reference.digest),
    memo: toListText(Object.keys(action.memo ?? {}).filter((name) => name !== settingsMemo)),
    header: toListText(Object.keys(description.raw.schedule?.action?.startWorkflow?.header?.fields ?? {})),
    encryption: toEncryptionText(payloadsOf(description).map(keyIdOf)),
    'search attributes': toAttributesText(toPairs(action.typedSearchAttributes)),
    'time limits': toLimitsText(action),
  };
}

/** Recognises settings that nobody has changed since. */
export function settingsDigest(settings: ScheduleSettings): string {
  return digest(settings).slice(0, 12);
}

export function toListText(texts: readonly string[]): string {
  return texts.length === 0 ? nothing : [...new Set(texts)].toSorted().join(' | ');
}

/** Without the configuration's digest, which is a setting of its own: one change is told once. */
export function toDetailsText(details: string | undefined, configuration: string): string {
  return toLineText(details?.replaceAll(configuration, 'as above'));
}

/** Of texts that are too long for a line, the beginning and a digest. */
function toLineText(text: string | undefined): string {
  const line = text?.trim().replaceAll(/\s+/g, ' ') || nothing;
  return line.length > textShown ? `${line.slice(0, textShown)}… (${digest(text).slice(0, 12)})` : line;
}

export function toIntervalText(everyMs: number, offsetMs: number): string {
  return `${toDurationText(everyMs)}${offsetMs === 0 ? '' : ` + ${toDurationText(offsetMs)}`}`;
}

export function toTimeText(time: Date | null | undefined): string {
  return time?.toISOString() ?? nothing;
}

export function toAttributesText(pairs: readonly { key: { name: string }; value: unknown }[]): string {
  return toListText(pairs.map(({ key, value }) => `${key.name} = ${String(value)}`));
}

/** Ids of the keys that payloads are encrypted with; null is none. */
export function toEncryptionText(keyIds: readonly (string | null)[]): string {
  return toListText(keyIds.map((id) => (id === null ? nothing : `key ${id}`)));
}

function toPairs(attributes: ScheduleDescription['action']['typedSearchAttributes']): SearchAttributePair[] {
  if (attributes === undefined) return [];
  return Array.isArray(attributes) ? attributes : attributes.getAll();
}

type DescribedCalendar = NonNullable<ScheduleDescription['spec']['calendars']>[number];

function fromCalendar({ month, dayOfWeek, ...numbers }: DescribedCalendar): string {
  const all = (ranges: readonly NumberRange[]) =>
    [...new Set(ranges.flatMap(expand))].toSorted((left, right) => left - right);
  return toCronText({
    second: all(numbers.second),
    minute: all(numbers.minute),
    hour: all(numbers.hour),
    dayOfMonth: all(numbers.dayOfMonth),
    year: all(numbers.year),
    month: all(month.map(({ start, end, step }) => ({ start: monthNumber(start), end: monthNumber(end), step }))),
    dayOfWeek: all(
      dayOfWeek.map(({ start, end, step }) => ({ start: weekdayNumber(start), end: weekdayNumber(end), step })),
    ),
  });
}

/** A schedule of ours sets none. */
function toLimitsText({ retry, ...action }: ScheduleDescription['action']): string {
  const { workflowExecutionTimeout, workflowRunTimeout, workflowTaskTimeout } = action;
  const limits = { execution: workflowExecutionTimeout, run: workflowRunTimeout, task: workflowTaskTimeout };
  const set = Object.entries(limits).filter(([, limit]) => limit !== undefined && limit !== 0);
  const texts = set.map(([name, limit]) => `${name} ${toDurationText(Number(limit))}`);
  return toListText([...texts, ...(retry === undefined ? [] : [`attempts ${retry.maximumAttempts ?? 'unlimited'}`])]);
}
