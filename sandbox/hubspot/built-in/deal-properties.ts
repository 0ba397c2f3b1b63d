import { defaultPipeline } from './default-pipeline.ts';
import { builtIn, options } from './property-definition.ts';
import { booleans } from './property-options.ts';

const kinds = options(`
newbusiness=New Business
existingbusiness=Existing Business`);

const priorities = options(`
low=Low
medium=Medium
high=High`);

const stages = options(defaultPipeline.stages.map(({ id, label }) => `${id}=${label}`).join('\n'));
const pipelines = options(`${defaultPipeline.id}=${defaultPipeline.label}`);

export const dealProperties = builtIn('dealinformation', [
  ['hs_object_id', 'Record ID', 'number', 'number', { ro: true }],
  ['hs_merged_object_ids', 'Merged Deal IDs', 'string', 'text', { ro: true }],
  ['createdate', 'Create Date', 'datetime', 'date', { ro: true }],
  ['hs_createdate', 'Object create date/time', 'datetime', 'date', { ro: true }],
  ['hs_lastmodifieddate', 'Last Modified Date', 'datetime', 'date', { ro: true }],
  ['dealname', 'Deal Name', 'string', 'text'],
  ['pipeline', 'Pipeline', 'enumeration', 'select', { options: pipelines }],
  ['dealstage', 'Deal Stage', 'enumeration', 'radio', { options: stages }],
  ['dealtype', 'Deal Type', 'enumeration', 'radio', { options: kinds }],
  ['hs_priority', 'Priority', 'enumeration', 'select', { options: priorities }],
  ['amount', 'Amount', 'number', 'number'],
  ['deal_currency_code', 'Currency', 'string', 'text'],
  ['closedate', 'Close Date', 'datetime', 'date'],
  ['description', 'Deal Description', 'string', 'textarea'],
  ['closed_won_reason', 'Closed Won Reason', 'string', 'textarea'],
  ['closed_lost_reason', 'Closed Lost Reason', 'string', 'textarea'],
  ['hs_is_closed', 'Is Deal Closed?', 'bool', 'booleancheckbox', { ro: true, options: booleans }],
  ['hs_is_closed_won', 'Is Closed Won', 'bool', 'booleancheckbox', { ro: true, options: booleans }],
  ['hs_is_closed_lost', 'Is Closed Lost', 'bool', 'booleancheckbox', { ro: true, options: booleans }],
  ['hs_closed_won_date', 'Closed Won Date', 'datetime', 'date', { ro: true }],
  ['hs_deal_stage_probability', 'Deal Probability', 'number', 'number', { ro: true }],
  ['hubspot_owner_id', 'Deal owner', 'string', 'text'],
  ['notes_last_contacted', 'Last Contacted', 'datetime', 'date', { ro: true }],
]);
