/** What each finding means and what to do. The work of a run with findings is complete, but something is not as expected. */
interface FindingDescription {
  readonly description: string;
  readonly remedy: string;
}

const report = 'Report the order id to the support of the service.';
const rewriteAndCheck =
  'Run `prospect-sync ingest ORDER` to write it again, then `prospect-sync reconcile ORDER` to check it.';
const repairRecords = 'Run `prospect-sync reconcile ORDER --repair` to write the value again.';
const restoreInHubSpot = 'Nothing, if that was intended. Otherwise restore the record in HubSpot within 90 days.';
const rewriteFiles = 'Run `prospect-sync retry ORDER` to write the files again.';
const retryRows =
  'Run `prospect-sync rows ORDER` to see which ones and why, then `prospect-sync retry ORDER` to write them again.';

export const findingDescriptions = {
  order_not_completed: { description: 'The order is no longer COMPLETED.', remedy: report },
  results_not_published: {
    description: 'The service no longer reports the results of the order as published.',
    remedy: report,
  },
  order_kind_unknown: {
    description: 'Neither the ledger nor the service says whether the order is a discovery or an enrichment.',
    remedy: 'Run `prospect-sync ingest ORDER --run NAME` with the run that the order belongs to.',
  },
  order_kind_differs: {
    description: 'The service reports another kind of order than was requested.',
    remedy: report,
  },
  ordered_quantity_differs: {
    description: 'The service reports another ordered quantity than was requested.',
    remedy: report,
  },
  submitted_rows_differ: {
    description: 'The order has another number of slots than rows were submitted.',
    remedy: report,
  },
  slots_differ_from_available_quantity: {
    description: 'The order announces another number of slots than was collected.',
    remedy: report,
  },
  statuses_do_not_add_up: {
    description: 'The sum of the slots by status differs from the number of slots.',
    remedy: report,
  },
  summary_missing: { description: 'The order has no summary of its results.', remedy: report },
  enriched_count_differs: {
    description: 'The summary counts another number of enriched slots than was collected.',
    remedy: report,
  },
  annotated_count_differs: {
    description: 'The summary counts another number of annotated slots than was collected.',
    remedy: report,
  },
  requested_count_differs: {
    description: 'The summary counts another number of requested companies than was ordered.',
    remedy: report,
  },
  reason_count_differs: {
    description: 'The summary counts another number of slots with a reason code than was collected.',
    remedy: report,
  },
  summary_changed_since_collection: {
    description: 'The summary of the order has changed since the results were collected.',
    remedy: report,
  },
  nothing_delivered: {
    description: 'The order is complete, but contains no company.',
    remedy: 'Widen the profile, or check the submitted companies; `prospect-sync rows ORDER` shows the reason codes.',
  },
  fewer_delivered_than_ordered: {
    description: 'The discovery has found fewer companies than were ordered.',
    remedy:
      'Widen the profile or reduce the exclusions. If fewer are acceptable, set `expect.min_delivered` of the run.',
  },
  fewer_delivered_than_expected: {
    description: 'Fewer companies were delivered than `expect.min_delivered` of the run requires.',
    remedy: 'Widen the profile, reduce the exclusions, or lower `expect.min_delivered`.',
  },
  people_missing: {
    description:
      'CONTACTS were ordered, but more enriched companies than `expect.max_without_people` allows have no people.',
    remedy:
      'Run `prospect-sync service learn ORDER` to see the fields of the answers. If they contain no people, ask the support of the service.',
  },
  company_names_missing: {
    description: 'No company of the order has a name.',
    remedy: 'Set `service.fields.company.name`, then run `prospect-sync ingest ORDER`.',
  },
  contact_addresses_missing: {
    description: 'No person of the order has an email address.',
    remedy: 'Set `service.fields.prospect.email`, then run `prospect-sync ingest ORDER`.',
  },
  contact_names_missing: {
    description: 'No person of the order has a name.',
    remedy: 'Set `service.fields.prospect.full_name`, then run `prospect-sync ingest ORDER`.',
  },
  slot_not_in_ledger: { description: 'A published slot is not in the ledger.', remedy: rewriteAndCheck },
  slot_differs: {
    description: 'The service publishes a slot with other values or fewer fields than when it was collected.',
    remedy:
      'Report the order id to the support of the service. To use the new version, run `prospect-sync ingest ORDER --accept-changes`.',
  },
  prospects_withdrawn: {
    description:
      'The service has withdrawn people since the results were collected, for example because its delivery policy was lowered.',
    remedy:
      'Run `prospect-sync ingest ORDER --accept-changes` to use the new version. HubSpot records of withdrawn people stay.',
  },
  ledger_slot_changed: {
    description: 'A slot was changed in the ledger after it was collected.',
    remedy: 'Restore the ledger from a backup. Only prospect-sync may write to it.',
  },
  results_total_differs: {
    description: 'A page of results announces another total than the order had when it was collected.',
    remedy: report,
  },
  results_end_differs: {
    description: 'A page of results announces further slots, or no more, contrary to the total.',
    remedy: report,
  },
  external_id_differs: {
    description: 'A slot has another external id than the row that was submitted at its position.',
    remedy: 'Report the order id to the support of the service. Records that external ids name were not written.',
  },
  company_differs_from_row: {
    description: 'A slot has a company whose domain and name both differ from the submitted row.',
    remedy:
      'Run `prospect-sync rows ORDER` and compare. Records that external ids name were not written. If companies were mixed up, report the order id to the support of the service.',
  },
  reason_missing: { description: 'A slot has no reason code.', remedy: report },
  reason_of_another_status: {
    description: 'A slot has a reason code that belongs to another status.',
    remedy: report,
  },
  duplicate_reference_wrong: {
    description: 'A DUPLICATE slot does not refer to an earlier row that was resolved, or another slot refers to one.',
    remedy: report,
  },
  unresolved_slot_with_company: { description: 'An UNRESOLVED slot has a company.', remedy: report },
  slot_without_company: { description: 'An ENRICHED or PARTIAL slot has no company.', remedy: report },
  partial_slot_with_people: { description: 'A PARTIAL slot has people.', remedy: report },
  discovery_slot_not_enriched: { description: 'A slot of a discovery is not ENRICHED.', remedy: report },
  slot_no_longer_published: { description: 'A collected slot is no longer published.', remedy: report },
  slot_erased: {
    description:
      'People or companies in these slots were forgotten. The slots were compared by the digest of what was published, and their erased records were not read in HubSpot.',
    remedy: 'No action needed.',
  },
  characters_replaced: {
    description:
      'Slots contain NUL characters or lone surrogates, which databases cannot store. U+FFFD was written instead.',
    remedy: report,
  },
  exclusion_leak: {
    description:
      'The service returned companies that a blacklist of the order excludes. They were not written to HubSpot.',
    remedy: 'Send the leaks file to the support of the service.',
  },
  csv_file_not_written: { description: 'The run writes a CSV file, but the ledger has none.', remedy: rewriteAndCheck },
  xlsx_file_not_written: {
    description: 'The run writes an Excel file, but the ledger has none.',
    remedy: rewriteAndCheck,
  },
  csv_rows_differ: { description: 'The CSV file has other rows than the ledger.', remedy: rewriteFiles },
  xlsx_rows_differ: { description: 'The Excel file has other rows than the ledger.', remedy: rewriteFiles },
  csv_file_missing: { description: 'The CSV file was moved or deleted.', remedy: rewriteAndCheck },
  csv_file_changed: { description: 'The CSV file was changed after it was written.', remedy: rewriteAndCheck },
  xlsx_file_missing: { description: 'The Excel file was moved or deleted.', remedy: rewriteAndCheck },
  xlsx_file_changed: { description: 'The Excel file was changed after it was written.', remedy: rewriteAndCheck },
  csv_file_outdated: {
    description: 'The ledger has changed since the CSV file was written.',
    remedy: rewriteFiles,
  },
  xlsx_file_outdated: {
    description: 'The ledger has changed since the Excel file was written.',
    remedy: rewriteFiles,
  },
  files_not_rewritten: {
    description: 'Files of an earlier version were not written again, because the run of the order is not configured.',
    remedy: 'Run `prospect-sync ingest ORDER --run NAME` to write them with the settings of that run.',
  },
  leaks_file_missing: { description: 'The leaks file was moved or deleted.', remedy: rewriteAndCheck },
  leaks_file_changed: { description: 'The leaks file was changed after it was written.', remedy: rewriteAndCheck },
  service_csv_file_missing: {
    description: 'The CSV file made by the service was moved or deleted.',
    remedy: rewriteAndCheck,
  },
  service_csv_file_changed: {
    description: 'The CSV file made by the service was changed after it was downloaded.',
    remedy: rewriteAndCheck,
  },
  service_xlsx_file_missing: {
    description: 'The Excel file made by the service was moved or deleted.',
    remedy: rewriteAndCheck,
  },
  service_xlsx_file_changed: {
    description: 'The Excel file made by the service was changed after it was downloaded.',
    remedy: rewriteAndCheck,
  },
  service_output_not_requested: {
    description: 'The run orders an output of the service, but the ledger has none.',
    remedy: 'Run `prospect-sync ingest ORDER` to request it.',
  },
  service_output_changed: {
    description: 'The service reports another number of rows or another digest for an output than when it was made.',
    remedy: report,
  },
  service_outputs_disagree: {
    description: 'Outputs of the same order have different digests of the result set.',
    remedy: report,
  },
  service_output_failed: {
    description: 'The service could not make an output. The results are complete without it.',
    remedy: 'Run `prospect-sync ingest ORDER` to request it again.',
  },
  service_output_refused: {
    description:
      'The service rejected the request for an output, or its file exceeds a limit. The report gives the reason.',
    remedy:
      'Correct `service_outputs` of the run, then run `prospect-sync ingest ORDER`. If the file is too large, ask the support of the service.',
  },
  service_output_unfinished: {
    description: 'An output was not ready within `polling.output_give_up`.',
    remedy: 'Run `prospect-sync ingest ORDER` to wait for it again.',
  },
  service_output_not_fetched: {
    description: 'The file of an output could not be downloaded or written. The report gives the reason.',
    remedy: 'Run `prospect-sync ingest ORDER` to download it again.',
  },
  service_output_rows_differ: {
    description: 'An output has another number of rows than the service reports or the order has.',
    remedy: report,
  },
  outcome_missing: { description: 'A company or contact has no recorded outcome.', remedy: rewriteAndCheck },
  prospect_missing: {
    description: 'An outcome refers to a prospect that its slot does not have.',
    remedy: rewriteAndCheck,
  },
  crm_write_failed: { description: 'HubSpot did not accept a record.', remedy: retryRows },
  crm_company_quarantined: {
    description: 'Companies are quarantined: HubSpot rejected their values, or their match is ambiguous.',
    remedy: retryRows,
  },
  crm_contact_quarantined: {
    description: 'Contacts are quarantined: HubSpot rejected their values, or their match is ambiguous.',
    remedy: retryRows,
  },
  crm_company_missing: {
    description: 'A company that was written is no longer in HubSpot.',
    remedy: rewriteAndCheck,
  },
  crm_company_order_differs: {
    description: 'A company in HubSpot names an order that the ledger does not know.',
    remedy: rewriteAndCheck,
  },
  crm_company_key_differs: {
    description: 'The key of prospect-sync was changed on a company in HubSpot.',
    remedy: rewriteAndCheck,
  },
  crm_company_status_differs: {
    description: 'The status of prospect-sync was changed on a company in HubSpot.',
    remedy: rewriteAndCheck,
  },
  crm_contact_missing: {
    description: 'A contact that was written is no longer in HubSpot.',
    remedy: rewriteAndCheck,
  },
  crm_contact_order_differs: {
    description: 'A contact in HubSpot names an order that the ledger does not know.',
    remedy: rewriteAndCheck,
  },
  crm_contact_key_differs: {
    description: 'The key of prospect-sync was changed on a contact in HubSpot.',
    remedy: rewriteAndCheck,
  },
  crm_link_missing: {
    description: 'A contact that was written is no longer associated with its company.',
    remedy: rewriteAndCheck,
  },
  crm_company_archived: {
    description: 'A company that was written was deleted in HubSpot.',
    remedy: restoreInHubSpot,
  },
  crm_contact_archived: {
    description: 'A contact that was written was deleted in HubSpot.',
    remedy: restoreInHubSpot,
  },
  crm_contact_status_differs: {
    description:
      'The status of prospect-sync on a contact in HubSpot is not the one that was written, and nobody edited it.',
    remedy: repairRecords,
  },
  crm_company_property_wrong: {
    description: 'A company in HubSpot has another value than the one that was written, and nobody edited it.',
    remedy: repairRecords,
  },
  crm_contact_property_wrong: {
    description: 'A contact in HubSpot has another value than the one that was written, and nobody edited it.',
    remedy: repairRecords,
  },
  exclusion_removals_wait: {
    description:
      'A sync would remove more entries from a blacklist than the safety limit allows. They wait for approval.',
    remedy: 'If the removals are right, run `prospect-sync exclusions approve DIGEST`. Otherwise correct the source.',
  },
} as const satisfies Record<string, FindingDescription>;

/** A code may have a detail after a colon, such as `reason_count_differs:NO_EMAIL_FOUND`. */
export function findRemedy(code: string): string | null {
  const name = code.replace(/:.*$/s, '');
  return isKnown(name) ? findingDescriptions[name].remedy : null;
}

function isKnown(name: string): name is keyof typeof findingDescriptions {
  return Object.hasOwn(findingDescriptions, name);
}
