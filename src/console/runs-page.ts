/** Runs in Temporal, and one workflow while it works. */
import { html } from 'hono/html';
import { z } from 'zod';
import { readDocument, type ConsoleWork, type LiveProgress } from './console-work.ts';
import { shown, table, time, toQuery, type Markup, type Page } from './layout.ts';

/** As `status --json` prints it. */
const runsSchema = z.array(
  z.object({
    workflow_id: z.string(),
    status: z.string(),
    outcome: z.string().nullable(),
    failure: z.string().nullable(),
    order_id: z.string().nullable(),
    ordered: z.number().nullable(),
    delivered: z.number().nullable(),
    started_at: z.string(),
  }),
);
type Run = z.infer<typeof runsSchema>[number];

export const withoutTemporal = html`<p>
  No Temporal runs here now, so it cannot be asked. A worker or a command of prospect-sync starts it:
  <code>prospect-sync worker</code>
</p>`;

export function toNotes(notes: readonly string[]): Markup {
  return notes.length === 0
    ? html``
    : html`<section class="needs" aria-label="Notes">
        <ul>
          ${notes.map((note) => html`<li>${shown(note)}</li>`)}
        </ul>
      </section>`;
}

export async function runsPage(work: ConsoleWork): Promise<Page> {
  const title = 'Runs';
  if (!(await work.isTemporalRunning())) return { title, body: withoutTemporal };
  const { document, notes } = await readDocument(work, ['status'], runsSchema);
  const columns = ['Started', 'Run', 'State', 'Outcome', 'Order', '#Delivered', '#Ordered'];
  const body = html`${toNotes(notes)}
  ${document === null ? '' : document.length === 0 ? html`<p>No runs yet.</p>` : table('Runs', columns, document.map(toRow))}`;
  return { title, body };
}

function toRow(run: Run): Markup {
  const { workflow_id: id, order_id: orderId, status } = run;
  return html`<tr>
    <td>${time(run.started_at)}</td>
    <td>${status === 'running' ? html`<a href="/progress${toQuery({ of: id })}">${shown(id)}</a>` : shown(id)}</td>
    <td>${shown(status)}</td>
    <td>${shown(run.failure ?? run.outcome)}</td>
    <td>${orderId === null ? '' : html`<a href="/orders/${orderId}">${orderId.slice(0, 8)}</a>`}</td>
    <td class="number">${run.delivered ?? ''}</td>
    <td class="number">${run.ordered ?? ''}</td>
  </tr>`;
}

/** A workflow id that pages may ask for: its parts are names and ids. */
export function isWorkflowId(text: string): boolean {
  return /^(?:run|order|ordering|exclusions|reconcile|retry)\/[^\p{Cc}]{1,200}$/u.test(text);
}

export function progressPage(workflowId: string): Page {
  const body = html`<div role="status" data-live="/progress/live${toQuery({ of: workflowId })}">
      <p>Reading the progress. Without scripts, see <code>prospect-sync status</code>.</p>
    </div>
    <p class="pages"><a href="/runs">All runs</a></p>`;
  return { title: workflowId, body };
}

/** What changes while a workflow works. */
export function toProgressMarkup(progress: LiveProgress | null): Markup {
  if (progress === null)
    return html`<p>
      <strong>No worker answers.</strong> The work waits until one runs: <code>prospect-sync worker</code>
    </p>`;
  const { stage, since, waitingFor, counts } = progress;
  return html`<p><strong>${shown(stage)}</strong> since ${time(since)}</p>
    ${waitingFor === null ? '' : html`<p>It waits for ${shown(waitingFor)}.</p>`}
    <ul>
      ${Object.entries(counts).map(([name, count]) => html`<li>${shown(name)}: ${count}</li>`)}
    </ul>`;
}
