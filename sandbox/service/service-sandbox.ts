// The sandbox service. Statuses follow from the clock at the time of reading.
import { alternatives } from './dialect/alternatives.ts';
import { bearerToken, answerInstrumented, type KeysInUse } from '../instrumented-requests.ts';
import { createClock, type Clock } from '../clock.ts';
import { uuidOf } from '../deterministic-values.ts';
import { createFaults, type Faults } from '../fault-rules.ts';
import { createJournal, type Journal } from '../request-journal.ts';
import { createAdministration, type Administration } from './sandbox-administration.ts';
import { createApiKeys } from './api-keys.ts';
import { createServiceApp, createRoutes } from './service-app.ts';
import { createFileServer } from './file-downloads.ts';
import { speakDialect } from './dialect/dialect.ts';
import { createDriftSettings, type DriftSettings } from './answer-drift.ts';
import { createOutputProducts } from './output-products.ts';
import { createTamperingSettings } from './tampered-answers.ts';
import { createProgressionSettings, type Progressions, type ProgressionSettings } from './progression-settings.ts';
import { toPolicySet } from '../results/delivery-policy.ts';
import { discoveryColumns, outputColumns } from './output-rows.ts';
import { createPublications, type Publications } from '../results/publications.ts';
import { refuse } from '../service-refusal.ts';
import { readSheet, type Sheet } from './google-sheets.ts';
import { seedOrganization, type Seeded, type SeedSize } from './seed-organization.ts';
import type { Caller, StoredOrder } from '../state/stored-records.ts';
import { createWebhooks, type ReceiverOptions, type Webhooks } from '../webhooks/create-webhooks.ts';
import type { DataFolder } from '../state/data-folder.ts';
import { openStore } from '../state/sandbox-store.ts';
import type { Fetch } from '../../src/base/http/http-answer.ts';

export interface ServiceSandboxOptions {
  /** The same seed, clock and calls give the same bytes. Default 1. */
  readonly seed?: number;
  /** Default: the machine's time. */
  readonly clock?: Clock;
  readonly progression?: Partial<Progressions>;
  /** Choices where the specification is silent, by the keys of `alternatives`. */
  readonly assume?: Assumed;
  /** A response that breaks the contract becomes a 500 with the differences. Default true. */
  readonly strictResponses?: boolean;
  /** Continues what another process left there. By default the state ends with the process. */
  readonly kept?: DataFolder;
  /** How webhooks reach their receivers. */
  readonly receivers?: ReceiverOptions;
}

/** `results_items: 'slots'` */
export type Assumed = Readonly<Record<string, string>>;

export interface ServiceSandbox extends Administration {
  /** Answers as the service does. Rejects only where a fault breaks the connection. */
  readonly fetch: Fetch;
  readonly webhooks: Webhooks;
  readonly progressions: ProgressionSettings;
  readonly drift: DriftSettings;
  /** The choices in use where the specification is silent. */
  readonly assumed: Assumed;
  readonly snapshots: {
    readonly names: () => string[];
    /** Saves a snapshot; one of the same name is replaced. */
    readonly save: (name: string) => void;
    /** False when there is no such snapshot. Running work is dropped. */
    readonly restore: (name: string) => boolean;
    /** False when there is no such snapshot. */
    readonly drop: (name: string) => boolean;
  };
  /** Creates example data in an organisation. Throws a Refusal (404) if it does not exist. */
  readonly seed: (organizationId: string, size: SeedSize) => Promise<Seeded>;
  /** A spreadsheet that Google Sheets outputs were sent to; null when none of them is COMPLETED. Throws a Refusal (404). */
  readonly readSheet: (
    organizationId: string,
    sheet: { readonly spreadsheetId: string; readonly limit: number; readonly offset: number },
  ) => Sheet | null;
  readonly faults: Faults;
  /** Every request; those without a valid key have no owner. */
  readonly journal: Journal;
  /** Deletes the data of every organisation. Organisations and keys stay. */
  reset(): void;
  close(): void;
}

export function createServiceSandbox(options: ServiceSandboxOptions = {}): ServiceSandbox {
  const seed = options.seed ?? 1;
  const clock = options.clock ?? createClock();
  const { now } = clock;
  const { kept } = options;
  const progressions = createProgressionSettings(options.progression, kept?.value('progressions'));
  const chosen = options.assume ?? {};
  const assumed = {
    results_not_ready_status: Number(chosen['results_not_ready_status'] ?? 409),
    unknown_request_fields: chosen['unknown_request_fields'] === 'ignore' ? 'ignore' : 'refuse',
    replayed_creation: chosen['replayed_creation'] === 'current' ? 'current' : 'first',
    wrong_method: chosen['wrong_method'] === '404' ? 404 : 405,
  } as const;
  const withPolicy = chosen['delivery_policy'] === 'results' ? toPolicySet : null;
  const discoveryFileColumns = chosen['discovery_files'] === 'annotated' ? outputColumns : discoveryColumns;
  const columnsOf = ({ submitted }: StoredOrder) => (submitted === null ? discoveryFileColumns : outputColumns);
  const store = openStore(seed, kept?.service);
  const keys = createApiKeys(seed, store);
  const drift = createDriftSettings(kept?.value('drift'));
  const publications = createPublications(seed, ({ id }) => drift.forOrganization(id).leaks);
  const tampering = createTamperingSettings(kept?.value('tampering'));
  /** As readers see it: results, outputs and sheets. */
  const publishedSet: Publications['publishedSet'] = (organization, order) => {
    const set = publications.publishedSet(organization, order);
    const delivered = set && withPolicy ? withPolicy(set) : set;
    return delivered && tampering.toTampered(order.id, delivered);
  };
  const products = createOutputProducts({
    publishedSet,
    columnsOf,
    currentGeneration: () => store.generation,
    track: clock.track,
  });
  const files = { seed, now, products, organizationOf: store.organization };
  const driftOf = ({ id }: { readonly id: string }) => drift.forOrganization(id);
  const webhooks = createWebhooks({
    seed,
    clock,
    store,
    publications,
    sendsUnknownReplyTypes: ({ id }) => drift.forOrganization(id).reply_types,
    receivers: options.receivers,
    kept,
  });
  if (kept) webhooks.restart();
  const journal = createJournal();
  const faults = createFaults();
  if (kept) faults.keep(kept.value('service faults'));
  const keysInUse: KeysInUse = { held: new Set(), refuse: refuseKeyInUse };
  let refusedKeys = 0;

  const app = createServiceApp({
    ...assumed,
    now,
    strict: options.strictResponses ?? true,
    routes: createRoutes({
      assumed,
      progressions,
      publications,
      publishedSet,
      files,
      store,
      notifier: webhooks.orders,
    }),
    organizationOf: ({ organizationId }) => store.organization(organizationId),
    publishDue: publications.publishDue,
    transaction: store.transaction,
    serveFile: createFileServer(files),
    driftOf,
    tamperingOf: tampering.of,
    newRequestId: () => uuidOf(seed, 'refused key', (refusedKeys += 1)),
  });

  const dialect = speakDialect(chosen, async (request, caller: Caller | null) => app.fetch(request, { caller }));

  const administration = createAdministration({
    seed,
    store,
    keys,
    now,
    publications,
    notifier: webhooks.orders,
    tampering,
    forgetDigest: products.forgetDigest,
  });
  const restore = (name: string): boolean => {
    const found = store.load(name);
    if (found) {
      publications.clear();
      products.clear();
      tampering.clear();
      webhooks.restart();
    }
    return found;
  };
  return {
    ...administration,
    webhooks,
    fetch: async (request) => {
      const caller = keys.find(bearerToken(request), now());
      const owner = caller?.organizationId ?? null;
      const answer = () => dialect(request, caller);
      return answerInstrumented(request, { faults, journal, now, owner, keysInUse }, answer);
    },
    progressions,
    drift,
    assumed: {
      ...Object.fromEntries(Object.entries(alternatives).map(([key, { values }]) => [key, values[0] ?? ''])),
      ...chosen,
    },
    snapshots: { names: store.snapshots, save: store.save, restore, drop: store.drop },
    seed: async (organizationId, size) => {
      const { id } = administration.organization(organizationId);
      const answer = async (request: Request, caller: Caller) => app.fetch(request, { caller });
      return seedOrganization(id, size, { seed, answer, currentGeneration: () => store.generation });
    },
    readSheet: (organizationId, sheet) =>
      readSheet(administration.organization(organizationId), { publishedSet, columnsOf }, { ...sheet, now: now() }),
    faults,
    journal,
    reset() {
      store.reset();
      publications.clear();
      products.clear();
      webhooks.restart();
      webhooks.faults.clear();
      journal.clear();
      faults.clear();
      progressions.reset();
      drift.reset();
      tampering.clear();
    },
    close() {
      products.clear();
      webhooks.close();
      store.close();
    },
  };
}

/** A16 */
function refuseKeyInUse(): Response {
  const { status, body } = refuse(
    'IDEMPOTENCY_KEY_IN_USE',
    'The first request with this Idempotency-Key is being answered.',
  );
  return Response.json(body, { status });
}
