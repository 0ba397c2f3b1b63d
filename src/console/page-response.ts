/** Pages as responses, with the addresses and forms of the person who asks. */
import { unknownPage } from './fixed-pages.ts';
import { renderPage, type Markup, type Page } from './layout.ts';

export interface Frame {
  /** The path before that of each page. */
  readonly root: string;
  /** Of every form; see `createConsole`. Characters of base64url. */
  readonly token: string;
  readonly isSandbox: boolean;
}

/** `null`: the subject is unknown. */
export async function respond(page: Page | null, frame: Frame): Promise<Response> {
  const shownPage = page ?? unknownPage;
  return new Response(await toFramedText(renderPage(shownPage, frame), frame), {
    status: shownPage.status ?? 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}

/** Texts in markup have no quotes and brackets that are not escaped, so that only addresses and forms of pages are changed. */
export async function toFramedText(markup: Markup, { root, token }: Omit<Frame, 'isSandbox'>): Promise<string> {
  return (await markup)
    .toString()
    .replaceAll(/<form method="post"[^<>]*>/g, `$&<input type="hidden" name="token" value="${token}" />`)
    .replaceAll(/ (href|src|action|data-live)="\//g, ` $1="${root}/`);
}
