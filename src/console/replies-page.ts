/** Replies as they were processed, and who must not be contacted. Texts of replies are on no page. */
import { html } from 'hono/html';
import { replyStates } from '../ledger/inbox-rows.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ReplyRow } from '../ledger/reply-store.ts';
import type { SuppressionRow } from '../ledger/suppression-lists.ts';
import { toButton } from './action-pages.ts';
import { person, shown, table, time, toQuery, type Markup, type Page } from './layout.ts';

const rowsShown = 200;

export async function repliesPage(ledger: Ledger, state: string | null, isActing: boolean): Promise<Page> {
  const counts = await ledger.replies.counts();
  const known = replyStates.find((each) => each === state);
  const replies = (await ledger.replies.list({ state: known })).slice(0, rowsShown);
  const suppressed = await ledger.suppressions.newest(rowsShown);
  const body = html`
    <p>
      ${counts.map(({ state: each, count }) => html`<a href="/replies${toQuery({ state: each })}">${count} ${shown(each)}</a> `)}
      ${known === undefined ? '' : html`- only ${known}: <a href="/replies">show all</a>`}
    </p>
    ${
      replies.length === 0
        ? html`<p>No replies${known === undefined ? ' yet' : ` are ${known}`}.</p>`
        : table(
            'Replies',
            [
              'Received',
              'Class',
              'State',
              'Reason',
              'Contact',
              'Suppressed',
              'Reply',
              ...(isActing ? ['Actions'] : []),
            ],
            replies.map((reply) => toReplyRow(reply, isActing)),
          )
    }
    <h2>Suppressions</h2>
    <p>${await ledger.suppressions.count()} people and companies are neither ordered nor written to. The newest:</p>
    ${
      suppressed.length === 0
        ? html`<p>None.</p>`
        : table('Suppressions', ['Since', 'Who', 'By', 'Reason'], suppressed.map(toSuppressionRow))
    }
  `;
  return { title: 'Replies and suppressions', body };
}

function toReplyRow(reply: Omit<ReplyRow, 'body'>, isActing: boolean): Markup {
  const { webhookId, receivedAt, classification, state, reason, contactId, suppressedAt } = reply;
  const isOpen = state === 'quarantined' || state === 'failed';
  return html`<tr>
    <td>${time(receivedAt)}</td>
    <td>${shown(classification ?? 'unreadable')}</td>
    <td>${shown(state)}</td>
    <td>${shown(reason)}</td>
    <td>${contactId === null ? '' : html`<a href="/why${toQuery({ q: contactId })}">${shown(contactId)}</a>`}</td>
    <td>${suppressedAt === null ? '' : time(suppressedAt)}</td>
    <td><code>${shown(webhookId)}</code></td>
    ${isActing ? html`<td>${isOpen ? toButton({ name: 'replay', subject: webhookId }, 'Process again') : ''}</td>` : ''}
  </tr>`;
}

function toSuppressionRow({ kind, value, addedAt, addedBy, reason }: SuppressionRow): Markup {
  return html`<tr>
    <td>${time(addedAt)}</td>
    <td>
      ${
        value === null
          ? `a ${kind === 'company' ? 'company' : 'forgotten person'}`
          : kind === 'company'
            ? html`<a href="/why${toQuery({ q: value })}">${shown(value)}</a>`
            : html`a person: ${person(value)}`
      }
    </td>
    <td>${shown(addedBy)}</td>
    <td>${person(reason)}</td>
  </tr>`;
}
