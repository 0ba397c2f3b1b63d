/** Pages that are always the same, and the page of an error. */
import { html } from 'hono/html';
import { errorName } from '../base/failures/error-name.ts';
import { ExplainedError } from '../base/text/explained-error.ts';
import { toButton } from './action-pages.ts';
import { shown, type Page } from './layout.ts';

export const doctorPage: Page = {
  title: 'Doctor',
  body: html`<p>
      Checks the keys, fields, exclusions and schedules of all runs. It takes some seconds, and changes nothing.
    </p>
    ${toButton({ name: 'doctor', subject: '' }, 'Check everything now')}`,
};

/** Only errors that explain themselves are quoted: others may hold data. */
export function toErrorPage(error: Error): Page {
  const text = error instanceof ExplainedError ? error.message : `Unexpected error: ${errorName(error)}.`;
  return { title: 'The page cannot be shown', status: 500, body: html`<p>${shown(text)}</p>` };
}

export const readOnlyPage: Page = {
  title: 'Not here',
  body: html`<p>
    This console shows the ledger only. Start it with <code>prospect-sync console</code> for runs, schedules and
    actions.
  </p>`,
};

export const unknownAction: Page = {
  title: 'No such action',
  status: 404,
  body: html`<p>The console has no such action. Nothing was started.</p>`,
};

export const forgottenAction: Page = {
  title: 'Not kept',
  status: 404,
  body: html`<p>
    What a command says is kept while the console runs. <a href="/actions">The list of actions</a> has its result.
  </p>`,
};

export const staleForm: Page = {
  title: 'Open the page again',
  status: 403,
  body: html`<p>
    The form is not valid any more: the console has been started again, or somebody else has signed in. Nothing was
    started. <a href="/">To the overview</a>
  </p>`,
};

export const foreignPath: Page = {
  title: 'No page of the console',
  status: 403,
  body: html`<p>
    The form names a page that the console does not have. Nothing was changed. <a href="/">To the overview</a>
  </p>`,
};

export const keylessPage: Page = {
  title: 'Not found',
  status: 404,
  body: html`<p>
      Open the whole address that <code>prospect-sync console</code> has printed: it holds a key of its own for each
      start. A bookmark of an earlier start no longer works.
    </p>
    <p>
      If you no longer have it, stop the console with Ctrl-C, and start it again: <code>prospect-sync console</code>.
      For the console of a worker, look for "Console:" in its log.
    </p>`,
};

export const unknownPage: Page = {
  title: 'Not found',
  status: 404,
  body: html`<p>There is no such page, or the ledger does not know the order. <a href="/">To the overview</a></p>`,
};
