/** All that is known of a company, a person, a record or an order, in the order of time. */
import { html } from 'hono/html';
import type { HistoryEvent } from '../ledger/company-history.ts';
import { isListingId } from '../ledger/identity.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { eventWords, toEventText } from './event-text.ts';
import { findHistory, findNames, mostNames } from './find-history.ts';
import { shown, time, toQuery, type Markup, type Page } from './layout.ts';

export async function whyPage(ledger: Ledger, what: string): Promise<Page> {
  const order = await ledger.orders.get(what.trim().toLowerCase());
  if (order !== undefined)
    return {
      title: 'An order',
      search: what,
      body: html`<p><a href="/orders/${order.orderId}">Order ${order.orderId}</a> of ${shown(order.runName)}</p>`,
    };
  const events = await findHistory(ledger, what);
  if (events.length > 0)
    return {
      title: 'What is known',
      search: what,
      body: html`<div class="scroll" role="region" tabindex="0" aria-label="What is known">
        <table>
          <thead>
            <tr>
              <th>When</th>
              <th>What</th>
              <th>How</th>
            </tr>
          </thead>
          <tbody>
            ${events.map(toRow)}
          </tbody>
        </table>
      </div>`,
    };
  const names = await findNames(ledger, what);
  return { title: 'Search', search: what, status: names.length === 0 ? 404 : 200, body: toNames(names) };
}

function toNames(names: readonly string[]): Markup {
  if (names.length === 0)
    return html`<p>
      Not found. Search for the domain of a company, its name or the beginning of it, an email address, a HubSpot record
      id, an external id or an order.
    </p>`;
  return html`<p>Several companies have a name that begins so:</p>
    <ul>
      ${names.slice(0, mostNames).map((name) => html`<li><a href="/why${toQuery({ q: name })}">${shown(name)}</a></li>`)}
    </ul>
    ${names.length > mostNames ? html`<p>And more: write more of the name.</p>` : ''}`;
}

function toRow(event: HistoryEvent): Markup {
  const orderId = 'row' in event ? event.row.orderId : null;
  return html`<tr>
    <td>${time(event.at)}</td>
    <td>${eventWords[event.kind]}</td>
    <td>
      ${shown(toEventText(event))}
      ${orderId === null || isListingId(orderId) ? '' : html`<a href="/orders/${orderId}">order</a>`}
    </td>
  </tr>`;
}
