/** Operations of the control plane on the sandbox service: organisations, keys and manual status changes. */
import {
  scopes as allScopes,
  type Order,
  type OrderStatus,
  activeOrderStatuses,
  orderStatuses,
  outputStatuses,
  profileCreationStatuses,
  type ProfileCreation,
  type Scope,
} from '../../src/service/contract/index.ts';
import { uuidOf } from '../deterministic-values.ts';
import type { createApiKeys } from './api-keys.ts';
import { findOrder, toOrder, type OrderNotifier } from './order-routes.ts';
import { findCreation, toCreation } from './profile-routes.ts';
import type { Publications } from '../results/publications.ts';
import { Refusal, refuseUnknown } from '../service-refusal.ts';
import { tamperSet, type Tampering } from '../results/result-tampering.ts';
import type { OutputProducts } from './output-products.ts';
import type { TamperingSettings } from './tampered-answers.ts';
import { requireOrganization } from '../state/with-organization.ts';
import type { Organization } from '../state/organization.ts';
import type { StoredOrganization } from '../state/stored-records.ts';
import type { Store } from '../state/sandbox-store.ts';
import { stageAt, setStatus, type Lifecycle } from '../status-lifecycle.ts';

type OutputStatus = (typeof outputStatuses)[number];

interface OrderStep {
  readonly status: OrderStatus;
  /** Whether COMPLETED publishes the result set; by default the magic inputs of the title decide. */
  readonly publish?: boolean | undefined;
}

const orderSteps = { statuses: orderStatuses, active: activeOrderStatuses } as const;
const creationSteps = { statuses: profileCreationStatuses, active: ['PENDING', 'RUNNING'] } as const;
const outputSteps = { statuses: outputStatuses, active: ['PENDING', 'RUNNING'] } as const;

interface AdministrationDependencies {
  readonly seed: number;
  readonly store: Store;
  readonly keys: ReturnType<typeof createApiKeys>;
  readonly now: () => number;
  readonly publications: Pick<Publications, 'publishDue' | 'orderChanged' | 'publishedSet'>;
  readonly notifier: Pick<OrderNotifier, 'orderChanged'>;
  readonly tampering: TamperingSettings;
  readonly forgetDigest: OutputProducts['forgetDigest'];
}

interface NewKey {
  readonly organizationId: string;
  readonly scopes: readonly Scope[];
  /** Scopes of older keys, which are no longer issued. */
  readonly olderScopes?: readonly string[] | undefined;
  readonly expiresAt?: Date | undefined;
}

export interface Administration {
  /** Creates an organisation, and a key with every scope. */
  readonly createOrganization: (options: { name: string }) => { organizationId: string; apiKey: string; keyId: string };
  /** Throws a Refusal (404) when there is no such organisation. */
  readonly createKey: (options: NewKey) => { apiKey: string; keyId: string };
  /** Throws a Refusal (404) when there is no such key. */
  readonly revokeKey: (keyId: string) => void;
  /** Sets the status of an order of any organisation. Throws a Refusal: 404 unknown order, 409 invalid step. */
  readonly stepOrder: (orderId: string, step: OrderStep) => Order;
  /** The same for the creation of a profile. */
  readonly stepCreation: (creationId: string, status: ProfileCreation['status']) => ProfileCreation;
  /** The same for an output. Throws a Refusal (404) when the order or the output is unknown. */
  readonly stepOutput: (orderId: string, outputId: string, status: OutputStatus) => void;
  /**
   * Adds changes of the published results of an order and returns all of them. Throws a Refusal: 404 unknown order, 409 not published,
   * 422 a change that does not fit.
   */
  readonly tamper: (orderId: string, changes: readonly Tampering[]) => readonly Tampering[];
  /** Undoes them. Throws a Refusal (404) when the order is unknown. */
  readonly restoreOrder: (orderId: string) => void;
  /** Oldest first. */
  readonly organizations: () => StoredOrganization[];
  /** Throws a Refusal (404) when there is no such organisation. */
  readonly organization: (organizationId: string) => Organization;
}

export function createAdministration({
  seed,
  store,
  keys,
  now,
  publications,
  notifier,
  tampering,
  forgetDigest,
}: AdministrationDependencies): Administration {
  const organization = (id: string): Organization => requireOrganization(store, id);
  const findOrganization = (matches: (organization: Organization) => boolean): Organization | undefined =>
    store.organizations
      .values()
      .map(({ id }) => store.organization(id))
      .find(matches);
  const ownerOf = (orderId: string): Organization => {
    const owner = findOrganization(({ orders }) => orders.get(orderId.toLowerCase()) !== undefined);
    if (owner) return owner;
    throw refuseUnknown('ORDER_NOT_FOUND', orderId);
  };

  return {
    organization,
    createOrganization: ({ name }) =>
      store.transaction(() => {
        const organizationId = uuidOf(seed, 'organization', name, store.count(`organization/${name}`));
        store.organizations.set(organizationId, { id: organizationId, name });
        return { organizationId, ...keys.issue({ organizationId, scopes: allScopes }) };
      }),
    createKey: ({ organizationId, scopes, olderScopes = [], expiresAt }) =>
      store.transaction(() => {
        const { id } = organization(organizationId);
        return keys.issue({ organizationId: id, scopes: [...scopes, ...olderScopes], expiresAt });
      }),
    revokeKey(keyId) {
      if (!keys.revoke(keyId)) throw new Refusal(404, { code: 'KEY_NOT_FOUND', message: 'No such key.' });
    },
    stepOrder: (orderId, step) =>
      store.transaction(() => {
        const owner = ownerOf(orderId);
        const moment = now();
        publications.publishDue(owner, moment);
        const order = findOrder(owner, orderId);
        const life = stepForward(order.life, { ...orderSteps, status: step.status, now: moment });
        const stepped = { ...order, life, publishes: step.publish ?? order.publishes };
        owner.orders.set(stepped.id, stepped);
        publications.orderChanged(owner);
        publications.publishDue(owner, moment);
        notifier.orderChanged(owner, stepped.id);
        return toOrder(findOrder(owner, orderId), moment);
      }),
    stepOutput: (orderId, outputId, status) =>
      store.transaction(() => {
        const outputs = findOrganization(({ orders }) => orders.get(orderId.toLowerCase()) !== undefined)?.outputs(
          orderId.toLowerCase(),
        );
        const output = outputs?.get(outputId.toLowerCase());
        if (!outputs || !output) throw refuseUnknown('OUTPUT_NOT_FOUND', outputId);
        const life = stepForward(output.life, { ...outputSteps, status, now: now() });
        outputs.set(output.id, { ...output, life });
      }),
    tamper: (orderId, added) =>
      store.transaction(() => {
        const owner = ownerOf(orderId);
        publications.publishDue(owner, now());
        const order = findOrder(owner, orderId);
        const set = publications.publishedSet(owner, order);
        if (!set)
          throw new Refusal(409, { code: 'ORDER_NOT_PUBLISHED', message: 'The order has no published results.' });
        const changes = [...tampering.of(order.id), ...added];
        // Throws when one does not fit.
        changes.reduce(tamperSet, set);
        tampering.set(order.id, changes);
        forgetDigest(order.id);
        return changes;
      }),
    restoreOrder(orderId) {
      const { id } = findOrder(ownerOf(orderId), orderId);
      tampering.set(id, []);
      forgetDigest(id);
    },
    organizations: () => store.organizations.values(),
    stepCreation: (creationId, status) =>
      store.transaction(() => {
        const owner = findOrganization(({ creations }) => creations.get(creationId.toLowerCase()) !== undefined);
        if (!owner) throw refuseUnknown('PROFILE_CREATION_NOT_FOUND', creationId);
        const creation = findCreation(owner, creationId);
        const life = stepForward(creation.life, { ...creationSteps, status, now: now() });
        const stepped = { ...creation, life };
        owner.creations.set(stepped.id, stepped);
        return toCreation(stepped, now());
      }),
  };
}

interface Step {
  /** All statuses, in order. */
  readonly statuses: readonly string[];
  /** Statuses that are not final. */
  readonly active: readonly string[];
  readonly status: string;
  readonly now: number;
}

/** Sets a later status, or holds the resource in its current one. Throws a Refusal (409) for any other step. */
function stepForward(life: Lifecycle, { statuses, active, status, now }: Step): Lifecycle {
  const present = stageAt(life, now).status;
  if (!active.includes(present) || statuses.indexOf(status) < statuses.indexOf(present)) {
    throw new Refusal(409, { code: 'STEP_REFUSED', message: `No step leads from ${present} to ${status}.` });
  }
  return setStatus(life, status, now);
}
