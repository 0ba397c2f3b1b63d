// A stand-in for the prospecting service. States advance as a function of the clock, at the time of reading.
import { resultsItemsField, scopes as allScopes, type Order, type Scope } from '../../contract/index.ts';
import { createClock, type Clock } from '../clock.ts';
import { uuidOf } from '../deterministic.ts';
import { createFaults, type Faults } from '../faults.ts';
import { createJournal, type Journal } from '../journal.ts';
import { answerWatched } from '../watched.ts';
import { createApiKeys } from './api-keys.ts';
import { createApp } from './app.ts';
import { assignmentRoutes } from './assignments.ts';
import { blacklistRoutes } from './blacklists.ts';
import { entryRoutes } from './entries.ts';
import type { Progression } from './life.ts';
import { stepOrder, type OrderStep } from './order-steps.ts';
import { createOrderRoutes, toOrder } from './orders.ts';
import { createProfileRoutes } from './profiles.ts';
import { createPublications } from './publication.ts';
import { Refusal, refuseUnknown } from './refusal.ts';
import type { UnknownFields } from './request-checks.ts';
import { createResultRoutes, type ResultSettings } from './results.ts';
import type { StoredKey } from './store/records.ts';
import { openStore } from './store/store.ts';

/** How each resource moves on. */
export interface Progressions {
  readonly profiles: Progression;
  readonly orders: Progression;
}

/** What the specification leaves open and this stand-in can answer otherwise (A01, A04, A18). */
interface ServiceAssumptions extends ResultSettings {
  readonly unknown_request_fields: UnknownFields;
}

const defaultProgressions: Progressions = { profiles: { after_seconds: 2 }, orders: { after_seconds: 4 } };
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

export interface ServiceSandbox {
  /** Answers as the service does. Rejects only where a fault breaks the connection. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** A new organisation, and a key that holds every scope. */
  createOrganization(options: { name: string }): { organizationId: string; apiKey: string };
  /** Throws a Refusal (404) when there is no such organisation. */
  createKey(options: { organizationId: string; scopes: readonly Scope[]; expiresAt?: Date }): { apiKey: string };
  /** Moves an order of any organisation by hand. Throws a Refusal: 404 unknown order, 409 no such step. */
  stepOrder(orderId: string, step: OrderStep): Order;
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
  const progressions = { ...defaultProgressions, ...options.progression };
  const assumed = { ...defaultServiceAssumptions, ...options.assume };
  const store = openStore(seed);
  const keys = createApiKeys(seed, store);
  const publications = createPublications(seed);
  const journal = createJournal();
  const faults = createFaults();
  let refusedKeys = 0;

  const requireOrganization = (id: string): string => {
    if (store.organizations.get(id)) return id;
    throw new Refusal(404, { code: 'ORGANIZATION_NOT_FOUND', message: 'No such organisation.' });
  };
  const keyOf = (request: Request): StoredKey | null => keys.find(request, now());
  const app = createApp({
    ...assumed,
    now,
    strict: options.strictResponses ?? true,
    routes: [
      ...blacklistRoutes,
      ...entryRoutes,
      ...assignmentRoutes,
      ...createProfileRoutes(() => progressions.profiles),
      ...createOrderRoutes({ progressionOf: () => progressions.orders, publications }),
      ...createResultRoutes(assumed, publications),
    ],
    keyOf,
    organizationOf: ({ organizationId }) => store.organization(organizationId),
    settle: publications.settle,
    transaction: store.transaction,
    newRequestId: () => uuidOf(seed, 'refused key', (refusedKeys += 1)),
  });

  return {
    fetch: async (request) => {
      const owner = keyOf(request)?.organizationId ?? null;
      return answerWatched(request, { faults, journal, now, owner }, async () => app.fetch(request));
    },
    createOrganization: ({ name }) =>
      store.transaction(() => {
        const organizationId = uuidOf(seed, 'organization', name, store.count(`organization/${name}`));
        store.organizations.set(organizationId, { id: organizationId, name });
        return { organizationId, apiKey: keys.issue({ organizationId, scopes: allScopes }) };
      }),
    createKey: ({ organizationId, scopes, expiresAt }) => ({
      apiKey: keys.issue({ organizationId: requireOrganization(organizationId), scopes, expiresAt }),
    }),
    stepOrder: (orderId, step) =>
      store.transaction(() => {
        const id = orderId.toLowerCase();
        const all = store.organizations.values().map((found) => store.organization(found.id));
        const organization = all.find(({ orders }) => orders.get(id) !== undefined);
        if (!organization) throw refuseUnknown('ORDER_NOT_FOUND', orderId);
        const moment = now();
        publications.settle(organization, moment);
        const order = organization.orders.get(id);
        if (!order) throw refuseUnknown('ORDER_NOT_FOUND', orderId);
        organization.orders.set(id, stepOrder(order, step, moment));
        publications.settle(organization, moment);
        return toOrder(organization.orders.get(id) ?? order, moment);
      }),
    faults,
    journal,
    reset() {
      store.reset();
      publications.forget();
      journal.clear();
      faults.clear();
    },
    close: store.close,
  };
}
