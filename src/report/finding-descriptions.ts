/** What each finding means and what to do about it; findings are not failures: the work was done, and something is not as it should be. */
interface FindingMeaning {
  readonly meaning: string;
  readonly wayOut: string;
}

const askService = "tell the service's support the order id";
const reconcileAgain = '`prospect-sync ingest ORDER` writes it again, `prospect-sync reconcile ORDER` looks again';
const rewrite = '`prospect-sync retry ORDER` writes the files again';
const rows = '`prospect-sync rows ORDER` says which and why, `prospect-sync retry ORDER` writes them once more';

export const findingMeanings = {
  order_not_completed: { meaning: 'the order is no longer COMPLETED', wayOut: askService },
  results_not_published: { meaning: 'the order no longer calls its results published', wayOut: askService },
  slots_differ_from_available_quantity: {
    meaning: 'the order announces another number of slots than were collected',
    wayOut: askService,
  },
  statuses_do_not_add_up: { meaning: 'the counts by status are not the number of slots', wayOut: askService },
  summary_missing: { meaning: 'the order has no summary of its results', wayOut: askService },
  enriched_count_differs: { meaning: 'the summary counts other enriched slots than there are', wayOut: askService },
  annotated_count_differs: { meaning: 'the summary counts other annotated slots than there are', wayOut: askService },
  requested_count_differs: { meaning: 'not every submitted row has one slot', wayOut: askService },
  reason_count_differs: { meaning: 'the summary counts a reason otherwise than the slots', wayOut: askService },
  summary_changed_since_collection: {
    meaning: 'the summary is not the one that was collected',
    wayOut: askService,
  },
  nothing_delivered: {
    meaning: 'the order is complete, and holds no company',
    wayOut: 'widen the profile, or check the submitted companies: `prospect-sync rows ORDER` shows the reasons',
  },
  fewer_delivered_than_expected: {
    meaning: 'fewer companies were delivered than expect.min_delivered of the run asks for',
    wayOut: 'widen the profile or the exclusions, or lower expect.min_delivered',
  },
  people_missing: {
    meaning: 'CONTACTS were ordered, and no enriched company has people',
    wayOut: 'look at one answer: `prospect-sync service learn ORDER` shows what is there; otherwise ask the service',
  },
  company_names_missing: {
    meaning: 'no company of the order has a name',
    wayOut: 'set service.fields.company.name, then `prospect-sync ingest ORDER`',
  },
  contact_addresses_missing: {
    meaning: 'no person of the order has an email address',
    wayOut: 'set service.fields.prospect.email, then `prospect-sync ingest ORDER`',
  },
  contact_names_missing: {
    meaning: 'no person of the order has a name',
    wayOut: 'set service.fields.prospect.full_name, then `prospect-sync ingest ORDER`',
  },
  slot_not_in_ledger: { meaning: 'a published slot is not in the ledger', wayOut: reconcileAgain },
  slot_differs: { meaning: 'a slot in the ledger is not the one that is published', wayOut: askService },
  slot_no_longer_published: { meaning: 'a slot that was collected is not published any more', wayOut: askService },
  characters_replaced: {
    meaning: 'slots contain NUL characters or lone surrogates, which no database stores: U+FFFD was written instead',
    wayOut: askService,
  },
  exclusion_leak: {
    meaning: 'companies came back that a blacklist of the order names; they were not written to the CRM',
    wayOut: 'show the service the file of leaks',
  },
  csv_file_missing: { meaning: 'the CSV file is not where it was written', wayOut: reconcileAgain },
  csv_file_changed: { meaning: 'somebody changed the CSV file since it was written', wayOut: reconcileAgain },
  xlsx_file_missing: { meaning: 'the Excel file is not where it was written', wayOut: reconcileAgain },
  xlsx_file_changed: { meaning: 'somebody changed the Excel file since it was written', wayOut: reconcileAgain },
  csv_file_outdated: { meaning: 'the ledger has changed since the CSV file was written', wayOut: rewrite },
  xlsx_file_outdated: { meaning: 'the ledger has changed since the Excel file was written', wayOut: rewrite },
  files_not_rewritten: {
    meaning: 'files of an earlier version were not written again: the run of the order is not configured',
    wayOut: '`prospect-sync ingest ORDER --run NAME` writes them as that run says',
  },
  leaks_file_missing: { meaning: 'the file of leaks is not where it was written', wayOut: reconcileAgain },
  leaks_file_changed: { meaning: 'somebody changed the file of leaks since it was written', wayOut: reconcileAgain },
  service_csv_file_missing: { meaning: "the service's CSV file is not where it was written", wayOut: reconcileAgain },
  service_csv_file_changed: { meaning: "somebody changed the service's CSV file", wayOut: reconcileAgain },
  service_xlsx_file_missing: {
    meaning: "the service's Excel file is not where it was written",
    wayOut: reconcileAgain,
  },
  service_xlsx_file_changed: { meaning: "somebody changed the service's Excel file", wayOut: reconcileAgain },
  service_output_failed: {
    meaning: 'the service could not make an output; the results are complete without it',
    wayOut: '`prospect-sync ingest ORDER` asks for it once more',
  },
  service_output_refused: {
    meaning: 'the service did not take the request for an output, or its file is over a limit; the report says why',
    wayOut:
      'correct service_outputs of the run, then `prospect-sync ingest ORDER`; of a file that is too large, ask the service',
  },
  service_output_unfinished: {
    meaning: 'an output was not ready in the time of polling.output_give_up',
    wayOut: '`prospect-sync ingest ORDER` waits for it once more',
  },
  service_output_not_fetched: {
    meaning: 'the file of an output could not be fetched or written; the report says why',
    wayOut: '`prospect-sync ingest ORDER` fetches it once more',
  },
  service_output_rows_differ: {
    meaning: 'an output has other rows than the service or the order counts',
    wayOut: askService,
  },
  outcome_missing: { meaning: 'a company or person has no recorded outcome', wayOut: reconcileAgain },
  prospect_missing: { meaning: 'an outcome names a person whom its slot does not have', wayOut: reconcileAgain },
  crm_write_failed: { meaning: 'HubSpot did not take a record', wayOut: rows },
  crm_company_quarantined: { meaning: 'companies wait for a person, since it is not clear who they are', wayOut: rows },
  crm_contact_quarantined: { meaning: 'people wait for a person, since it is not clear who they are', wayOut: rows },
  crm_company_missing: { meaning: 'a company that was written is not in the CRM any more', wayOut: reconcileAgain },
  crm_company_order_differs: { meaning: 'a company names an order that nobody knows', wayOut: reconcileAgain },
  crm_company_key_differs: { meaning: 'somebody changed our key on a company', wayOut: reconcileAgain },
  crm_company_status_differs: { meaning: 'somebody changed the status on a company', wayOut: reconcileAgain },
  crm_contact_missing: { meaning: 'a contact that was written is not in the CRM any more', wayOut: reconcileAgain },
  crm_contact_order_differs: { meaning: 'a contact names an order that nobody knows', wayOut: reconcileAgain },
  crm_contact_key_differs: { meaning: 'somebody changed our key on a contact', wayOut: reconcileAgain },
  crm_link_missing: {
    meaning: 'a contact that was written is not linked to its company any more',
    wayOut: reconcileAgain,
  },
  exclusion_removals_wait: {
    meaning: 'more entries would be removed from a blacklist than the brakes allow; they wait',
    wayOut: '`prospect-sync exclusions approve DIGEST` if they are right, else correct the source',
  },
} as const satisfies Record<string, FindingMeaning>;

/** Codes may carry what they are about after a colon. */
export function findWayOut(code: string): string | null {
  const name = code.replace(/:.*$/s, '');
  return isKnown(name) ? findingMeanings[name].wayOut : null;
}

function isKnown(name: string): name is keyof typeof findingMeanings {
  return Object.hasOwn(findingMeanings, name);
}
