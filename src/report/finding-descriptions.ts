/** What each finding means and what to do about it; findings are not failures: the work was done, and something is not as it should be. */
interface FindingDescription {
  readonly description: string;
  readonly remedy: string;
}

const askService = "tell the service's support the order id";
const reconcileAgain = '`prospect-sync ingest ORDER` writes it again, `prospect-sync reconcile ORDER` looks again';
const rewrite = '`prospect-sync retry ORDER` writes the files again';
const rows = '`prospect-sync rows ORDER` says which and why, `prospect-sync retry ORDER` writes them once more';

export const findingDescriptions = {
  order_not_completed: { description: 'the order is no longer COMPLETED', remedy: askService },
  results_not_published: { description: 'the order no longer calls its results published', remedy: askService },
  slots_differ_from_available_quantity: {
    description: 'the order announces another number of slots than were collected',
    remedy: askService,
  },
  statuses_do_not_add_up: { description: 'the counts by status are not the number of slots', remedy: askService },
  summary_missing: { description: 'the order has no summary of its results', remedy: askService },
  enriched_count_differs: { description: 'the summary counts other enriched slots than there are', remedy: askService },
  annotated_count_differs: {
    description: 'the summary counts other annotated slots than there are',
    remedy: askService,
  },
  requested_count_differs: { description: 'not every submitted row has one slot', remedy: askService },
  reason_count_differs: { description: 'the summary counts a reason otherwise than the slots', remedy: askService },
  summary_changed_since_collection: {
    description: 'the summary is not the one that was collected',
    remedy: askService,
  },
  nothing_delivered: {
    description: 'the order is complete, and holds no company',
    remedy: 'widen the profile, or check the submitted companies: `prospect-sync rows ORDER` shows the reasons',
  },
  fewer_delivered_than_expected: {
    description: 'fewer companies were delivered than expect.min_delivered of the run asks for',
    remedy: 'widen the profile or the exclusions, or lower expect.min_delivered',
  },
  people_missing: {
    description: 'CONTACTS were ordered, and no enriched company has people',
    remedy: 'look at one answer: `prospect-sync service learn ORDER` shows what is there; otherwise ask the service',
  },
  company_names_missing: {
    description: 'no company of the order has a name',
    remedy: 'set service.fields.company.name, then `prospect-sync ingest ORDER`',
  },
  contact_addresses_missing: {
    description: 'no person of the order has an email address',
    remedy: 'set service.fields.prospect.email, then `prospect-sync ingest ORDER`',
  },
  contact_names_missing: {
    description: 'no person of the order has a name',
    remedy: 'set service.fields.prospect.full_name, then `prospect-sync ingest ORDER`',
  },
  slot_not_in_ledger: { description: 'a published slot is not in the ledger', remedy: reconcileAgain },
  slot_differs: { description: 'a slot in the ledger is not the one that is published', remedy: askService },
  slot_no_longer_published: { description: 'a slot that was collected is not published any more', remedy: askService },
  characters_replaced: {
    description:
      'slots contain NUL characters or lone surrogates, which no database stores: U+FFFD was written instead',
    remedy: askService,
  },
  exclusion_leak: {
    description: 'companies came back that a blacklist of the order names; they were not written to the CRM',
    remedy: 'show the service the file of leaks',
  },
  csv_file_missing: { description: 'the CSV file is not where it was written', remedy: reconcileAgain },
  csv_file_changed: { description: 'somebody changed the CSV file since it was written', remedy: reconcileAgain },
  xlsx_file_missing: { description: 'the Excel file is not where it was written', remedy: reconcileAgain },
  xlsx_file_changed: { description: 'somebody changed the Excel file since it was written', remedy: reconcileAgain },
  csv_file_outdated: { description: 'the ledger has changed since the CSV file was written', remedy: rewrite },
  xlsx_file_outdated: { description: 'the ledger has changed since the Excel file was written', remedy: rewrite },
  files_not_rewritten: {
    description: 'files of an earlier version were not written again: the run of the order is not configured',
    remedy: '`prospect-sync ingest ORDER --run NAME` writes them as that run says',
  },
  leaks_file_missing: { description: 'the file of leaks is not where it was written', remedy: reconcileAgain },
  leaks_file_changed: {
    description: 'somebody changed the file of leaks since it was written',
    remedy: reconcileAgain,
  },
  service_csv_file_missing: {
    description: "the service's CSV file is not where it was written",
    remedy: reconcileAgain,
  },
  service_csv_file_changed: { description: "somebody changed the service's CSV file", remedy: reconcileAgain },
  service_xlsx_file_missing: {
    description: "the service's Excel file is not where it was written",
    remedy: reconcileAgain,
  },
  service_xlsx_file_changed: { description: "somebody changed the service's Excel file", remedy: reconcileAgain },
  service_output_failed: {
    description: 'the service could not make an output; the results are complete without it',
    remedy: '`prospect-sync ingest ORDER` asks for it once more',
  },
  service_output_refused: {
    description: 'the service did not take the request for an output, or its file is over a limit; the report says why',
    remedy:
      'correct service_outputs of the run, then `prospect-sync ingest ORDER`; of a file that is too large, ask the service',
  },
  service_output_unfinished: {
    description: 'an output was not ready in the time of polling.output_give_up',
    remedy: '`prospect-sync ingest ORDER` waits for it once more',
  },
  service_output_not_fetched: {
    description: 'the file of an output could not be fetched or written; the report says why',
    remedy: '`prospect-sync ingest ORDER` fetches it once more',
  },
  service_output_rows_differ: {
    description: 'an output has other rows than the service or the order counts',
    remedy: askService,
  },
  outcome_missing: { description: 'a company or person has no recorded outcome', remedy: reconcileAgain },
  prospect_missing: { description: 'an outcome names a person whom its slot does not have', remedy: reconcileAgain },
  crm_write_failed: { description: 'HubSpot did not take a record', remedy: rows },
  crm_company_quarantined: {
    description: 'companies wait for a person, since it is not clear who they are',
    remedy: rows,
  },
  crm_contact_quarantined: {
    description: 'people wait for a person, since it is not clear who they are',
    remedy: rows,
  },
  crm_company_missing: { description: 'a company that was written is not in the CRM any more', remedy: reconcileAgain },
  crm_company_order_differs: { description: 'a company names an order that nobody knows', remedy: reconcileAgain },
  crm_company_key_differs: { description: 'somebody changed our key on a company', remedy: reconcileAgain },
  crm_company_status_differs: { description: 'somebody changed the status on a company', remedy: reconcileAgain },
  crm_contact_missing: { description: 'a contact that was written is not in the CRM any more', remedy: reconcileAgain },
  crm_contact_order_differs: { description: 'a contact names an order that nobody knows', remedy: reconcileAgain },
  crm_contact_key_differs: { description: 'somebody changed our key on a contact', remedy: reconcileAgain },
  crm_link_missing: {
    description: 'a contact that was written is not linked to its company any more',
    remedy: reconcileAgain,
  },
  exclusion_removals_wait: {
    description: 'more entries would be removed from a blacklist than the brakes allow; they wait',
    remedy: '`prospect-sync exclusions approve DIGEST` if they are right, else correct the source',
  },
} as const satisfies Record<string, FindingDescription>;

/** Codes may carry what they are about after a colon. */
export function findRemedy(code: string): string | null {
  const name = code.replace(/:.*$/s, '');
  return isKnown(name) ? findingDescriptions[name].remedy : null;
}

function isKnown(name: string): name is keyof typeof findingDescriptions {
  return Object.hasOwn(findingDescriptions, name);
}
