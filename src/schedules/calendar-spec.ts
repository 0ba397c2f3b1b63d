/** Calendars in the words of Temporal's client. */
import { DAYS_OF_WEEK, MONTHS, type CalendarSpec, type DayOfWeek, type Month } from '@temporalio/client';
import { toNumberRanges, type Calendar } from '../calendar/calendar.ts';

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

export function monthNumber(name: Month): number {
  return MONTHS.indexOf(name) + 1;
}

export function weekdayNumber(name: DayOfWeek): number {
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
