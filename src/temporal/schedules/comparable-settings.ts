/** The settings of a schedule as texts: the form in which the configuration and Temporal are compared. */
import {
  type ScheduleDescription,
  DAYS_OF_WEEK,
  MONTHS,
  type CalendarSpec,
  type DayOfWeek,
  type Month,
} from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import { z } from 'zod';
import { keyIdOf } from '../codec/encryption-codec.ts';
import { toDurationText } from '../../config/duration.ts';
import { digest } from '../../base/json/canonical-json.ts';
import {
  expand,
  toCronText,
  type NumberRange,
  toNumberRanges,
  type Calendar,
} from '../../config/calendar/cron-calendar.ts';
import { payloadsOf, unreadable } from './describe-schedule.ts';

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
  'installation',
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

const nothing = 'none';

/** Memo field with the digest of the settings as applied; the action of the schedule and its runs carry it. */
export const settingsMemo = 'prospectSyncSettings';

/** Memo field with the installation that applied the schedule. */
export const installationMemo = 'prospectSyncInstallation';

/** Length in characters. */
const maxTextLength = 240;

const inputSchema = z.tuple([
  z.strictObject({
    runName: z.string(),
    digest: z.string(),
    start: z.literal('scheduled'),
    installation: z.string(),
    announced: z.null(),
  }),
]);

/** A schedule in Temporal, or a configured one. */
export interface ScheduleContent {
  readonly spec: ScheduleDescription['spec'];
  readonly action: ScheduleDescription['action'];
  readonly policies: Pick<ScheduleDescription['policies'], 'overlap' | 'catchupWindow' | 'pauseOnFailure'>;
  readonly remainingActions: number | null;
  readonly headerNames: readonly string[];
  /** Ids of the keys that payloads are encrypted with; null: a payload is not encrypted. */
  readonly keyIds: readonly (string | null)[];
}

/**
 * The installation other than this one that applied the schedule, or `unreadable`; null: this one did, or someone removed the mark in
 * Temporal, as an edit in its UI may.
 */
export function findOtherInstallation(description: ScheduleDescription, own: string): string | null {
  const { installation } = readSettings(description);
  return installation === own || installation === nothing ? null : installation;
}

/** The settings of a schedule as Temporal has it. */
export function readSettings(description: ScheduleDescription): ScheduleSettings {
  const { spec, action, policies, state, raw } = description;
  return toSettings({
    spec,
    action,
    policies,
    remainingActions: state.remainingActions ?? null,
    headerNames: Object.keys(raw.schedule?.action?.startWorkflow?.header?.fields ?? {}),
    keyIds: payloadsOf(description).map(keyIdOf),
  });
}

export function toSettings({ spec, action, policies, ...content }: ScheduleContent): ScheduleSettings {
  const input = inputSchema.safeParse(action.args);
  const other = action.args?.includes(unreadable) ? unreadable : 'another input';
  const installation = action.memo?.[installationMemo];
  const [found] = input.success ? input.data : [];
  // A worker refuses a run of another installation than its own.
  const isOwn = found !== undefined && (installation === undefined || found.installation === installation);
  const reference = isOwn ? found : { runName: other, digest: other };
  return {
    calendars: toListText((spec.calendars ?? []).map(toCalendarText)),
    intervals: toListText((spec.intervals ?? []).map(({ every, offset }) => toIntervalText(every, offset))),
    'skipped calendars': toListText((spec.skip ?? []).map(toCalendarText)),
    timezone: spec.timezone || 'UTC',
    jitter: toDurationText(spec.jitter ?? 0),
    'start at': toTimeText(spec.startAt),
    'end at': toTimeText(spec.endAt),
    overlap: String(policies.overlap).toLowerCase(),
    'catch up': toDurationText(policies.catchupWindow),
    'pause on failure': policies.pauseOnFailure ? 'yes' : 'no',
    'remaining starts': String(content.remainingActions ?? 'unlimited'),
    run: reference.runName,
    configuration: reference.digest,
    workflow: action.workflowType,
    'workflow id': action.workflowId,
    'task queue': action.taskQueue,
    installation: typeof installation === 'string' ? installation : nothing,
    summary: toLineText(action.staticSummary),
    // The digest is a setting of its own: a change of it is shown once.
    details: toLineText(action.staticDetails?.replaceAll(reference.digest, 'as above')),
    memo: toListText(
      Object.keys(action.memo ?? {}).filter((name) => name !== settingsMemo && name !== installationMemo),
    ),
    header: toListText(content.headerNames),
    encryption: toListText(content.keyIds.map((id) => (id === null ? nothing : `key ${id}`))),
    'search attributes': toListText(
      toPairs(action.typedSearchAttributes).map(({ key, value }) => `${key.name} = ${String(value)}`),
    ),
    'time limits': toLimitsText(action),
  };
}

/** `from`: what Temporal has, empty where it has no such schedule; `to`: what the configuration says. */
export interface Difference {
  /** `pause`: only of a pause that `apply` restores. */
  readonly field: SettingName | 'pause';
  readonly from: string;
  readonly to: string;
}

export function diffSettings(from: ScheduleSettings, to: ScheduleSettings): Difference[] {
  return settingNames
    .filter((field) => from[field] !== to[field])
    .map((field) => ({ field, from: from[field], to: to[field] }));
}

/** Shows whether a schedule was changed in Temporal after it was applied. */
export function settingsDigest(settings: ScheduleSettings): string {
  return digest(settings).slice(0, 12);
}

function toListText(texts: readonly string[]): string {
  return texts.length === 0 ? nothing : [...new Set(texts)].toSorted().join(' | ');
}

/** A text that is too long for a line is cut and gets a digest. */
function toLineText(text: string | undefined): string {
  const line = text?.trim().replaceAll(/\s+/g, ' ') || nothing;
  return line.length > maxTextLength ? `${line.slice(0, maxTextLength)}… (${digest(text).slice(0, 12)})` : line;
}

function toIntervalText(everyMs: number, offsetMs: number): string {
  return `${toDurationText(everyMs)}${offsetMs === 0 ? '' : ` + ${toDurationText(offsetMs)}`}`;
}

function toTimeText(time: Date | null | undefined): string {
  return time?.toISOString() ?? nothing;
}

function toPairs(attributes: ScheduleDescription['action']['typedSearchAttributes']): SearchAttributePair[] {
  if (attributes === undefined) return [];
  return Array.isArray(attributes) ? attributes : attributes.getAll();
}

type DescribedCalendar = NonNullable<ScheduleDescription['spec']['calendars']>[number];

function toCalendarText({ month, dayOfWeek, ...numbers }: DescribedCalendar): string {
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

/** prospect-sync sets none. */
function toLimitsText({ retry, ...action }: ScheduleDescription['action']): string {
  const { workflowExecutionTimeout, workflowRunTimeout, workflowTaskTimeout } = action;
  const limits = { execution: workflowExecutionTimeout, run: workflowRunTimeout, task: workflowTaskTimeout };
  const set = Object.entries(limits).filter(([, limit]) => limit !== undefined && limit !== 0);
  const texts = set.map(([name, limit]) => `${name} ${toDurationText(Number(limit))}`);
  return toListText([...texts, ...(retry === undefined ? [] : [`attempts ${retry.maximumAttempts ?? 'unlimited'}`])]);
}

/** A calendar in the form of Temporal's client. */
export function toCalendarSpec(calendar: Calendar): CalendarSpec {
  return {
    second: toNumberRanges(calendar.second),
    minute: toNumberRanges(calendar.minute),
    hour: toNumberRanges(calendar.hour),
    dayOfMonth: toNumberRanges(calendar.dayOfMonth),
    month: toNamedRanges(calendar.month, monthName),
    dayOfWeek: toNamedRanges(calendar.dayOfWeek, weekdayName),
    // Without any year the client sends none, which is every year.
    year: toNumberRanges(calendar.year),
  };
}

function monthNumber(name: Month): number {
  return MONTHS.indexOf(name) + 1;
}

function weekdayNumber(name: DayOfWeek): number {
  return DAYS_OF_WEEK.indexOf(name);
}

function toNamedRanges<Name>(values: readonly number[], toName: (value: number) => Name) {
  return toNumberRanges(values).map(({ start, end, step }) => ({ start: toName(start), end: toName(end), step }));
}

function monthName(month: number): Month {
  return MONTHS[month - 1] ?? 'JANUARY';
}

function weekdayName(day: number): DayOfWeek {
  return DAYS_OF_WEEK[day] ?? 'SUNDAY';
}
