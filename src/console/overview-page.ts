/** The overview: what needs a person, then the newest orders. */
import { html } from 'hono/html';
import type { FindingCount } from '../ledger/certificate-store.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { SeenOrder } from '../ledger/named-orders.ts';
import { shown, table, time, toQuery, type Markup, type Page } from './layout.ts';

const ordersShown = 50;

export interface OverviewQuery {
  /** `firstSeenAt` of the last order of the page before. */
  readonly before: string | null;
  readonly isActing: boolean;
}

export async function overviewPage(ledger: Ledger, { before, isActing }: OverviewQuery): Promise<Page> {
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
            ${isActing ? '' : html`<code>prospect-sync exclusions approve ${shown(digest)}</code>`}
          </li>`,
      ),
    ...replies.map(
      ({ state, count }) => html`<li><a href="/replies${toQuery({ state })}">${count} replies</a> are ${state}.</li>`,
    ),
  ];
  const last = orders.length === ordersShown ? (orders.at(-1)?.firstSeenAt ?? null) : null;
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
    ${last === null ? '' : html`<p class="pages"><a href="/${toQuery({ before: last })}">Earlier orders</a></p>`}
  `;
  return { title: 'Overview', body };
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
