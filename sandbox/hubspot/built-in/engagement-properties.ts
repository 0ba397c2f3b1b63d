import { builtIn, options } from './property-definition.ts';

const statuses = options(`
NOT_STARTED=Not started
IN_PROGRESS=In progress
WAITING=Waiting
COMPLETED=Completed
DEFERRED=Deferred`);

const priorities = options(`
NONE=None
LOW=Low
MEDIUM=Medium
HIGH=High`);

const kinds = options(`
TODO=To-do
CALL=Call
EMAIL=Email`);

export const taskProperties = builtIn('task', [
  ['hs_object_id', 'Record ID', 'number', 'number', { ro: true }],
  ['hs_createdate', 'Create date', 'datetime', 'date', { ro: true }],
  ['hs_lastmodifieddate', 'Last modified date', 'datetime', 'date', { ro: true }],
  ['hs_timestamp', 'Due date', 'datetime', 'date'],
  ['hs_task_subject', 'Task Title', 'string', 'text'],
  ['hs_task_body', 'Task Notes', 'string', 'html'],
  ['hs_task_status', 'Task Status', 'enumeration', 'select', { options: statuses }],
  ['hs_task_priority', 'Priority', 'enumeration', 'select', { options: priorities }],
  ['hs_task_type', 'Task Type', 'enumeration', 'select', { options: kinds }],
  ['hs_task_reminders', 'Reminders', 'string', 'text'],
  ['hs_unique_creation_key', 'Unique creation key', 'string', 'text', { ro: true }],
  ['hubspot_owner_id', 'Assigned to', 'string', 'text'],
]);

export const noteProperties = builtIn('engagement', [
  ['hs_object_id', 'Record ID', 'number', 'number', { ro: true }],
  ['hs_createdate', 'Create date', 'datetime', 'date', { ro: true }],
  ['hs_lastmodifieddate', 'Last modified date', 'datetime', 'date', { ro: true }],
  ['hs_timestamp', 'Activity date', 'datetime', 'date'],
  ['hs_note_body', 'Note body', 'string', 'html'],
  ['hs_body_preview', 'Body preview', 'string', 'text', { ro: true }],
  ['hs_attachment_ids', 'Attached file IDs', 'string', 'text'],
  ['hs_unique_creation_key', 'Unique creation key', 'string', 'text', { ro: true }],
  ['hubspot_owner_id', 'Activity assigned to', 'string', 'text'],
]);
