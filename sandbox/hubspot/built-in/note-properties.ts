import { builtIn } from './property-definition.ts';

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
