/** The page of one order as a file for a mail or a folder: it holds its styles, and no links, scripts or names of people and companies. */
import { formatDateTime } from '../base/text/format-time.ts';
import { html, raw } from 'hono/html';
import type { Ledger } from '../ledger/ledger.ts';
import { readPico, shown, styles, table, type Markup } from './layout.ts';
import { orderPage } from './order-page.ts';

const print = '@page { size: A4; margin: 15mm; } @media print { :root { --pico-font-size: 10pt; } }';

/** The text of a HTML file; null for an order that the ledger does not have. `at`: when it is made. */
export async function renderReport(ledger: Ledger, orderId: string, at: Date): Promise<string | null> {
  const page = await orderPage(ledger, orderId, false);
  if (page === null) return null;
  const text = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>${shown(page.title)}</title>
        <style>
          ${raw(readPico())}
          ${raw(styles)}
          ${raw(print)}
        </style>
      </head>
      <body>
        <main class="container">
          <h1>${shown(page.title)}</h1>
          ${page.body}
          <h2>Changed in HubSpot</h2>
          ${toChanges(await countChanges(ledger, orderId))}
          <p>
            <small>As the ledger of prospect-sync knew it at ${formatDateTime(at)}.</small>
          </p>
        </main>
      </body>
    </html>`;
  // The links lead to other pages of the console.
  return text.toString().replaceAll(/<a href="\/[^"]*">([^<]*)<\/a>/g, '$1');
}

/** Values of records that HubSpot had already, by object and property. */
async function countChanges({ valueChanges }: Ledger, orderId: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const page of valueChanges.list(orderId))
    for (const { object, changes } of page)
      for (const property of Object.keys(changes)) {
        const name = `${object} ${property}`;
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
  return counts;
}

function toChanges(counts: ReadonlyMap<string, number>): Markup {
  if (counts.size === 0) return html`<p>No value of a record that HubSpot had already was changed.</p>`;
  const rows = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, count]) =>
        html`<tr>
          <td>${shown(name)}</td>
          <td class="number">${count}</td>
        </tr>`,
    );
  return table('Changes', ['Property', '#Records'], rows);
}
