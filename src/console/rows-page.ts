/** The rows of an order: filtered by status and reason, a page at a time. */
import { html } from 'hono/html';
import type { Ledger } from '../ledger/ledger.ts';
import type { OutcomeRow } from '../ledger/outcome-store.ts';
import type { PagedRow } from '../ledger/row-pages.ts';
import { toOrderTitle, toReasonText } from './order-page.ts';
import { toMatchText } from './event-text.ts';
import { person, recordLink, shown, table, toQuery, type Markup, type Page } from './layout.ts';

const rowsShown = 50;

export interface RowsQuery {
  readonly status: string | null;
  readonly reason: string | null;
  /** The last position of the page before; -1 for the first page. */
  readonly after: number;
  /** Portal of the records; null: without links. */
  readonly portalId: number | null;
}

export async function rowsPage(ledger: Ledger, orderId: string, query: RowsQuery): Promise<Page | null> {
  const order = await ledger.orders.get(orderId);
  if (order === undefined) return null;
  const found = await ledger.rowPages(orderId, { ...query, limit: rowsShown + 1 });
  const rows = found.slice(0, rowsShown);
  const { status, reason, portalId } = query;
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
        ? await toEmptyText(ledger, orderId, query)
        : table(
            'Rows',
            ['#Row', 'Company', 'Status', 'Reasons', 'HubSpot'],
            rows.map((row) => toRow(row, { orderId, portalId })),
          )
    }
    ${next === null ? '' : html`<p class="pages"><a href="/orders/${orderId}/rows${toQuery({ status, reason, after: next })}">Next rows</a></p>`}
  `;
  return { title: `Rows of ${toOrderTitle(order)}`, body };
}

/** Names the values that the filter may have, where it has another one. */
async function toEmptyText(ledger: Ledger, orderId: string, { status, reason }: RowsQuery): Promise<Markup> {
  const filters = [
    { parameter: 'status', value: status, counts: await ledger.slots.countByStatus(orderId), toText: shown },
    { parameter: 'reason', value: reason, counts: await ledger.slots.countByReason(orderId), toText: toReasonText },
  ];
  const absent = filters.filter(({ value, counts }) => value !== null && !Object.hasOwn(counts, value));
  if (absent.length === 0) return html`<p>No rows.</p>`;
  return html`${absent.map(({ parameter, value, counts, toText }) => {
    const found = Object.keys(counts).map(
      (code) =>
        html`<li><a href="/orders/${orderId}/rows${toQuery({ [parameter]: code })}">${shown(toText(code))}</a></li>`,
    );
    return html`<p>
        No row of this order has the ${parameter}
        "${shown(value)}".${found.length === 0 ? ' The order has no rows yet.' : ` Its rows have:`}
      </p>
      ${
        found.length === 0
          ? ''
          : html`<ul>
              ${found}
            </ul>`
      }`;
  })}`;
}

interface RowContext {
  readonly orderId: string;
  readonly portalId: number | null;
}

function toRow(
  { position, status, reasonCodes, externalId, name, domain, outcomes }: PagedRow,
  { orderId, portalId }: RowContext,
): Markup {
  const known = domain ?? name;
  return html`<tr>
    <td class="number"><a href="/orders/${orderId}/rows/${position}">${position}</a></td>
    <td>
      ${known === null ? 'unknown' : html`<a href="/why${toQuery({ q: known })}">${shown(name ?? domain)}</a>`}
      ${externalId === null ? '' : html`<br /><small>external id ${person(externalId)}</small>`}
    </td>
    <td>${shown(status)}</td>
    <td>${reasonCodes.map((code) => shown(toReasonText(code))).join('; ')}</td>
    <td>
      <ul>
        ${outcomes.map((outcome) => html`<li>${toOutcome(outcome, portalId)}</li>`)}
      </ul>
    </td>
  </tr>`;
}

/** What became of a company or a person in HubSpot, and by what it was matched. */
export function toOutcome({ item, outcome, rule, recordId, matchedBy }: OutcomeRow, portalId: number | null): Markup {
  const object = item === 'company' ? 'companies' : 'contacts';
  const match = toMatchText(matchedBy);
  return html`${item}
  ${outcome ?? 'open'}${rule === null ? '' : `, ${shown(rule)}`}${recordId === null ? '' : html`, record ${recordLink(portalId, object, recordId)}`}${match === '' ? '' : `, ${match}`}`;
}
