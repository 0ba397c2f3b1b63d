/** What notes and tasks of replies and of companies share. */
import { cutText } from '../../ledger/property-values.ts';
import { dayMs } from '../../base/day-milliseconds.ts';

/** Until a task is due. */
export const taskDueMs = dayMs;

/** Length in characters. */
const longestSubject = 250;

interface TaskContent {
  readonly subject: string;
  /** HTML. */
  readonly body: string;
  readonly dueAt: string;
  /** null: without an owner. */
  readonly ownerId: string | null;
}

/** The properties of a task in HubSpot. */
export function toTaskProperties({ subject, body, dueAt, ownerId }: TaskContent) {
  return {
    hs_timestamp: dueAt,
    hs_task_subject: cutText(subject, longestSubject),
    hs_task_body: body,
    hs_task_status: 'NOT_STARTED',
    hs_task_type: 'TODO',
    ...toOwner(ownerId),
  };
}

export function toOwner(ownerId: string | null) {
  return ownerId === null ? {} : { hubspot_owner_id: ownerId };
}

/** For texts of notes and tasks, which HubSpot shows as HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
