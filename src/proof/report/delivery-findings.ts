/** Findings about files, outputs of the service, records in HubSpot, and exclusions. */
import { report, retryRowsRemedy, rewriteAndCheck, type FindingDescription } from './finding-remedies.ts';

const repairRecords =
  'Run `prospect-sync reconcile ORDER --differences` to see both values, and `prospect-sync reconcile ORDER --repair` to write that of prospect-sync again.';
const writtenElsewhere =
  'Nothing, if two installations deliver to this portal. If the ledger was restored from a backup, the property `prospect_sync_order_id` of the record has the id of the order that the ledger lost: collect that order with `prospect-sync ingest` and its `--run`. To replace these values by those of this order, run `prospect-sync ingest ORDER --force`.';
const companyWrittenElsewhere = `${writtenElsewhere} If the company is then quarantined as \`domain_of_another_company\`, its key was edited in HubSpot: delete the value of its property \`prospect_sync_company_key\` there, then run \`prospect-sync retry ORDER\`.`;
const linkAgain =
  'Nothing, if that was intended. Otherwise run `prospect-sync ingest ORDER`, which links the contact to the company of its order again, then `prospect-sync reconcile ORDER` to check it.';
const restoreInHubSpot = 'Nothing, if that was intended. Otherwise restore the record in HubSpot within 90 days.';
const rewriteFiles =
  'Run `prospect-sync retry ORDER` to write the files again; a file that was edited is kept under another name.';

export const deliveryFindings = {
  csv_file_not_written: {
    description: 'The run is configured to write a CSV file, but no file is in the ledger.',
    remedy: rewriteAndCheck,
  },
  xlsx_file_not_written: {
    description: 'The run is configured to write an Excel file, but no file is in the ledger.',
    remedy: rewriteAndCheck,
  },
  csv_rows_differ: { description: 'The CSV file has other rows than the ledger.', remedy: rewriteFiles },
  xlsx_rows_differ: { description: 'The Excel file has other rows than the ledger.', remedy: rewriteFiles },
  csv_file_missing: { description: 'The CSV file was moved or deleted.', remedy: rewriteFiles },
  csv_file_changed: { description: 'The CSV file was changed after it was written.', remedy: rewriteFiles },
  xlsx_file_missing: { description: 'The Excel file was moved or deleted.', remedy: rewriteFiles },
  xlsx_file_changed: { description: 'The Excel file was changed after it was written.', remedy: rewriteFiles },
  csv_file_outdated: {
    description: 'The ledger has changed since the CSV file was written.',
    remedy: rewriteFiles,
  },
  xlsx_file_outdated: {
    description: 'The ledger has changed since the Excel file was written.',
    remedy: rewriteFiles,
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
    description: 'The run is configured to request an output of the service, but no output is in the ledger.',
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
  website_text_not_fetched: {
    description:
      'The website texts of these companies could not be fetched. Their records and rows were written without the text.',
    remedy:
      'Run `prospect-sync websites ORDER`, which fetches them or says why not, then `prospect-sync ingest ORDER` to write them.',
  },
  website_text_changed: {
    description: 'A website text, or its digest, was changed in the ledger after it was fetched.',
    remedy: 'Restore the ledger from a backup. Only prospect-sync may write to it.',
  },
  outcome_missing: { description: 'A company or contact has no recorded outcome.', remedy: rewriteAndCheck },
  prospect_missing: {
    description: 'An outcome refers to a prospect that its slot does not have.',
    remedy: rewriteAndCheck,
  },
  crm_write_failed: { description: 'HubSpot did not accept a record.', remedy: retryRowsRemedy('crm_write_failed') },
  crm_company_quarantined: {
    description: 'Companies are quarantined: HubSpot rejected their values, or their match is ambiguous.',
    remedy: retryRowsRemedy('crm_company_quarantined'),
  },
  crm_contact_quarantined: {
    description: 'Contacts are quarantined: HubSpot rejected their values, or their match is ambiguous.',
    remedy: retryRowsRemedy('crm_contact_quarantined'),
  },
  crm_company_missing: {
    description: 'A company that was written is no longer in HubSpot.',
    remedy: rewriteAndCheck,
  },
  crm_company_values_lost: {
    description:
      'The ledger no longer has the values that were written to a company, so that those in HubSpot cannot be compared.',
    remedy: rewriteAndCheck,
  },
  crm_company_written_elsewhere: {
    description:
      'A company in HubSpot has the values of an order that the ledger does not know: another installation wrote it later. `reconcile --repair` keeps these values.',
    remedy: companyWrittenElsewhere,
  },
  crm_company_order_differs: {
    description: 'The order id of prospect-sync on a company in HubSpot is not that of an order.',
    remedy: repairRecords,
  },
  crm_company_key_differs: {
    description: 'The key of prospect-sync was changed on a company in HubSpot.',
    remedy: repairRecords,
  },
  crm_company_status_differs: {
    description: 'The status of prospect-sync was changed on a company in HubSpot.',
    remedy: repairRecords,
  },
  crm_contact_missing: {
    description: 'A contact that was written is no longer in HubSpot.',
    remedy: rewriteAndCheck,
  },
  crm_contact_values_lost: {
    description:
      'The ledger no longer has the values that were written to a contact, so that those in HubSpot cannot be compared.',
    remedy: rewriteAndCheck,
  },
  crm_contact_written_elsewhere: {
    description:
      'A contact in HubSpot has the values of an order that the ledger does not know: another installation wrote it later. `reconcile --repair` keeps these values.',
    remedy: writtenElsewhere,
  },
  crm_contact_order_differs: {
    description: 'The order id of prospect-sync on a contact in HubSpot is not that of an order.',
    remedy: repairRecords,
  },
  crm_contact_key_differs: {
    description: 'The key of prospect-sync was changed on a contact in HubSpot.',
    remedy: repairRecords,
  },
  crm_link_missing: {
    description: 'A contact that was written is no longer associated with its company: its link was removed or moved.',
    remedy: linkAgain,
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
    description: 'The status of prospect-sync was changed on a contact in HubSpot.',
    remedy: repairRecords,
  },
  crm_company_property_wrong: {
    description:
      'A company in HubSpot has a value that prospect-sync did not write, and its history shows no later edit. Or a property of prospect-sync (`prospect_sync_…`) was edited.',
    remedy: repairRecords,
  },
  crm_contact_property_wrong: {
    description:
      'A contact in HubSpot has a value that prospect-sync did not write, and its history shows no later edit. Or a property of prospect-sync (`prospect_sync_…`) was edited.',
    remedy: repairRecords,
  },
  exclusion_removals_wait: {
    description:
      'A sync would remove more entries from a blacklist than the safety limit allows. They wait for approval.',
    remedy: 'If the removals are right, run `prospect-sync exclusions approve DIGEST`. Otherwise correct the source.',
  },
} as const satisfies Record<string, FindingDescription>;
