/** All that is known of a company, a person, a record or an order, in the order of time. */
import { html } from 'hono/html';
import type { HistoryEvent } from '../ledger/company-history.ts';
import { isListingId } from '../ledger/identity.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { eventWords, toEventParts } from './event-text.ts';
import { findHistory, findNames, mostNames } from './find-history.ts';
import { person, shown, table, time, toQuery, type Markup, type Page } from './layout.ts';

/** The search stands here and not in its box: the value of a field cannot be masked as an element. */
export async function whyPage(ledger: Ledger, what: string): Promise<Page> {
  const page = await findPage(ledger, what);
  return { ...page, body: html`${what.trim() === '' ? '' : html`<p>Search: ${person(what)}</p>`}${page.body}` };
}

async function findPage(ledger: Ledger, what: string): Promise<Page> {
  const orders = await ledger.orders.named(what.trim());
  if (orders.length > 0)
    return {
      title: orders.length === 1 ? 'An order' : 'Orders',
      body: html`<ul>
          ${orders
            .slice(0, mostNames)
            .map(
              ({ orderId, runName, firstSeenAt }) =>
                html`<li>
                  <a href="/orders/${orderId}">Order ${orderId}</a> of ${shown(runName)}, in the ledger since
                  ${time(firstSeenAt)}
                </li>`,
            )}
        </ul>
        ${orders.length > mostNames ? html`<p>And ${orders.length - mostNames} more: write more of the id.</p>` : ''}`,
    };
  const events = await findHistory(ledger, what);
  if (events.length > 0)
    return {
      title: 'What is known',
      body: table('What is known', ['When', 'What', 'How'], events.map(toRow)),
    };
  const names = await findNames(ledger, what);
  return { title: 'Search', status: names.length === 0 ? 404 : 200, body: toNames(names) };
}

function toNames(names: readonly string[]): Markup {
  if (names.length === 0)
    return html`<p>
      Not found. Search for the domain of a company, its name or the beginning of it, an email address, a HubSpot record
      id, the external id of an ordered row, a run, or the beginning of the id of an order.
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
      ${toEventParts(event).map((part) => (typeof part === 'string' ? shown(part) : person(part.quoted)))}
      ${orderId === null || isListingId(orderId) ? '' : html`<a href="/orders/${orderId}">order</a>`}
    </td>
  </tr>`;
}
