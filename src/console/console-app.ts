/** The console: pages for people about what the ledger knows. It changes nothing, and answers only on this machine, to who knows its key. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Hono } from 'hono';
import { z } from 'zod';
import { refuseForeign } from '../base/http/foreign-requests.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { changesPage } from './changes-page.ts';
import { renderPage, styles, type Page } from './layout.ts';
import { orderPage } from './order-page.ts';
import { overviewPage } from './overview-page.ts';
import { rowsPage } from './rows-page.ts';
import { whyPage } from './why-page.ts';
import { html } from 'hono/html';

/** No script, no frame, nothing from another origin. Pages hold data about companies: no cache keeps them. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * The pages, below the path `/KEY/`: other users of the machine reach the port too, and do not know the key. A cookie would be sent to the
 * servers of all ports.
 * @param key unguessable, of characters of base64url
 */
export function createConsole(ledger: Ledger, key: string): (request: Request) => Promise<Response> {
  const app = new Hono();
  const pico = readFileSync(fileURLToPath(import.meta.resolve('@picocss/pico/css/pico.min.css')), 'utf8');
  const answer = (page: Page | null) => respond(page, `/${key}`);
  const orderId = (id: string) => z.guid().safeParse(id).data?.toLowerCase() ?? '';
  app.use(({ req }, next) => {
    const refused = refuseForeign(req.raw, { isLocalOnly: true, origins: 'same' });
    return refused === null ? next() : Promise.resolve(refused);
  });
  app.get('/pico.css', (context) => context.body(pico, 200, { 'content-type': 'text/css' }));
  app.get('/console.css', (context) => context.body(styles, 200, { 'content-type': 'text/css' }));
  app.get('/', async ({ req }) => answer(await overviewPage(ledger, req.query('before') ?? null)));
  app.get('/why', async ({ req }) => answer(await whyPage(ledger, req.query('q') ?? '')));
  app.get('/orders/:id', async ({ req }) => answer(await orderPage(ledger, orderId(req.param('id')))));
  app.get('/orders/:id/rows', async ({ req }) => {
    const after = /^\d{1,9}$/.exec(req.query('after') ?? '')?.[0];
    const filter = { status: req.query('status') ?? null, reason: req.query('reason') ?? null };
    return answer(await rowsPage(ledger, orderId(req.param('id')), { ...filter, after: Number(after ?? -1) }));
  });
  app.get('/orders/:id/changes', async ({ req }) => {
    const object = req.query('object') === 'contacts' ? 'contacts' : 'companies';
    return answer(await changesPage(ledger, orderId(req.param('id')), { object, after: req.query('after') ?? '' }));
  });
  app.notFound(() => answer(null));
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const [, given = '', ...path] = pathname.split('/');
    const response = isSame(given, key)
      ? await app.fetch(new Request(new URL(`/${path.join('/')}${search}`, request.url), request))
      : await respond(keylessPage, '');
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  };
}

const keylessPage: Page = {
  title: 'Not found',
  status: 404,
  body: html`<p>
    Open the whole address that <code>prospect-sync console</code> has printed: it holds a key of its own for each
    start.
  </p>`,
};

const unknownPage: Page = {
  title: 'Not found',
  status: 404,
  body: html`<p>There is no such page, or the ledger does not know the order. <a href="/">To the overview</a></p>`,
};

/** Takes the same time for every wrong key. */
function isSame(given: string, key: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(key));
}

/** `null`: the subject is unknown. `root`: the path before that of each page; texts in a page have no quotes that are not escaped. */
async function respond(page: Page | null, root: string): Promise<Response> {
  const shownPage = page ?? unknownPage;
  const text = (await renderPage(shownPage)).toString();
  return new Response(text.replaceAll(/ (href|action)="\//g, ` $1="${root}/`), {
    status: shownPage.status ?? 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}
