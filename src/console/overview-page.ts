/** The overview: what needs a person, a calendar, the figures of the month, then the newest orders. */
import { html } from 'hono/html';
import type { FindingCount } from '../ledger/certificate-store.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RecentQuery, SeenOrder } from '../ledger/named-orders.ts';
import type { ConsoleWork } from './console-work.ts';
import { shown, table, time, toQuery, type Markup, type Page } from './layout.ts';
import { toCalendar, toCalendarSpan } from './run-calendar.ts';
import { toNotes } from './runs-page.ts';
import { readSchedules } from './schedules-page.ts';

const ordersShown = 50;
const calendarOrders = 500;

export interface OverviewQuery {
  readonly before: RecentQuery['before'];
  /** null: without buttons and Temporal. */
  readonly work: ConsoleWork | null;
  readonly now: Date;
}

export async function overviewPage(ledger: Ledger, { before, work, now }: OverviewQuery): Promise<Page> {
  const orders = await ledger.orders.recent({ limit: ordersShown, before });
  const findings = await ledger.certificates.findingsOf(orders.map(({ orderId }) => orderId));
  const removals = await ledger.exclusionRemovals.listPending();
  const replies = (await ledger.replies.counts()).filter(({ state }) => state === 'quarantined' || state === 'failed');
  const needs: Markup[] = [
    ...orders.flatMap(({ orderId }) => toFindingNeed(orderId, findings.get(orderId) ?? [])),
    ...removals
      .filter(({ approvedAt }) => approvedAt === null)
      .map(
        ({ exclusion, entries, digest }) =>
          html`<li>
            <a href="/exclusions">${entries} removals of exclusion ${shown(exclusion)}</a> wait for approval.
            ${work !== null ? '' : html`<code>prospect-sync exclusions approve ${shown(digest)}</code>`}
          </li>`,
      ),
    ...replies.map(
      ({ state, count }) => html`<li><a href="/replies${toQuery({ state })}">${count} replies</a> are ${state}.</li>`,
    ),
  ];
  const last = orders.length === ordersShown ? orders.at(-1) : undefined;
  const body = html`
    <section class="needs" aria-label="Needs you">
      ${
        needs.length === 0
          ? html`<p>Nothing needs you.</p>`
          : html`<p>${needs.length === 1 ? '1 thing needs' : `${needs.length} things need`} you:</p>
              <ul>
                ${needs}
              </ul>`
      }
    </section>
    ${before === null ? await toMonths(ledger, { work, now }) : ''}
    <h2>Orders</h2>
    ${
      orders.length === 0
        ? html`<p>No orders yet. Place one with <code>prospect-sync run NAME</code>.</p>`
        : table(
            'Orders',
            ['First seen', 'Run', 'Order', 'Kind', 'Status', '#Delivered', '#Ordered', 'Findings'],
            orders.map((order) => toRow(order, findings.get(order.orderId))),
          )
    }
    ${last === undefined ? '' : html`<p class="pages"><a href="/${toQuery({ before: last.firstSeenAt, order: last.orderId })}">Earlier orders</a></p>`}
  `;
  return { title: 'Overview', body };
}

async function toMonths(ledger: Ledger, { work, now }: Omit<OverviewQuery, 'before'>): Promise<Markup> {
  const orders = await ledger.orders.seenIn(toCalendarSpan(now), calendarOrders);
  const answer = work === null ? null : await readSchedules(work);
  const month = {
    from: Date.UTC(now.getUTCFullYear(), now.getUTCMonth()),
    to: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1),
  };
  const { ordered, delivered } = await ledger.orders.briefings({
    from: new Date(month.from).toISOString(),
    to: new Date(month.to).toISOString(),
  });
  const name = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(now);
  return html`<h2>Calendar</h2>
    ${answer === null ? html`<p>${work === null ? 'Next starts are not shown: this console shows the ledger only.' : 'Next starts are not known: no Temporal runs here now.'}</p>` : toNotes(answer.notes)}
    ${orders.length < calendarOrders ? '' : html`<p>Only the newest ${calendarOrders} orders are in the calendar.</p>`}
    ${toCalendar({ now, orders, schedules: answer?.document ?? null })}
    <h2>${name}</h2>
    <p>${ordered} briefings ordered, ${delivered} delivered.</p>`;
}

function toFindingNeed(orderId: string, findings: readonly FindingCount[]): Markup[] {
  if (findings.length === 0) return [];
  const codes = findings.map(({ code, count }) => `${shown(code)}: ${count}`).join(', ');
  return [html`<li><a href="/orders/${orderId}">Order ${orderId.slice(0, 8)}</a> has findings: ${codes}</li>`];
}

function toRow(order: SeenOrder, findings: readonly FindingCount[] | undefined): Markup {
  const { orderId, runName, kind, status, requestedCount, delivered, firstSeenAt } = order;
  const proof =
    findings === undefined
      ? 'not reconciled yet'
      : findings.length === 0
        ? 'none'
        : findings.map(({ code }) => shown(code)).join(', ');
  return html`<tr>
    <td>${time(firstSeenAt)}</td>
    <td>${shown(runName)}</td>
    <td><a href="/orders/${orderId}">${orderId.slice(0, 8)}</a></td>
    <td>${shown(kind)}</td>
    <td>${shown(status)}</td>
    <td class="number">${delivered ?? ''}</td>
    <td class="number">${requestedCount}</td>
    <td>${proof}</td>
  </tr>`;
}
