/** The calendar of the overview: the orders of four weeks on their days, and the next starts of schedules in the four weeks after. */
import { html } from 'hono/html';
import { dayMs } from '../base/day-milliseconds.ts';
import { formatDateTime } from '../base/text/format-time.ts';
import { toWallClock } from '../config/calendar/schedule-config.ts';
import { toTimezone } from '../config/calendar/timezones.ts';
import type { CalendarOrder, TimeSpan } from '../ledger/order-calendar.ts';
import { unsuccessfulOrderStatuses } from '../service/contract/enum-values.ts';
import { shown, toQuery, type Markup } from './layout.ts';
import type { ListedStarts } from './schedules-page.ts';

const daysOfWeek = 7;
/** Before tomorrow, and from tomorrow. */
const daysEachWay = 4 * daysOfWeek;
const squaresOfDay = 6;

const outcomes = {
  reconciled: { letter: 'R', text: 'reconciled' },
  findings: { letter: 'F', text: 'findings, or rows that are not reconciled' },
  unsuccessful: { letter: 'X', text: 'ended without success' },
  open: { letter: 'O', text: 'not reconciled yet' },
  start: { letter: 'S', text: 'next start of a schedule' },
} as const;

export interface RunCalendar {
  readonly now: Date;
  /** The newest first. */
  readonly orders: readonly CalendarOrder[];
  /** null: not known, and the four weeks after today are left out. */
  readonly schedules: readonly ListedStarts[] | null;
}

interface Square {
  readonly outcome: keyof typeof outcomes;
  readonly name: string;
  readonly href: string;
  /** The page with the squares after this one. */
  readonly hrefOfMore: string;
  readonly at: Date;
  readonly zone: string;
}

/** Holds all times whose day in some time zone is one of the calendar's past. */
export function toCalendarSpan(now: Date): TimeSpan {
  const tomorrow = startOfDay(now.getTime()) + dayMs;
  const toText = (time: number) => new Date(time).toISOString();
  return { from: toText(tomorrow - (daysEachWay + 1) * dayMs), to: toText(tomorrow + dayMs) };
}

export function toCalendar({ now, orders, schedules }: RunCalendar): Markup {
  const zones = new Map((schedules ?? []).map(({ run, timezone }) => [run, toTimezone(timezone ?? '') ?? 'UTC']));
  const zoneOf = (run: string | null) => zones.get(run ?? '') ?? 'UTC';
  const squares = [
    ...orders.map((order) => toOrderSquare(order, zoneOf(order.runName))),
    ...(schedules ?? []).flatMap(({ run, next }) => next.map((at) => toStartSquare(run, new Date(at), zoneOf(run)))),
  ];
  const byDay = Map.groupBy(squares, ({ at, zone }) => startOfDay(toWallClock(at, zone)));
  const today = startOfDay(now.getTime());
  const first = today - (daysEachWay - 1) * dayMs;
  const weeks = (daysEachWay / daysOfWeek) * (schedules === null ? 1 : 2);
  const toDays = (week: number) =>
    Array.from({ length: daysOfWeek }, (_, day) => first + (week * daysOfWeek + day) * dayMs);
  return html`<div class="calendar">
    <table>
      <caption>
        Orders of the last four weeks${schedules === null ? '' : ', and next starts in the next four weeks'}
      </caption>
      <thead>
        <tr>
          ${toDays(0).map((day) => html`<th scope="col">${toWord(day, { weekday: 'short' })}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${Array.from(
          { length: weeks },
          (_, week) =>
            html`<tr>
              ${toDays(week).map((day) => toCell(day, { squares: byDay.get(day) ?? [], isToday: day === today, isNamed: day === first }))}
            </tr>`,
        )}
      </tbody>
    </table>
    <ul class="legend">
      ${Object.entries(outcomes)
        .filter(([outcome]) => outcome !== 'start' || schedules !== null)
        .map(
          ([outcome, { letter, text }]) =>
            html`<li><span class="square ${outcome}" aria-hidden="true">${letter}</span> ${text}</li>`,
        )}
    </ul>
  </div>`;
}

interface Cell {
  readonly squares: readonly Square[];
  readonly isToday: boolean;
  /** With its month, as each first day of a month. */
  readonly isNamed: boolean;
}

function toCell(day: number, { squares, isToday, isNamed }: Cell): Markup {
  const date = new Date(day);
  const month = isNamed || date.getUTCDate() === 1 ? ` ${toWord(day, { month: 'short' })}` : '';
  const text = html`<time datetime="${date.toISOString().slice(0, 10)}">${date.getUTCDate()}${month}</time>`;
  const more = squares.length - squaresOfDay;
  const last = squares[squaresOfDay - 1];
  return html`<td ${isToday ? html`aria-current="date"` : ''}>
    ${text}
    ${
      squares.length === 0
        ? ''
        : html`<ul>
            ${squares.slice(0, squaresOfDay).map((square) => html`<li>${toLink(square)}</li>`)}
            ${more > 0 && last !== undefined ? html`<li><a href="${last.hrefOfMore}" aria-label="+${more} more">+${more}</a></li>` : ''}
          </ul>`
    }
  </td>`;
}

function toLink({ outcome, name, href, at, zone }: Square): Markup {
  const { letter, text } = outcomes[outcome];
  const local = new Date(toWallClock(at, zone)).toISOString().slice(11, 16);
  const title = shown(`${letter}: ${name}, ${text}, ${local} ${zone} (${formatDateTime(at)})`);
  return html`<a class="square ${outcome}" href="${href}" title="${title}" aria-label="${title}">${letter}</a>`;
}

function toOrderSquare(order: CalendarOrder, zone: string): Square {
  const { orderId, runName, firstSeenAt } = order;
  return {
    outcome: toOutcome(order),
    name: `${runName ?? 'no run'}, order ${orderId.slice(0, 8)}`,
    href: `/orders/${orderId}`,
    hrefOfMore: `/${toQuery({ before: firstSeenAt, order: orderId })}`,
    at: new Date(firstSeenAt),
    zone,
  };
}

function toOutcome({ status, reconciled, total, findingsJson }: CalendarOrder): Square['outcome'] {
  if (unsuccessfulOrderStatuses.some((unsuccessful) => unsuccessful === status)) return 'unsuccessful';
  if (findingsJson === null) return 'open';
  return findingsJson === '[]' && reconciled === total ? 'reconciled' : 'findings';
}

function toStartSquare(run: string, at: Date, zone: string): Square {
  return { outcome: 'start', name: run, href: '/schedules', hrefOfMore: '/schedules', at, zone };
}

function startOfDay(time: number): number {
  return Math.floor(time / dayMs) * dayMs;
}

function toWord(day: number, format: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en', { ...format, timeZone: 'UTC' }).format(new Date(day));
}
