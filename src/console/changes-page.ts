/** What an order changed in records that HubSpot had already. Any value may name a person: texts of companies too. */
import { html } from 'hono/html';
import type { Ledger } from '../ledger/ledger.ts';
import type { ChangedRecord } from '../ledger/value-change-store.ts';
import { toOrderTitle } from './order-page.ts';
import { person, shown, table, time, toQuery, type Markup, type Page } from './layout.ts';

const recordsShown = 50;

export interface ChangesQuery {
  readonly object: 'companies' | 'contacts';
  /** The last record id of the page before; empty for the first page. */
  readonly after: string;
}

export async function changesPage(
  ledger: Ledger,
  orderId: string,
  { object, after }: ChangesQuery,
): Promise<Page | null> {
  const order = await ledger.orders.get(orderId);
  if (order === undefined) return null;
  const found = await ledger.valueChanges.page(orderId, { object, after, limit: recordsShown + 1 });
  const records = found.slice(0, recordsShown);
  const next = found.length > recordsShown ? (records.at(-1)?.recordId ?? null) : null;
  const other = object === 'companies' ? 'contacts' : 'companies';
  const address = `/orders/${orderId}/changes`;
  const body = html`
    <p>
      <a href="/orders/${orderId}">The order</a> - ${object}, and
      <a href="${address}${toQuery({ object: other })}">${other}</a>. Records that the order created are not listed
      here: they are with their <a href="/orders/${orderId}/rows">rows</a>.
    </p>
    ${
      records.length === 0
        ? html`<p>Nothing was changed.</p>`
        : table('Changes', ['Record', 'Property', 'Before', 'After', 'Written'], records.flatMap(toRows))
    }
    ${next === null ? '' : html`<p class="pages"><a href="${address}${toQuery({ object, after: next })}">Next records</a></p>`}
  `;
  return { title: `Changes of ${toOrderTitle(order)}`, body };
}

function toRows({ recordId, at, changes }: ChangedRecord): Markup[] {
  return Object.entries(changes).map(
    ([property, { before, after }]) =>
      html`<tr>
        <td><a href="/why${toQuery({ q: recordId })}">${shown(recordId)}</a></td>
        <td>${shown(property)}</td>
        <td>${toValue(before)}</td>
        <td>${toValue(after)}</td>
        <td>${time(at)}</td>
      </tr>`,
  );
}

export function toValue(text: string | null): Markup {
  return text === null || text === '' ? html`nothing` : person(text);
}
