/** Pages as responses, with the addresses and forms of the person who asks. */
import { html } from 'hono/html';
import { unknownPage } from './fixed-pages.ts';
import { personMark, renderPage, time, type Markup, type Page } from './layout.ts';
import type { PeopleView } from './shown-people.ts';

export interface Frame {
  /** The path before that of each page. */
  readonly root: string;
  /** Of every form; see `createConsole`. Characters of base64url. */
  readonly token: string;
  readonly isSandbox: boolean;
  /** Of the page, without the root and the query. */
  readonly path: string;
  /** What the user may see now: a page that is live outlasts the 15 minutes. */
  readonly people: () => PeopleView;
}

/** `null`: the subject is unknown. */
export async function respond(page: Page | null, frame: Frame): Promise<Response> {
  const shownPage = page ?? unknownPage;
  const content = await shownPage.body;
  const body = html`${content.toString().includes(personMark) ? toPeopleForm(frame) : ''}${content}`;
  return new Response(await toFramedText(renderPage({ ...shownPage, body }, frame), frame), {
    status: shownPage.status ?? 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}

function toPeopleForm({ path, people }: Frame): Markup {
  const view = people();
  if (view === 'always') return html``;
  const [action, label, note] =
    view === 'masked'
      ? [
          '/show',
          'Show people',
          html`for 15 minutes, on all pages. It is listed under Actions, with your name and this page.`,
        ]
      : ['/hide', 'Hide people', html`shown until ${time(view.until)}`];
  return html`<form method="post" action="${action}" class="action">
    <input type="hidden" name="path" value="${path}" />
    <button>${label}</button>
    <small>${note}</small>
  </form>`;
}

/** Texts in markup have no quotes and brackets that are not escaped, so that only addresses and forms of pages are changed. */
export async function toFramedText(
  markup: Markup,
  { root, token, people }: Omit<Frame, 'isSandbox' | 'path'>,
): Promise<string> {
  const text = (await markup)
    .toString()
    .replaceAll(/<form method="post"[^<>]*>/g, `$&<input type="hidden" name="token" value="${token}" />`)
    .replaceAll(/ (href|src|action|data-live)="\//g, ` $1="${root}/`);
  return people() === 'masked' ? text.replaceAll(/(<span data-person>)[^<]*/g, '$1•••') : text;
}
