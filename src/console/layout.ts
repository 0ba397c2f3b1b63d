/** The frame of every page: name, search, navigation, and the styles. All pages work without scripts. */
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { toPrintable } from '../base/text/printable-text.ts';

/** Escaped markup. A string in it is escaped, with its control and bidirectional characters. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface Page {
  readonly title: string;
  readonly body: Markup;
  /** 200 unless the subject is unknown. */
  readonly status?: 200 | 404;
  /** The text of the search box. */
  readonly search?: string;
}

/** A text of the service, the CRM or a file. */
export function shown(text: string | null): string {
  return text === null ? '' : toPrintable(text);
}

/** `2026-11-25 07:00`, with the exact time as title. */
export function time(at: string | null): Markup {
  if (at === null || at === '') return html`unknown`;
  return html`<time datetime="${at}" title="${at} (UTC)">${at.slice(0, 16).replace('T', ' ')}</time>`;
}

/** A query string with the leading `?`; parameters without a value are left out. */
export function toQuery(parameters: Readonly<Record<string, string | null>>): string {
  const set = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  const text = new URLSearchParams(set).toString();
  return text === '' ? '' : `?${text}`;
}

export function renderPage({ title, body, search = '' }: Page): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>${shown(title)} - prospect-sync</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/pico.css" />
        <link rel="stylesheet" href="/console.css" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="container">
          <nav aria-label="Pages">
            <ul>
              <li>
                <a href="/"><strong>prospect-sync</strong></a>
              </li>
            </ul>
          </nav>
          <form role="search" action="/why" method="get">
            <input
              type="search"
              name="q"
              value="${shown(search)}"
              aria-label="Domain, name, address, HubSpot record or order"
              placeholder="domain, name, address, record or order"
            />
            <input type="submit" value="Search" />
          </form>
        </header>
        <main id="main" class="container">
          <h1>${shown(title)}</h1>
          ${body}
        </main>
      </body>
    </html>`;
}

export const styles = `
:root { --pico-font-size: 93.75%; --pico-typography-spacing-vertical: 1rem; }
h1 { --pico-font-size: 1.6rem; }
h2 { --pico-font-size: 1.25rem; }
header.container { display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: center; }
header form { flex: 1 1 16rem; margin: 0; }
.steps { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; padding: 0; list-style: none; }
.steps li { list-style: none; }
.steps li + li::before { content: '\\2192'; margin-right: 0.75rem; }
.skip { position: absolute; left: -10000px; }
.skip:focus { position: static; }
.needs { border-left: 0.25rem solid var(--pico-primary); padding-left: 1rem; }
td, th { font-variant-numeric: tabular-nums; }
td.number, th.number { text-align: right; }
td progress { min-width: 6rem; margin: 0; }
.scroll { overflow-x: auto; }
code { overflow-wrap: anywhere; }
td, dd, li, h1, p { overflow-wrap: break-word; }
td ul { margin: 0; padding-left: 1rem; }
@media print { header, .skip, .pages { display: none; } }
`;
