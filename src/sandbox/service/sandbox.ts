// A stand-in for the prospecting service. States advance as a function of the clock, at the time of reading.
import { resultsItemsField } from '../../contract/index.ts';
import { createClock, type Clock } from '../clock.ts';
import { uuidOf } from '../deterministic.ts';
import { createFaults, type Faults } from '../faults.ts';
import { createJournal, type Journal } from '../journal.ts';
import { answerWatched } from '../watched.ts';
import { createAdministration, type Administration } from './administration.ts';
import { createApiKeys } from './api-keys.ts';
import { createApp } from './app.ts';
import { assignmentRoutes } from './assignments.ts';
import { blacklistRoutes } from './blacklists.ts';
import { entryRoutes } from './entries.ts';
import { createOrderRoutes } from './orders.ts';
import { createProfileRoutes } from './profiles.ts';
import { createProgressionSettings, type Progressions, type ProgressionSettings } from './progressions.ts';
import { createPublications } from './publication.ts';
import type { UnknownFields } from './request-checks.ts';
import { createResultRoutes, type ResultSettings } from './results.ts';
import type { StoredKey } from './store/records.ts';
import { openStore } from './store/store.ts';

/** What the specification leaves open and this stand-in can answer otherwise (A01, A04, A18). */
interface ServiceAssumptions extends ResultSettings {
  readonly unknown_request_fields: UnknownFields;
}

const defaultServiceAssumptions: ServiceAssumptions = {
  results_items: resultsItemsField,
  results_not_ready_status: 409,
  unknown_request_fields: 'refuse',
};

export interface ServiceSandboxOptions {
  /** The same seed, clock and calls give the same bytes. Default 1. */
  readonly seed?: number;
  /** Default: the machine's time. */
  readonly clock?: Clock;
  readonly progression?: Partial<Progressions>;
  readonly assume?: Partial<ServiceAssumptions>;
  /** A response that breaks the contract becomes a 500 that holds the differences. Default true. */
  readonly strictResponses?: boolean;
}

export interface ServiceSandbox extends Administration {
  /** Answers as the service does. Rejects only where a fault breaks the connection. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly progressions: ProgressionSettings;
  readonly faults: Faults;
  /** Every request; those without a valid key have no owner. */
  readonly journal: Journal;
  /** Empties every organisation. Organisations and their keys stay. */
  reset(): void;
  close(): void;
}

export function createServiceSandbox(options: ServiceSandboxOptions = {}): ServiceSandbox {
  const seed = options.seed ?? 1;
  const clock = options.clock ?? createClock();
  const { now } = clock;
  const progressions = createProgressionSettings(options.progression);
  const assumed = { ...defaultServiceAssumptions, ...options.assume };
  const store = openStore(seed);
  const keys = createApiKeys(seed, store);
  const publications = createPublications(seed);
  const journal = createJournal();
  const faults = createFaults();
  let refusedKeys = 0;

  const keyOf = (request: Request): StoredKey | null => keys.find(request, now());
  const app = createApp({
    ...assumed,
    now,
    strict: options.strictResponses ?? true,
    routes: [
      ...blacklistRoutes,
      ...entryRoutes,
      ...assignmentRoutes,
      ...createProfileRoutes(({ id }) => progressions.of(id).profiles),
      ...createOrderRoutes({ progressionOf: ({ id }) => progressions.of(id).orders, publications }),
      ...createResultRoutes(assumed, publications),
    ],
    keyOf,
    organizationOf: ({ organizationId }) => store.organization(organizationId),
    settle: publications.settle,
    transaction: store.transaction,
    newRequestId: () => uuidOf(seed, 'refused key', (refusedKeys += 1)),
  });

  return {
    ...createAdministration({ seed, store, keys, now, settle: publications.settle }),
    fetch: async (request) => {
      const owner = keyOf(request)?.organizationId ?? null;
      return answerWatched(request, { faults, journal, now, owner }, async () => app.fetch(request));
    },
    progressions,
    faults,
    journal,
    reset() {
      store.reset();
      publications.forget();
      journal.clear();
      faults.clear();
      progressions.reset();
    },
    close: store.close,
  };
}
