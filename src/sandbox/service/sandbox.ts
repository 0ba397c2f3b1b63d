// A stand-in for the prospecting service, in memory. States advance as a function of the clock, at the time of reading.
import { resultsItemsField, scopes as allScopes, type Order, type Scope } from '../../contract/index.ts';
import { uuidOf } from '../deterministic.ts';
import { answerFaulty, createFaults, type Fault } from '../faults.ts';
import type { JournalEntry } from '../journal.ts';
import { createApiKeys } from './api-keys.ts';
import { createApp } from './app.ts';
import { assignmentRoutes } from './assignments.ts';
import { blacklistRoutes } from './blacklists.ts';
import { entryRoutes } from './entries.ts';
import { stepOrder, type OrderStep } from './order-steps.ts';
import { createOrderRoutes, toOrder } from './orders.ts';
import { createProfileRoutes } from './profiles.ts';
import { settle } from './publication.ts';
import { Refusal, refuseUnknown } from './refusal.ts';
import type { UnknownFields } from './request-checks.ts';
import { createResultRoutes, type ResultSettings } from './results.ts';
import { createOrganizationRecord, type ApiKey, type Organization } from './store.ts';

/** How long things take on the clock. Default 2 and 4 seconds. */
interface Pace {
  readonly profileSeconds: number;
  readonly orderSeconds: number;
}

/** What the specification leaves open and this stand-in can answer otherwise (A01, A04, A18). */
interface ServiceAssumptions extends ResultSettings {
  readonly unknown_request_fields: UnknownFields;
}

const defaultPace: Pace = { profileSeconds: 2, orderSeconds: 4 };
const defaultServiceAssumptions: ServiceAssumptions = {
  results_items: resultsItemsField,
  results_not_ready_status: 409,
  unknown_request_fields: 'refuse',
};

export interface ServiceSandboxOptions {
  /** The same seed, clock and calls give the same bytes. Default 1. */
  readonly seed?: number;
  readonly clock?: () => Date;
  readonly pace?: Partial<Pace>;
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
  addFault(fault: Fault): void;
  /** The newest requests of an organisation, oldest first; those without a valid key belong to none. */
  requests(organizationId: string): JournalEntry[];
  /** Empties every organisation. Organisations and their keys stay. */
  reset(): void;
}

export function createServiceSandbox(options: ServiceSandboxOptions = {}): ServiceSandbox {
  const seed = options.seed ?? 1;
  const clock = options.clock ?? (() => new Date());
  const now = () => clock().getTime();
  const pace = { ...defaultPace, ...options.pace };
  const assumed = { ...defaultServiceAssumptions, ...options.assume };
  const organizations = new Map<string, Organization>();
  const keys = createApiKeys(seed);
  const faults = createFaults();
  let refusedKeys = 0;

  const findOrganization = (id: string): Organization => {
    const organization = organizations.get(id);
    if (!organization) throw new Refusal(404, { code: 'ORGANIZATION_NOT_FOUND', message: 'No such organisation.' });
    return organization;
  };
  const keyOf = (request: Request): ApiKey | null => keys.find(request, now());
  const app = createApp({
    ...assumed,
    seed,
    now,
    strict: options.strictResponses ?? true,
    routes: [
      ...blacklistRoutes,
      ...entryRoutes,
      ...assignmentRoutes,
      ...createProfileRoutes(pace),
      ...createOrderRoutes(pace),
      ...createResultRoutes(assumed),
    ],
    keyOf,
    organizationOf: ({ organizationId }) => findOrganization(organizationId),
    newRequestId: () => uuidOf(seed, 'refused key', (refusedKeys += 1)),
  });

  return {
    async fetch(request) {
      const { method } = request;
      const { pathname, search } = new URL(request.url);
      const key = keyOf(request);
      const journal = key && findOrganization(key.organizationId).journal;
      const fault = faults.take(method, pathname);
      const proceed = async () => app.fetch(request);
      try {
        const response = await (fault ? answerFaulty(fault, proceed) : proceed());
        journal?.add({ method, path: pathname + search, status: response.status });
        return response;
      } catch (error) {
        journal?.add({ method, path: pathname + search, status: 0 });
        throw error;
      }
    },
    createOrganization({ name }) {
      const namesakes = organizations.values().filter((organization) => organization.name === name);
      const organizationId = uuidOf(seed, 'organization', name, namesakes.toArray().length);
      organizations.set(organizationId, createOrganizationRecord(seed, organizationId, name));
      return { organizationId, apiKey: keys.issue({ organizationId, scopes: allScopes }) };
    },
    createKey({ organizationId, scopes, expiresAt }) {
      return { apiKey: keys.issue({ organizationId: findOrganization(organizationId).id, scopes, expiresAt }) };
    },
    stepOrder(orderId, step) {
      const inAll = organizations.values().map(({ orders }) => orders.get(orderId.toLowerCase()));
      const order = inAll.find((found) => found !== undefined);
      if (!order) throw refuseUnknown('ORDER_NOT_FOUND', orderId);
      const moment = now();
      settle(seed, order.organization, moment);
      stepOrder(order, step, moment);
      settle(seed, order.organization, moment);
      return toOrder(order, moment);
    },
    addFault: (fault) => faults.add(fault),
    requests: (organizationId) => findOrganization(organizationId).journal.entries(),
    reset() {
      for (const { id, name } of organizations.values())
        organizations.set(id, createOrganizationRecord(seed, id, name));
    },
  };
}
