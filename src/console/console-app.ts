/** The console: pages for people about what the ledger knows, with buttons for commands. */
import { createHmac, randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { html } from 'hono/html';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import { isSameSecret } from '../base/same-secret.ts';
import type { ConsoleConfig } from '../config/console-settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createActionJobs, isActionName, type ActionJobs } from './action-jobs.ts';
import { actionPage, actionsPage, longestNote, toJobMarkup, toRefusedNote } from './action-pages.ts';
import { changesPage } from './changes-page.ts';
import type { ConsoleAccess, Visitor } from './console-access.ts';
import type { ConsoleWork } from './console-work.ts';
import { entriesPage, exclusionsPage } from './exclusions-page.ts';
import { doctorPage, forgottenAction, readOnlyPage, staleForm, toErrorPage, unknownAction } from './fixed-pages.ts';
import { readPico, script, styles, type Markup, type Page } from './layout.ts';
import { orderPage } from './order-page.ts';
import { overviewPage } from './overview-page.ts';
import { respond, toFramedText, type Frame } from './page-response.ts';
import { repliesPage } from './replies-page.ts';
import { rowPage } from './row-page.ts';
import { rowsPage } from './rows-page.ts';
import { isWorkflowId, progressPage, runsPage, toProgressMarkup } from './runs-page.ts';
import { schedulesPage } from './schedules-page.ts';
import { addPeopleForms, createShownPeople } from './shown-people.ts';
import { whyPage } from './why-page.ts';

/** One own script, no frame, nothing from another origin. Pages hold data about companies: no cache keeps them. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // Browsers send the password of a user with requests of other pages too.
  'cross-origin-resource-policy': 'same-origin',
  // With no-referrer a browser does not say from which origin a form comes.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

export interface ConsoleOptions {
  readonly ledger: Ledger;
  readonly access: ConsoleAccess;
  /** Both the service and HubSpot are sandboxes. */
  readonly isSandbox: boolean;
  /** `masked`: until a user presses "Show people". */
  readonly personalData: ConsoleConfig['personalData'];
  /** null: the pages have no buttons, and nothing of Temporal. */
  readonly work: ConsoleWork | null;
  readonly now?: () => Date;
}

/**
 * Each form carries a token of its user and this process, which a page of another origin, or another user, does not know.
 * @returns the pages; `peer`: the IP address of the other end of the connection
 */
export function createConsole({
  ledger,
  access,
  isSandbox,
  personalData,
  work,
  now = () => new Date(),
}: ConsoleOptions): (request: Request, peer: string) => Promise<Response> {
  const stylesheets = new Map([
    ['/pico.css', readPico()],
    ['/console.css', styles],
  ]);
  const acting = work === null ? null : { work, jobs: createActionJobs(ledger.consoleAudit, work) };
  const tokenKey = randomBytes(32);
  const shownPeople = createShownPeople({ audit: ledger.consoleAudit, personalData, now });
  const openPages = ({ user, root, request }: Visitor) => {
    const app = new Hono();
    const token = createHmac('sha256', tokenKey).update(user).digest('base64url');
    const path = new URL(request.url).pathname;
    const frame: Frame = { root, token, isSandbox, path, people: () => shownPeople.viewOf(user) };
    const answer = (page: Page | null) => respond(page, frame);
    for (const [path, text] of stylesheets) app.get(path, () => toStylesheet(text));
    app.get('/live.js', (context) => context.body(script, 200, { 'content-type': 'text/javascript' }));
    app.get('/', async ({ req }) => {
      const { before: firstSeenAt, order = '' } = req.query();
      const before = firstSeenAt === undefined ? null : { firstSeenAt, orderId: order };
      return answer(await overviewPage(ledger, { before, work, now: now() }));
    });
    refuseForms(app, token, () => answer(staleForm));
    addPeopleForms(app, { shownPeople, answer, user, root });
    addLedgerPages(app, { ledger, answer, isActing: acting !== null, isSandbox });
    if (acting === null)
      for (const path of ['/runs', '/schedules', '/doctor', '/actions']) app.get(path, () => answer(readOnlyPage));
    else addWorkPages(app, { ...acting, ledger, answer, frame, user });
    app.onError((error) => answer(toErrorPage(error)));
    app.notFound(() => answer(null));
    return app;
  };
  const answerVisitor = async (request: Request, peer: string) => {
    const visitor = await access(request, peer);
    return 'refusal' in visitor ? visitor.refusal : openPages(visitor).fetch(visitor.request);
  };
  return async (request, peer) => {
    // They hold no data, and the page for a wrong key needs them.
    const stylesheet = stylesheets.get(new URL(request.url).pathname);
    const response = stylesheet === undefined ? await answerVisitor(request, peer) : toStylesheet(stylesheet);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  };
}

/** Refuses forms that are too large, or without the token. */
function refuseForms(app: Hono, token: string, refuse: () => Promise<Response>): void {
  const limit = bodyLimit({ maxSize: longestForm, onError: ({ text }) => text('The form is too large.', 413) });
  app.on('POST', ['/actions/*', '/show', '/hide'], limit, async ({ req }, next) => {
    const { token: given } = await req.parseBody();
    return typeof given === 'string' && isSameSecret(given, token) ? next() : refuse();
  });
}

function toStylesheet(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/css' } });
}

interface PageContext {
  readonly ledger: Ledger;
  readonly answer: (page: Page | null) => Promise<Response>;
}

type LedgerContext = PageContext & { readonly isActing: boolean; readonly isSandbox: boolean };

/** Pages from the ledger alone. */
function addLedgerPages(app: Hono, { ledger, answer, isActing, isSandbox }: LedgerContext): void {
  // The records of a sandbox have no page.
  const readPortal = async () => (isSandbox ? null : ledger.portal.get());
  const orderId = (id: string) => z.guid().safeParse(id).data?.toLowerCase() ?? '';
  app.get('/why', async ({ req }) => answer(await whyPage(ledger, req.query('q') ?? '')));
  app.get('/orders/:id', async ({ req }) => answer(await orderPage(ledger, orderId(req.param('id')), isActing)));
  app.get('/orders/:id/rows', async ({ req }) => {
    const after = /^\d{1,9}$/.exec(req.query('after') ?? '')?.[0];
    const filter = { status: req.query('status') ?? null, reason: req.query('reason') ?? null };
    const query = { ...filter, after: Number(after ?? -1), portalId: await readPortal() };
    return answer(await rowsPage(ledger, orderId(req.param('id')), query));
  });
  app.get('/orders/:id/rows/:position{[0-9]{1,9}}', async ({ req }) => {
    const query = {
      orderId: orderId(req.param('id')),
      position: Number(req.param('position')),
      portalId: await readPortal(),
    };
    return answer(await rowPage(ledger, query));
  });
  app.get('/orders/:id/changes', async ({ req }) => {
    const object = req.query('object') === 'contacts' ? 'contacts' : 'companies';
    return answer(await changesPage(ledger, orderId(req.param('id')), { object, after: req.query('after') ?? '' }));
  });
  app.get('/exclusions', async () => answer(await exclusionsPage(ledger, isActing)));
  app.get('/exclusions/:blacklist', async ({ req }) =>
    answer(await entriesPage(ledger, req.param('blacklist'), req.query('after') ?? '')),
  );
  app.get('/replies', async ({ req }) => answer(await repliesPage(ledger, req.query('state') ?? null, isActing)));
}

const actionForm = z.object({
  action: z.string(),
  subject: z.string(),
  note: z.string().default(''),
});

/** A form has an id or a name, and a reason of `longestNote` characters. */
const longestForm = 16_384;

interface WorkContext extends PageContext {
  readonly work: ConsoleWork;
  readonly jobs: ActionJobs;
  readonly frame: Frame;
  readonly user: string;
}

/** Actions, and what is read from Temporal. */
function addWorkPages(app: Hono, { ledger, work, jobs, answer, frame, user }: WorkContext): void {
  const { root } = frame;
  app.get('/runs', async () => answer(await runsPage(work)));
  app.get('/schedules', async () => answer(await schedulesPage(work)));
  app.get('/doctor', () => answer(doctorPage));
  app.get('/actions', async () => answer(await actionsPage(ledger)));
  app.get('/actions/:id', ({ req }) => {
    const job = jobs.get(req.param('id'));
    return answer(job === undefined ? forgottenAction : actionPage(job));
  });
  app.get('/actions/:id/live', (context) =>
    streamSSE(context, async (stream) => {
      for await (const markup of followJob(jobs, context.req.param('id')))
        await stream.writeSSE({ data: await toFramedText(markup, frame) });
      await stream.writeSSE({ event: 'end', data: '' });
    }),
  );
  app.post('/actions', async (context) => {
    const form = actionForm.safeParse(await context.req.parseBody()).data;
    if (form === undefined || !isActionName(form.action)) return answer(unknownAction);
    const { action: name, subject } = form;
    const note = form.note.trim();
    if ((name === 'pause' && note === '') || note.length > longestNote) return answer(toRefusedNote(note.length));
    const id = await jobs.start({ name, subject, ...(note === '' ? {} : { note }) }, user);
    return context.redirect(`${root}/actions/${id}`, 303);
  });
  app.post('/actions/:id/yes', async (context) => {
    const id = await jobs.agree(context.req.param('id'), user);
    return id === null ? answer(forgottenAction) : context.redirect(`${root}/actions/${id}`, 303);
  });
  app.get('/progress', ({ req }) => {
    const id = req.query('of') ?? '';
    return answer(isWorkflowId(id) ? progressPage(id) : null);
  });
  app.get('/progress/live', (context) => {
    const id = context.req.query('of') ?? '';
    if (!isWorkflowId(id)) return answer(null);
    return streamSSE(context, async (stream) => {
      const left = new AbortController();
      stream.onAbort(() => left.abort());
      const write = async (markup: Markup) => stream.writeSSE({ data: await toFramedText(markup, frame) });
      let seen = 0;
      try {
        for await (const progress of work.watch(id, left.signal)) {
          await write(toProgressMarkup(progress));
          seen += 1;
        }
        if (seen === 0) await write(html`<p>It is not in progress now. <a href="/runs">All runs</a></p>`);
      } catch {
        await write(html`<p>Temporal does not answer. Reload this page to try again.</p>`);
        seen = 0;
      }
      // A page that was live is read again, and shows the result.
      await stream.writeSSE({ event: seen === 0 ? 'closed' : 'end', data: '' });
    });
  });
}

/** The job after each change, until it no longer works. */
async function* followJob(jobs: ActionJobs, id: string): AsyncGenerator<Markup> {
  for (;;) {
    const changed = jobs.changed();
    const job = jobs.get(id);
    if (job === undefined) return;
    yield toJobMarkup(job);
    if (job.state !== 'working') return;
    await changed;
  }
}
