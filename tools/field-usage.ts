/** What prospect-sync does with each field of requests and answers, by the first place of an object in the contract. */
export interface ObjectUsage {
  /** Section of the specification that describes the fields. */
  readonly section?: string;
  /** Names of fields, `*` for all others of the object, and what prospect-sync does with them, or `not used: <reason>`. */
  readonly fields: readonly (readonly [names: string, use: string])[];
}

const pages = 'read until the page is the last one';
const all = (use: string) => ({ fields: [['*', use]] }) as const;
const ids = all('sent: an id from the ledger or from an earlier answer');

export const objectUsage: Readonly<Record<string, ObjectUsage>> = {
  'createBlacklist body': {
    section: 'Blacklist',
    fields: [
      ['name', 'sent: `exclusions.NAME.blacklist`'],
      ['description', 'sent: `exclusions.NAME.description`, with the mark of the installation'],
    ],
  },
  'createBlacklist answer': {
    section: 'Blacklist',
    fields: [
      ['id name description', 'read: finds the blacklist of an exclusion and its owner'],
      ['entry_count', 'read: shown by `prospect-sync exclusions list` and `prospect-sync exclusions preview`'],
      ['created_at', 'read: of blacklists with one name, the oldest is used'],
      ['updated_at', 'not used: the entries are read and compared'],
    ],
  },
  'listBlacklists answer': all('read: the list of blacklists'),
  'getBlacklist path': ids,
  'addEntries body': all('sent: only the entries that the blacklist lacks'),
  'addEntries body.entries[]': {
    section: 'Blacklist entry',
    fields: [
      [
        'company_name website_url city country external_id',
        'sent: `exclusions.NAME.columns`, `exclusions.NAME.hubspot`, `exclusions.NAME.suppressions`',
      ],
      ['reason', 'sent: `exclusions.NAME.reason`, `exclusions.NAME.reasons`'],
    ],
  },
  'addEntries answer[]': {
    section: 'Blacklist entry',
    fields: [
      ['id', 'read: names the entry when it is removed'],
      ['company_name website_url city country external_id reason', 'read: compared with the wanted entries'],
      ['created_at', 'read: the leak check counts an entry from this time on'],
    ],
  },
  'listEntries query': all(
    'sent: `limit` is the largest page (the default for outputs); `offset` grows by the items received. `listOrders` reads one page only',
  ),
  'listEntries answer': {
    fields: [
      ['entries total', pages],
      ['limit offset', 'not used: the client knows what it asked for'],
    ],
  },
  'removeEntries body': all('sent: entries that no source has any more, within `exclusions.NAME.removals`'),
  'listAssignedBlacklists path': all('sent: the profile of the run'),
  'assignBlacklists body': all('sent: the present assignments with those of the run'),
  'createProfile header': all(
    'sent: derived from the run, the profile or the output, so that a repeated request returns the same',
  ),
  'createProfile body': {
    section: 'Search profile creation, POST body',
    fields: [['*', 'sent: `runs.NAME.profile`, each setting by the same name']],
  },
  'createProfile answer': {
    section: 'Search profile creation request',
    fields: [
      ['profile_creation_id status profile_id', 'read: polled, and stored in the ledger'],
      ['error_code', 'read: named in the failure of the run'],
      ['error_message created_at started_at finished_at message', 'not used: status and code decide'],
    ],
  },
  'getProfileCreation path': ids,
  'getProfileCreation answer': {
    section: 'Search profile creation request',
    fields: [
      ['profile_creation_id status profile_id error_code', 'read: as in the answer of `createProfile`'],
      ['error_message created_at started_at finished_at', 'not used: status and code decide'],
    ],
  },
  'createOrder body': {
    fields: [
      ['order_type', 'sent: `runs.NAME.kind`, `service.requests.enrichment_order_type`'],
      [
        'profile_id',
        'sent: `runs.NAME.profile`, `runs.NAME.profile_id`; its name and place: `service.requests.profile_reference`',
      ],
      ['title', 'sent: `runs.NAME.title`'],
      ['features', 'sent: `runs.NAME.features`'],
      ['ideal_customer_profile seller_offering target_countries', 'sent: `runs.NAME.order`'],
      ['blacklist_ids', 'sent: `runs.NAME.exclusions`'],
      ['briefing_quantity', 'sent: `runs.NAME.briefing_quantity`'],
      ['companies', 'sent: `runs.NAME.companies`'],
      ['webhook_url', 'sent: `runs.NAME.webhook_url`'],
    ],
  },
  'createOrder body.companies[]': all(
    'sent: `runs.NAME.companies`; names of the fields: `service.requests.company_row`',
  ),
  'createOrder answer': {
    section: 'Order (fields the interface names)',
    fields: [
      ['order_id', 'read: `service.fields.order.order_id` where the service names it otherwise'],
      ['status results_published', 'read: ends the polling'],
      ['available_briefing_quantity result_summary', 'read: compared with the slots by `prospect-sync reconcile`'],
      [
        'briefing_quantity order_type profile_id title features created_at',
        'read: facts of an order that no run placed, and the search for an order whose answer was lost',
      ],
      ['updated_at', 'not used: each poll reads the order again'],
    ],
  },
  'createOrder answer.result_summary': {
    section: 'Result summary (on every results page, and as result_summary on the order)',
    fields: [['*', 'read: compared with the collected slots by `prospect-sync reconcile`']],
  },
  'createOrder answer.result_summary.reasons[]': {
    fields: [
      ['code count', 'read: compared with the reasons of the slots'],
      ['message label', 'not used: the text of each code is in prospect-sync'],
    ],
  },
  'listOrders answer': {
    fields: [
      ['orders', 'read: the 100 newest orders'],
      ['total limit offset has_more', 'not used: one page is enough to find an order whose answer was lost'],
    ],
  },
  'getOrder path': ids,
  'listResults answer': all(`${pages}; name of the array: \`service.results_items\``),
  'listResults answer.items[]': {
    section: 'Result slot (one item of the results)',
    fields: [
      [
        'input_position external_id status reason_codes reasons duplicate_of_input_position',
        'read: `prospect-sync rows`, the spreadsheets of `runs.NAME.spreadsheets`, HubSpot',
      ],
      ['company', 'read: `mapping.companies`, `mapping.contacts`'],
      ['delivered_at', 'read: the leak check counts blacklist entries that are older'],
    ],
  },
  'listResults answer.items[].reasons[]': all('read: shown in rows and spreadsheets; the code decides'),
  'listResults answer.items[].company': all(
    'read: `mapping.companies`, and columns of spreadsheets; other names: `service.fields.company`',
  ),
  'listResults answer.items[].company.prospects[]': all(
    'read: `mapping.contacts`, `contacts`, and columns of spreadsheets; other names: `service.fields.prospect`',
  ),
  'createExport body': all('sent: `runs.NAME.service_outputs[].type`, `runs.NAME.service_outputs[].language`'),
  'createOutput body': all(
    'sent: `runs.NAME.service_outputs[].type`, `runs.NAME.service_outputs[].language`, `runs.NAME.service_outputs[].spreadsheet_id`',
  ),
  'createExport answer': {
    section: 'Output (optional export of a published result set)',
    fields: [
      ['output_id status export_job_id location', 'read: polled, downloaded, and shown in the report of the order'],
      ['created', 'read: false means that the output was there before'],
      ['result_count result_sha256', 'read: compared by `prospect-sync reconcile`, and in the certificate'],
      [
        'output_type output_language spreadsheet_id created_at',
        'read: `prospect-sync outputs`; an output with the same destination is adopted',
      ],
      ['idempotency_key', 'not used: prospect-sync sends its own key'],
    ],
  },
  'listOutputs answer': {
    fields: [
      ['outputs has_more', pages],
      ['total', 'not used: `has_more` ends the list'],
    ],
  },
  'getOutput path': ids,
  'downloadExport path': ids,
  'listDeliveredCompanies answer': {
    fields: [
      ['companies total has_more', pages],
      ['limit offset', 'not used: the client knows what it asked for'],
    ],
  },
  'getWebsiteMarkdown path': ids,
  'getWebsiteMarkdown answer': all(
    'read: written by `prospect-sync websites` into one file for each company; its `markdown` is written to HubSpot and into spreadsheets where `mapping` or a column names it',
  ),
  401: all('read: named in the failure'),
  403: all('read: `prospect-sync doctor` names the missing scope'),
  '404': all(
    'read: the code, to distinguish a deleted record from another failure; the message is shown without values that were sent',
  ),
  409: all('read: the code; `order_id` finds the order that the key belongs to'),
  422: all('read: the list of refused fields'),
  '422[]': all('read: field and text are named in the failure, with settings that may help'),
  'reply webhook': {
    section: 'Request sent to the receiver, Body fields',
    fields: [
      ['id type test data', 'read: `prospect-sync receive`, `prospect-sync replies list`'],
      ['timestamp', 'read: the time of a reply without `reply_received_at`'],
      ['api_version', 'not used: it is recorded and shown by `prospect-sync doctor` with `--drift`'],
    ],
  },
  'reply webhook.data': {
    fields: [
      ['classification', 'read: `replies.classes`, `replies.suppress`'],
      ['prospect_email reply_from_email company_website company_name', 'read: finds contact and company'],
      [
        'prospect_first_name prospect_last_name prospect_full_name prospect_job_title',
        'read: a new contact, and the title of a task',
      ],
      [
        'classification_reason campaign_name thread_subject reply_text reply_text_truncated reply_received_at app_url',
        'read: the note, the task, and properties of the contact',
      ],
      ['campaign_id', 'read: stored with the reply'],
      ['company_country flow_name sent_from_email', 'not used: the stored body has them until it is erased'],
    ],
  },
};
