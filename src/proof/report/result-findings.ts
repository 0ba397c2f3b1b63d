/** Findings about an order, its results and its slots. */
import { report, rewriteAndCheck, type FindingDescription } from './finding-remedies.ts';

export const resultFindings = {
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
  source_rows_differ: {
    description:
      'The ordered rows and the rows that match an exclusion are not as many as the usable rows of the source.',
    remedy: 'List the rows with `prospect-sync rows ORDER`, compare them with the source, and report this as a bug.',
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
      'Run `prospect-sync reconcile ORDER --differences` to see which fields, and report the order id to the support of the service. To use the new version, run `prospect-sync ingest ORDER --accept-changes`.',
  },
  prospects_withdrawn: {
    description:
      'The service has withdrawn people since the results were collected, for example because its delivery policy was lowered.',
    remedy:
      'Run `prospect-sync ingest ORDER --accept-changes` to use the new version. HubSpot records of withdrawn people stay.',
  },
  ledger_slot_changed: {
    description: 'A slot, or its digest, was changed in the ledger after it was collected.',
    remedy: 'Restore the ledger from a backup. Only prospect-sync may write to it.',
  },
  order_field_differs: {
    description:
      'The service returns the order with another profile, other features or another title than was ordered, or without one that it returned before. After the colon stands the field.',
    remedy: report,
  },
  company_delivered_twice: {
    description: 'A discovery has the same company in several slots. `count` is the number of slots too many.',
    remedy: report,
  },
  delivered_before_order: {
    description: 'A slot has a time of delivery that is more than a day before its order.',
    remedy: report,
  },
  page_summary_differs: {
    description: 'A page of results carries another summary than the order.',
    remedy: report,
  },
  slots_beyond_total: {
    description: 'The last page of results has more slots than the total.',
    remedy: report,
  },
  ledger_changed: {
    description:
      'A fact of the order in the ledger is not what an earlier certificate states, although prospect-sync has not changed it. After the colon stands the member of the certificate.',
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
} as const satisfies Record<string, FindingDescription>;
