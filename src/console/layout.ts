/** The frame of every page: name, search, navigation, styles, and the script that keeps a page of something that runs up to date. All pages work without it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { toRecordLink, type LinkedObject } from '../hubspot/record-link.ts';
import { toPrintable } from '../base/text/printable-text.ts';

/** Escaped markup. A string in it is escaped, with its control and bidirectional characters. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface Page {
  readonly title: string;
  readonly body: Markup;
  /** 403: nothing was done. 404: the subject is unknown. 500: the page cannot be made. */
  readonly status?: 200 | 400 | 403 | 404 | 500;
}

/** A text of the service, the CRM or a file. */
export function shown(text: string | null): string {
  return text === null ? '' : toPrintable(text);
}

/** What an element that holds a value of a person begins with. */
export const personMark = '<span data-person>';

/** As `shown`, for a text that can name a person or is a value of one: `toFramedText` masks it. */
export function person(text: string | null): Markup {
  return text === null || text === '' ? html`` : html`${raw(personMark)}${shown(text)}</span>`;
}

/** `2026-11-25 07:00`, with the exact time as title. */
export function time(at: string | null): Markup {
  if (at === null || at === '') return html`unknown`;
  return html`<time datetime="${at}" title="${at} (UTC)">${at.slice(0, 16).replace('T', ' ')}</time>`;
}

/** A record of HubSpot. `portalId`: null where it has no page, as in a sandbox. */
export function recordLink(portalId: number | null, object: LinkedObject, id: string): Markup {
  return portalId === null
    ? html`${shown(id)}`
    : html`<a href="${toRecordLink({ portalId }, { object, id })}" rel="noreferrer">${shown(id)}</a>`;
}

/** A query string with the leading `?`; parameters without a value are left out. */
export function toQuery(parameters: Readonly<Record<string, string | null>>): string {
  const set = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  const text = new URLSearchParams(set).toString();
  return text === '' ? '' : `?${text}`;
}

/** A table that scrolls sideways where it is too wide. A column that begins with # is one of numbers. */
export function table(label: string, columns: readonly string[], rows: readonly Markup[]): Markup {
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${columns.map((name) =>
            name.startsWith('#') ? html`<th class="number">${name.slice(1)}</th>` : html`<th>${name}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

const pages = {
  Runs: '/runs',
  Exclusions: '/exclusions',
  Replies: '/replies',
  Schedules: '/schedules',
  Doctor: '/doctor',
  Actions: '/actions',
};

export function renderPage({ title, body }: Page, { isSandbox }: { readonly isSandbox: boolean }): Markup {
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
        <script src="/live.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${isSandbox ? html`<p class="sandbox" role="note">Sandbox: nothing here is real, and nothing costs money.</p>` : ''}
        <header class="container">
          <nav aria-label="Pages">
            <ul>
              <li>
                <a href="/"><strong>prospect-sync</strong></a>
              </li>
              ${Object.entries(pages).map(([name, path]) => html`<li><a href="${path}">${name}</a></li>`)}
            </ul>
          </nav>
          <form role="search" action="/why" method="get">
            <input
              type="search"
              name="q"
              accesskey="/"
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
        <footer class="container"><small>Times are UTC.</small></footer>
      </body>
    </html>`;
}

/** The stylesheet of pico.css (https://picocss.com). */
export function readPico(): string {
  return readFileSync(fileURLToPath(import.meta.resolve('@picocss/pico/css/pico.min.css')), 'utf8');
}

export const styles = `
:root { --pico-font-size: 93.75%; --pico-typography-spacing-vertical: 1rem; }
.container { max-width: 90rem; padding-inline: 1rem; }
h1 { --pico-font-size: 1.6rem; }
h2 { --pico-font-size: 1.25rem; }
header.container { display: flex; flex-wrap: wrap; gap: 0 2rem; align-items: center; }
header form { flex: 1 1 16rem; margin: 0; }
.steps { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; padding: 0; list-style: none; }
.steps li { list-style: none; }
.steps li + li::before { content: '\\2192'; margin-right: 0.75rem; }
header nav ul { flex-wrap: wrap; }
.sandbox { background: var(--pico-mark-background-color); color: var(--pico-mark-color); margin: 0; padding: 0.25rem 1rem; }
form.action { display: inline-flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: center; margin: 0 1rem 0.5rem 0; }
form.action button, form.action input { width: auto; margin: 0; padding: 0.25rem 0.75rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0.5rem 1rem; }
[data-stale]::after { content: 'The console does not answer: what stands here may be old.'; }
.skip { position: absolute; left: -10000px; }
.skip:focus { position: static; }
.needs { border-left: 0.25rem solid var(--pico-primary); padding-left: 1rem; }
:focus-visible { outline: 0.15rem solid var(--pico-color); outline-offset: 0.1rem; }
.calendar table { table-layout: fixed; margin-bottom: 0.5rem; }
.calendar caption { text-align: left; }
.calendar th, .calendar td { padding: 0.15rem; font-size: 0.8rem; }
.calendar td[aria-current] { outline: 0.1rem solid var(--pico-primary); outline-offset: -0.1rem; }
.calendar ul { display: flex; flex-wrap: wrap; gap: 0.15rem; padding: 0; margin: 0; min-height: 1.65rem; }
.calendar li { list-style: none; margin: 0; }
.calendar .legend { gap: 0.25rem 1rem; margin-bottom: 1rem; }
.square { display: inline-block; min-width: 1.65rem; line-height: 1.45rem; border: 0.1rem solid; border-radius: 0.2rem; text-align: center; font-weight: bold; text-decoration: none; print-color-adjust: exact; }
.square.reconciled { background: #1b6e3a; }
.square.findings { background: #8a4b00; }
.square.unsuccessful { background: #a3131f; }
.square.open { background: #4a5568; }
.square, .square:is(:hover, :focus) { color: #fff; }
.square.start, .square.start:is(:hover, :focus) { color: var(--pico-color); border-style: dashed; }
td, th { font-variant-numeric: tabular-nums; vertical-align: top; padding: 0.4rem 0.75rem; }
time { white-space: nowrap; }
td.number, th.number { text-align: right; }
td progress { min-width: 6rem; margin: 0; }
.scroll { overflow-x: auto; }
code { overflow-wrap: anywhere; }
td, dd, li, h1, p { overflow-wrap: break-word; }
td ul { margin: 0; padding-left: 1rem; }
@media print { header, .skip, .pages, form { display: none; } }
`;

/** Replaces the parts of a page that are live; at the end the page is read again. */
export const script = `
for (const place of document.querySelectorAll('[data-live]')) {
  const source = new EventSource(place.dataset.live);
  source.onmessage = ({ data }) => {
    delete place.dataset.stale;
    place.innerHTML = data;
  };
  source.onerror = () => { place.dataset.stale = ''; };
  source.addEventListener('closed', () => source.close());
  source.addEventListener('end', () => {
    source.close();
    location.reload();
  });
}
`;
