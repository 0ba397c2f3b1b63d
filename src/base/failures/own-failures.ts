import type { FailureDescription } from './failure-description.ts';

const ingestAgain =
  'Then run `prospect-sync ingest ORDER`, which continues with the existing order and places no new one.';
const noSecondOrder =
  'If an order exists, continue it with `prospect-sync ingest ORDER`. Start the run again only if there is no order.';
const reportOrder = `Report the order id to the support of the service. ${ingestAgain}`;

/** For a worker that has read another file than the command: installations that share a task queue take each other's work. */
export const ofOtherInstallation =
  'If that worker belongs to another installation, give each its own namespace or `TEMPORAL_TASK_QUEUE` instead.';

/** Failures that prospect-sync itself decides: it stops or waits. */
export const ownFailures = {
  OrderNotPublished: {
    description: 'The service has not published the order yet. This is expected while an order is in progress.',
    remedy: 'No action needed; the message says when the status is checked next.',
  },
  OutputNotReady: {
    description: 'The service has not finished the output yet. This is expected while an output is in progress.',
    remedy: 'No action needed; the message says when the status is checked next.',
  },
  OrderRejected: {
    description: 'The service rejected the order. The rejection is final.',
    remedy:
      'Correct the profile, the features or the quantity of the run as the service says, then start the run again.',
  },
  OrderFailed: {
    description: 'The service could not process the order. The failure is final.',
    remedy: 'Start the run again. If it fails again, report the order id to the support of the service.',
  },
  OrderCancelled: {
    description: 'The order was cancelled in the service.',
    remedy: 'Start the run again if the cancellation was a mistake.',
  },
  OrderUnconfirmed: {
    description:
      'The order may be a mistake: another run, started at the same time, has just ordered the same companies, or the source has changed since the command announced its rows. Nothing was ordered.',
    remedy: 'If you want the order, start the run again: the command shows what it would repeat, and asks.',
  },
  OrderCompletedUnpublished: {
    description: 'The order is older than immutable results and was never published, so it cannot be collected.',
    remedy:
      'Write the companies of its profile to HubSpot, marked as unproved, with the command that the message names: `prospect-sync ingest --legacy PROSPECT_SEARCH_ID --run NAME`. A new order would be a second purchase.',
  },
  OrderErased: {
    description:
      'Retention has removed the data of the order, or people of it were forgotten and the output would contain them again.',
    remedy: 'To get new results, place a new order.',
  },
  OrderNotCollected: {
    description: 'The ledger does not hold the results of the order.',
    remedy: 'Run `prospect-sync ingest ORDER` first.',
  },
  OtherOrganization: {
    description:
      'The service does not have the newest orders of the ledger, so the API key belongs to another organization, or `service.base_url` to another service. Nothing was uploaded or ordered.',
    remedy:
      'Correct `service.api_key` or `service.base_url`. For another organization, use another ledger: `--data-dir` or `ledger`.',
  },
  ProfileFailed: {
    description: 'The service could not create the search profile, also after several requests.',
    remedy: 'Change the profile of the run, or start the run again later.',
  },
  ProfileMissing: {
    description: 'The service reports that the search profile was created, but returns no profile id.',
    remedy: 'Report the id of the profile creation to the support of the service, then start the run again.',
  },
  ReplyNotReceived: {
    description: 'A workflow names a reply that is not in the ledger of this worker.',
    remedy: 'Let the receiver and the workers use the same ledger. The sender repeats a delivery for about 12 hours.',
  },
  ItemUnsettled: {
    description: 'An earlier attempt may still create a note or a task: the next attempt looks for it first.',
    remedy: 'No action needed; the step is retried after a minute.',
  },
  NoCompanies: {
    description: 'The enrichment has no company to submit. Nothing was ordered.',
    remedy: 'Add a source with companies to the `companies` of the run, then start the run again.',
  },
  AllRowsRejected: {
    description: 'All rows of the source of an enrichment break the contract. Nothing was ordered.',
    remedy: 'Correct the rows or the columns that the message names, then start the run again.',
  },
  AllRowsExcluded: {
    description: 'All companies of an enrichment match its exclusions. Nothing was ordered.',
    remedy: 'Add companies to the source, or remove exclusions from the run, then start the run again.',
  },
  LimitExceeded: {
    description: 'The run would order more companies than `limits.max_briefings_per_run` allows. Nothing was ordered.',
    remedy:
      'Enrich fewer companies in one run, or raise `limits.max_briefings_per_run` and restart the workers. Then start the run again.',
  },
  SourceEmpty: {
    description: 'A source of companies is empty. Nothing was changed or ordered.',
    remedy: 'Correct the source or remove it from the configuration, then repeat the command or start the run again.',
  },
  FileRefused: {
    description: 'A file or a query of companies has rows or columns that cannot be used. Nothing of it was used.',
    remedy: 'Correct the source or its settings, then repeat the command or start the run again.',
  },
  SearchRefused: {
    description:
      'HubSpot rejects the search for the companies of an enrichment, or a value of a filter is none of its property. Nothing was ordered.',
    remedy: 'Correct `companies.hubspot.filter_groups` of the run, then start the run again.',
  },
  ListNotStatic: {
    description: 'A list in `hubspot_lists` of the run is DYNAMIC: only its filters decide who is in it.',
    remedy:
      'Choose a static list, or a name that no list has, in `hubspot_lists`. If an order exists, continue it with `prospect-sync ingest ORDER`; otherwise start the run again.',
  },
  ListNameTaken: {
    description:
      'A name in `hubspot_lists` of the run is that of a HubSpot list with other records, or the id of a list.',
    remedy:
      'Write the name of a list that has these records, or one that no list has, in `hubspot_lists`. If an order exists, continue it with `prospect-sync ingest ORDER`; otherwise start the run again.',
  },
  ListNameUnknown: {
    description:
      'The name of a list in `hubspot_lists` has a field of the order that is empty, because this ledger did not place the order.',
    remedy: 'Name the list without that field, for example with `{order.id}`, then run `prospect-sync ingest ORDER`.',
  },
  ListRefused: {
    description:
      'A HubSpot list of an exclusion or an enrichment does not exist or does not contain companies. Nothing was changed or ordered.',
    remedy:
      'Correct the setting that names it: `exclusions.NAME.hubspot.lists`, or `runs.NAME.companies.hubspot.lists` of an enrichment.',
  },
  StageUnknown: {
    description:
      'HubSpot does not have a lifecycle stage of `lifecycle_stages`. Fewer companies than meant would be excluded or ordered. Nothing was changed or ordered.',
    remedy: 'Correct `lifecycle_stages`: internal names of the stages, as the message lists them.',
  },
  PropertyRefused: {
    description:
      'A company property in the configuration does not exist in HubSpot, or is of another type. Nothing was changed or ordered.',
    remedy:
      'Correct the setting that names it: `do_not_contact` of an exclusion, or `without` or `filter_groups` of a run.',
  },
  ResultsIncomplete: {
    description: 'The service returned fewer slots than the order announces.',
    remedy: reportOrder,
  },
  ResultsInconsistent: {
    description: 'Pages of the results contradict each other or the order.',
    remedy: reportOrder,
  },
  ShapeUnresolved: {
    description: 'The results are collected, but a required field was not recognised. Nothing was written to HubSpot.',
    remedy: `Set the fields that the message names. ${ingestAgain}`,
  },
  OrderRefused: {
    description: 'The service refused the order, and its error proposes settings. Nothing was ordered.',
    remedy: 'Set what the message proposes, then start the run again.',
  },
  OrderOutcomeUnknown: {
    description:
      'An order may have been placed, but its id is unknown. Every later run of this name repeats the same request.',
    remedy:
      'Look for the order in the service and continue it with `prospect-sync ingest ORDER --run NAME`. If a field of the answer holds its id, set `service.fields.order.order_id` and start the run again.',
  },
  RunNotConfigured: {
    description:
      'The configuration that the worker read at its start does not have the run. A start orders nothing. If an order exists, the step is retried.',
    remedy: `If the file has the run, restart all workers with this file, then start the run again. ${ofOtherInstallation} Otherwise put the run back and restart them, or run \`prospect-sync apply\` to delete its schedule. An existing order also continues with \`prospect-sync ingest ORDER --run NAME\`.`,
  },
  ExclusionNotConfigured: {
    description:
      'The configuration that the worker read at its start does not have the exclusion. Nothing was changed or ordered.',
    remedy: `If the file has the exclusion, restart all workers with this file. ${ofOtherInstallation} Otherwise put it back and restart them, or remove it from the run. Then start the run again.`,
  },
  ProfileNotPrepared: {
    description: 'The search profile of the run was not in the ledger when its order was due. Nothing was ordered.',
    remedy: 'Start the run again; every run prepares its profile first.',
  },
  ExclusionsNotSynced: {
    description: 'The exclusions of the run were not synced when its order was due. Nothing was ordered.',
    remedy: 'Start the run again; every run syncs its exclusions first.',
  },
  ConfigurationDiffers: {
    description:
      'The configuration of the worker differs from the one that the command read, or it changed before the order was placed. Nothing was ordered.',
    remedy: `Restart that worker with the current configuration file, then start the run again. ${ofOtherInstallation}`,
  },
  InputRefused: {
    description:
      'A workflow or an activity was started with an input that prospect-sync never sends. Nothing was done.',
    remedy: 'Start workflows with prospect-sync only. SECURITY.md says who should reach the Temporal namespace.',
  },
  NotEncrypted: {
    description: 'A workflow or an activity was started with plain input, although encryption keys are configured.',
    remedy:
      'Start it by a command or a schedule that has the keys; `prospect-sync apply` replaces older schedules. While runs from before encryption are in progress, set `temporal.encryption.accept_plain`.',
  },
  RunsElsewhere: {
    description:
      'A workflow that this one needs is already in progress, for example after a reset or because another run syncs the same exclusion.',
    remedy: 'No action needed; this workflow waits until the other one has ended.',
  },
  OrderingElsewhere: {
    description: 'Another run of the same name is placing its order.',
    remedy: 'No action needed; runs of one name place their orders one after another, and this one waits for its turn.',
  },
  TimedOut: {
    description: 'A step timed out: an order was not published within 30 days, or an outage lasted 14 days.',
    remedy: `Check the worker, the service and HubSpot. ${ingestAgain}`,
  },
  Terminated: {
    description: 'A workflow that this one waited for was terminated or cancelled.',
    remedy: noSecondOrder,
  },
  AlreadyRunning: {
    description: 'A workflow with this id is already in progress.',
    remedy: `Wait until it has ended. ${noSecondOrder}`,
  },
  ResultTooLarge: {
    description: 'The result of an activity is larger than Temporal accepts.',
    remedy: 'Report this with the name of the activity. Everything that was collected is kept.',
  },
  Unexpected: {
    description:
      'An unexpected error occurred. Only its name is shown, because its text could contain personal data or keys.',
    remedy: 'Check the log of the worker at that time, and report the error.',
  },
} as const satisfies Record<string, FailureDescription>;
