/** Schedules: when each run starts next, whether it is paused, and how Temporal differs from the configuration. */
import { html } from 'hono/html';
import { z } from 'zod';
import { toButton, toNoteButton } from './action-pages.ts';
import { readDocument, type Answer, type ConsoleWork } from './console-work.ts';
import { person, shown, table, time, type Markup, type Page } from './layout.ts';
import { toNotes, withoutTemporal } from './runs-page.ts';

/** As `schedule list --json` prints it. */
const schedulesSchema = z.array(
  z.object({
    run: z.string(),
    status: z.string(),
    paused: z.boolean(),
    note: z.string().nullable(),
    timezone: z.string().nullable(),
    next: z.array(z.string()),
    last: z.object({ started_at: z.string(), outcome: z.string() }).nullable(),
  }),
);
type Schedule = z.infer<typeof schedulesSchema>[number];

/** A run with its next starts, ISO 8601. `timezone`: null where Temporal has no schedule of the run. */
export type ListedStarts = Pick<Schedule, 'run' | 'timezone' | 'next'>;

const states: Readonly<Record<string, string>> = {
  create: 'not applied yet',
  gone: 'deleted in Temporal',
  change: 'the configuration differs',
  drift: 'changed in Temporal',
  delete: 'no longer configured',
  other: 'of another installation',
};

/** null: no Temporal runs here now. */
export async function readSchedules(work: ConsoleWork): Promise<Answer<Schedule[]> | null> {
  return (await work.isTemporalRunning()) ? readDocument(work, ['schedule', 'list'], schedulesSchema) : null;
}

export async function schedulesPage(work: ConsoleWork): Promise<Page> {
  const title = 'Schedules';
  const answer = await readSchedules(work);
  if (answer === null) return { title, body: withoutTemporal };
  const { document: schedules, notes } = answer;
  // The command has failed, and the notes say why.
  if (schedules === null) return { title, body: toNotes(notes) };
  const body = html`${toNotes(notes)}
  ${
    schedules.length === 0
      ? html`<p>No run has a schedule.</p>`
      : table('Schedules', ['Run', 'State', 'Next starts', 'Last start', 'Actions'], schedules.map(toRow))
  }
  ${toButton({ name: 'plan', subject: '' }, 'Show the difference to the configuration')}
  ${toButton({ name: 'apply', subject: '' }, 'Apply the configuration')}`;
  return { title, body };
}

function toRow({ run, status, paused, note, timezone, next, last }: Schedule): Markup {
  const other = states[status];
  const isAbsent = status === 'create' || status === 'gone';
  return html`<tr>
    <td>${shown(run)}</td>
    <td>
      ${isAbsent ? '' : paused ? html`paused${note === null || note === '' ? '' : html`: ${person(note)}`}` : 'active'}${isAbsent || other === undefined ? '' : '; '}${other}
    </td>
    <td>
      <ul>
        ${next.map((at) => html`<li>${time(at)} UTC</li>`)}
      </ul>
      ${timezone === null || timezone === 'UTC' ? '' : html`<small>planned in ${shown(timezone)}</small>`}
    </td>
    <td>${last === null ? 'none yet' : html`${time(last.started_at)}, ${shown(last.outcome)}`}</td>
    <td>
      ${isAbsent ? '' : toButton({ name: 'trigger', subject: run }, `Start ${run} now`)}
      ${isAbsent ? '' : paused ? toButton({ name: 'resume', subject: run }, `Resume ${run}`) : toNoteButton({ name: 'pause', subject: run }, `Pause ${run}`)}
    </td>
  </tr>`;
}
