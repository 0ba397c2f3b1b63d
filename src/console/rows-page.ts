/** The rows of an order: filtered by status and reason, a page at a time. */
import { html } from 'hono/html';
import type { Ledger } from '../ledger/ledger.ts';
import type { PagedRow } from '../ledger/row-pages.ts';
import { toOrderTitle, toReasonText } from './order-page.ts';
import { shown, toQuery, type Markup, type Page } from './layout.ts';

const rowsShown = 50;

export interface RowsQuery {
  readonly status: string | null;
  readonly reason: string | null;
  /** The last position of the page before; -1 for the first page. */
  readonly after: number;
}

export async function rowsPage(ledger: Ledger, orderId: string, query: RowsQuery): Promise<Page | null> {
  const order = await ledger.orders.get(orderId);
  if (order === undefined) return null;
  const found = await ledger.rowPages(orderId, { ...query, limit: rowsShown + 1 });
  const rows = found.slice(0, rowsShown);
  const { status, reason } = query;
  const filters = [
    status === null ? '' : `status ${shown(status)}`,
    reason === null ? '' : `reason "${shown(toReasonText(reason))}"`,
  ]
    .filter((text) => text !== '')
    .join(', ');
  const next = found.length > rowsShown ? String(rows.at(-1)?.position ?? 0) : null;
  const body = html`
    <p>
      <a href="/orders/${orderId}">The order</a
      >${filters === '' ? '' : html` - only ${filters}: <a href="/orders/${orderId}/rows">show all</a>`}
    </p>
    ${
      rows.length === 0
        ? html`<p>No rows.</p>`
        : html`<div class="scroll" role="region" tabindex="0" aria-label="Rows">
            <table>
              <thead>
                <tr>
                  <th class="number">Row</th>
                  <th>Company</th>
                  <th>Status</th>
                  <th>Reasons</th>
                  <th>HubSpot</th>
                </tr>
              </thead>
              <tbody>
                ${rows.map(toRow)}
              </tbody>
            </table>
          </div>`
    }
    ${next === null ? '' : html`<p class="pages"><a href="/orders/${orderId}/rows${toQuery({ status, reason, after: next })}">Next rows</a></p>`}
  `;
  return { title: `Rows of ${toOrderTitle(order)}`, body };
}

function toRow({ position, status, reasonCodes, externalId, name, domain, outcomes }: PagedRow): Markup {
  const known = domain ?? name;
  return html`<tr>
    <td class="number">${position}</td>
    <td>
      ${known === null ? 'unknown' : html`<a href="/why${toQuery({ q: known })}">${shown(name ?? domain)}</a>`}
      ${externalId === null ? '' : html`<br /><small>external id ${shown(externalId)}</small>`}
    </td>
    <td>${shown(status)}</td>
    <td>${reasonCodes.map((code) => shown(toReasonText(code))).join('; ')}</td>
    <td>
      <ul>
        ${outcomes.map(
          ({ item, outcome, rule, recordId, matchedBy }) =>
            html`<li>
              ${item}
              ${outcome ?? 'open'}${rule === null ? '' : `, ${shown(rule)}`}${recordId === null ? '' : `, record ${shown(recordId)}`}${matchedBy === null ? '' : `, by ${matchedBy}`}
            </li>`,
        )}
      </ul>
    </td>
  </tr>`;
}
