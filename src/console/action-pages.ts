/** One action with what its command says and asks; and who has done what. */
import { html } from 'hono/html';
import type { ConsoleAction } from '../ledger/console-audit.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { toCommandText, type Action, type Job } from './action-jobs.ts';
import { shown, table, time, type Markup, type Page } from './layout.ts';

const actionsShown = 100;

/** Characters of a reason. */
export const longestNote = 200;

/** A button that names what it does, and the command that it stands for. */
export function toButton(action: Action, label: string): Markup {
  return html`<form method="post" action="/actions" class="action">
    <input type="hidden" name="action" value="${action.name}" />
    <input type="hidden" name="subject" value="${action.subject}" />
    <button>${shown(label)}</button>
    <small><code>${shown(toCommandText(action))}</code></small>
  </form>`;
}

/** As `toButton`, with a field for the reason. */
export function toNoteButton(action: Action, label: string): Markup {
  return html`<form method="post" action="/actions" class="action">
    <input type="hidden" name="action" value="${action.name}" />
    <input type="hidden" name="subject" value="${action.subject}" />
    <input name="note" required maxlength="${longestNote}" aria-label="Reason" placeholder="reason" />
    <button>${shown(label)}</button>
  </form>`;
}

/** `length`: characters without the spaces around them. */
export function toRefusedNote(length: number): Page {
  const body = html`<p>
    The reason must have 1 to ${longestNote} characters, found ${length}. Nothing was started. Go back, and write why.
  </p>`;
  return { title: 'Reason required', status: 400, body };
}

export function actionPage(job: Job): Page {
  const live = job.state === 'working' ? html`data-live="/actions/${job.id}/live"` : html``;
  const body = html`
    <p><code>${shown(toCommandText(job))}</code></p>
    <div role="status" ${live}>${toJobMarkup(job)}</div>
    <p class="pages"><a href="/actions">All actions</a></p>
  `;
  return { title: titleOf(job), body };
}

const codes: Readonly<Record<number, string>> = {
  0: 'Done.',
  1: 'Failed: see the last line.',
  2: 'Refused: see the last line.',
  3: 'Done, with findings.',
};

function titleOf({ name, state, code }: Job): string {
  if (state === 'working') return `${name}: working`;
  return state === 'asks'
    ? `${name}: please confirm`
    : `${name}: ${code === 0 ? 'done' : code === 3 ? 'findings' : 'failed'}`;
}

/** What changes while the command works. */
export function toJobMarkup({ id, state, question, code, answeredBy, ...job }: Job): Markup {
  // The refusal to go on without an answer is not an error here.
  const lines = state === 'asks' ? job.lines.filter(({ level }) => level !== 'error') : job.lines;
  return html`<pre>${lines.map(({ text }) => `${shownLines(text)}\n`)}</pre>
    ${state === 'working' ? html`<p>Working. Reload this page to see how it goes.</p>` : ''}
    ${state === 'ended' ? html`<p><strong>${codes[code ?? 1] ?? `Ended with exit code ${code}.`}</strong></p>` : ''}
    ${
      state === 'asks'
        ? html`<section class="needs" aria-label="Question">
            <p>${shown(question)}</p>
            ${
              answeredBy === null
                ? html`<form method="post" action="/actions/${id}/yes" class="action">
                    <button>Yes</button>
                    <a href="/">No</a>
                  </form>`
                : html`<p>Answered: <a href="/actions/${answeredBy}">see what followed</a></p>`
            }
          </section>`
        : ''
    }`;
}

function shownLines(text: string): string {
  return text.split('\n').map(shown).join('\n');
}

export async function actionsPage({ consoleAudit }: Pick<Ledger, 'consoleAudit'>): Promise<Page> {
  const actions = await consoleAudit.recent(actionsShown);
  const body =
    actions.length === 0
      ? html`<p>No actions yet.</p>`
      : table('Actions', ['When', 'Who', 'Command', 'Result'], actions.map(toRow));
  return { title: 'Actions', body };
}

function toRow({ id, at, who, command, page, code, endedAt }: ConsoleAction): Markup {
  const asked = endedAt === null ? 'No end known.' : 'It has asked, and changed nothing.';
  const result = code === null ? asked : (codes[code] ?? `Exit code ${code}.`);
  return html`<tr>
    <td>${time(at)}</td>
    <td>${shown(who)}</td>
    <td>
      ${page === null ? html`<a href="/actions/${id}"><code>${shown(command)}</code></a>` : html`${shown(command)}: <a href="${page}"><code>${shown(page)}</code></a>`}
    </td>
    <td>${result}</td>
  </tr>`;
}
