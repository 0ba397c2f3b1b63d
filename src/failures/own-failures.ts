import type { FailureDescription } from './failure-description.ts';

const ingestAgain = 'then run `prospect-sync ingest ORDER`: nothing is ordered again';
const noSecondOrder =
  'an order that exists goes on with `prospect-sync ingest ORDER`; run it again only where there is none';
const tellService = `tell the service's support the order id; ${ingestAgain}`;

/** Where this program itself refuses to go on. */
export const ownFailures = {
  OrderNotPublished: {
    description: 'the order is not published yet; no fault',
    remedy: 'none needed: the message says when the next look is due',
  },
  OutputNotReady: {
    description: 'the service has not made the output yet; no fault',
    remedy: 'none needed: the message says when the next look is due',
  },
  OrderRejected: {
    description: 'the service has rejected the order, and does not take it up again',
    remedy: 'correct the profile, the features or the quantity of the run (the service says why), and run it again',
  },
  OrderFailed: {
    description: 'the service could not carry the order out, and does not take it up again',
    remedy: 'run it again; if it fails once more, tell the service the order id',
  },
  OrderCancelled: {
    description: 'somebody cancelled the order in the service',
    remedy: 'run it again if it was not meant to be cancelled',
  },
  OrderCompletedUnpublished: {
    description: 'the order is from before results became immutable, and was never published',
    remedy: 'run it again for a new order: this one can never be collected',
  },
  OrderNotCollected: {
    description: 'the ledger does not hold the results of the order',
    remedy: 'run `prospect-sync ingest ORDER` first',
  },
  ProfileFailed: {
    description: 'the service could not create the search profile, and was asked with several keys',
    remedy: 'change the profile of the run, or run it again later',
  },
  ProfileMissing: {
    description: 'the service calls the profile created, and gives it no id',
    remedy: "tell the service's support the id of the creation, and run again",
  },
  NoCompanies: {
    description: 'an enrichment has no company to submit; nothing was ordered',
    remedy: 'name a source with companies in runs…companies, and run again',
  },
  LimitExceeded: {
    description: 'the run would order more companies than limits.max_briefings_per_run allows; nothing was ordered',
    remedy:
      'enrich fewer companies in one run, or raise limits.max_briefings_per_run and restart the workers; then run again',
  },
  SourceEmpty: {
    description: 'a source of companies holds none; nothing was changed or ordered',
    remedy: 'correct the source or take it out of the configuration, and run again',
  },
  FileRefused: {
    description: 'a file of companies has rows or columns that cannot be used; nothing of it was used',
    remedy: 'correct the file or its settings, and run again',
  },
  BlacklistNotOurs: {
    description: 'a blacklist of that name exists that prospect-sync did not make; it was not touched',
    remedy: 'choose another name, or set `adopt: true` there to let prospect-sync replace its entries',
  },
  ExclusionsEmpty: {
    description: 'the sources of an exclusion hold no company, its blacklist does; nothing was removed',
    remedy:
      'check the sources, their expiry dates and the scopes of the CRM token; if nobody is to be excluded any more, delete the blacklist in the service',
  },
  ListRefused: {
    description: 'a HubSpot list of exclusions does not exist or holds no companies; nothing was changed or ordered',
    remedy: 'correct exclusions…lists',
  },
  PropertyRefused: {
    description: 'HubSpot cannot search companies by the property of do_not_contact; nothing was changed or ordered',
    remedy: 'correct exclusions…do_not_contact',
  },
  EntriesChanged: {
    description: 'the service stored blacklist entries otherwise than they were sent; they were removed again',
    remedy: "tell the service's support; runs without exclusions still work",
  },
  ResultsIncomplete: {
    description: 'fewer slots were received than the order announces',
    remedy: tellService,
  },
  ResultsInconsistent: {
    description: 'pages of the results contradict each other or the order',
    remedy: tellService,
  },
  ShapeUnresolved: {
    description: 'the results are collected, but a field that nothing can be written without was not recognised',
    remedy: `set what is named; ${ingestAgain}, or paged again`,
  },
  OrderRefused: {
    description: 'the service refused the order, and its words lead to settings; nothing was ordered',
    remedy: 'set what is proposed, and run again',
  },
  OrderOutcomeUnknown: {
    description:
      'an order may have been placed, and its id is not known; every later run of that name repeats the request',
    remedy:
      'look for the order in the service: `prospect-sync ingest ORDER-ID --run NAME` continues with it; if its id stands in a field of the answer, set service.fields.order.order_id and run again',
  },
  RunNotConfigured: {
    description: "the worker's configuration does not have the run; where an order exists, the step is retried",
    remedy:
      'put the run back into the configuration and restart the worker, or run `prospect-sync apply`, which deletes its schedule; an order that exists also continues with `prospect-sync ingest ORDER --run NAME`',
  },
  ExclusionNotConfigured: {
    description: "the worker's configuration does not have the exclusion; nothing was changed or ordered",
    remedy:
      'put the exclusion back into the configuration and restart the worker, or remove it from the run; then run again',
  },
  ProfileNotPrepared: {
    description:
      'the search profile of a run was not in the ledger when its order was to be placed; nothing was ordered',
    remedy: 'run it again: every run prepares its profile first',
  },
  ExclusionsNotSynced: {
    description: 'an order was to be placed before the exclusions of its run were synced; nothing was ordered',
    remedy: 'run it again: every run syncs its exclusions first',
  },
  ConfigurationDiffers: {
    description:
      "the worker's configuration is not the one that the command read, or it changed before the order was placed; nothing was ordered",
    remedy: 'restart the workers with the present configuration file, then run again',
  },
  InputRefused: {
    description:
      'somebody started a workflow or an activity with an input that prospect-sync never sends; nothing was done',
    remedy: 'start workflows with prospect-sync only; see SECURITY.md about who may reach the Temporal namespace',
  },
  NotEncrypted: {
    description: 'a workflow or an activity was started with input that is not encrypted, though keys are configured',
    remedy:
      'start it by a command or a schedule that has the keys (`prospect-sync apply` replaces older schedules); while runs from before encryption are in progress, set temporal.encryption.accept_plain',
  },
  RunsElsewhere: {
    description:
      'a workflow that this one needs is in progress, as after a reset, or a sync that another run started; no fault',
    remedy: 'none needed: this one waits until it has ended',
  },
  OrderingElsewhere: {
    description: 'another run of the same name is ordering; no fault',
    remedy: 'none needed: two runs of one name never order at once, this one takes its turn',
  },
  TimedOut: {
    description: 'a step did not end in its time: an order was not published in 30 days, or an outage took 14',
    remedy: `see to the worker, the service and the CRM; ${ingestAgain}`,
  },
  Terminated: {
    description: 'somebody terminated or cancelled a workflow that this one waited for',
    remedy: noSecondOrder,
  },
  AlreadyRunning: {
    description: 'a workflow of the id that was to be started runs already',
    remedy: `wait until it has ended; ${noSecondOrder}`,
  },
  ResultTooLarge: {
    description: 'the result of an activity is larger than Temporal accepts',
    remedy: 'report it with the name of the activity; nothing that was collected is lost',
  },
  Unexpected: {
    description: 'an error that nobody thought of; only its name is told, since its text could hold anything',
    remedy: 'look at the log of the worker at that time, and report it',
  },
} as const satisfies Record<string, FailureDescription>;
