import { createAssociationStore, type AssociationStore } from './associations/association-store.ts';
import type { Assumed } from './assumed.ts';
import { createFaults, type Faults } from '../faults.ts';
import { createJournal, type Journal } from '../journal.ts';
import { objectTypes, type ObjectType } from './object-types.ts';
import { createObjectStore, type ObjectStore } from './objects/object-store.ts';
import { createPropertyRegistry } from './properties/registry.ts';
import { hash } from './random.ts';

export type AccountType = 'STANDARD' | 'DEVELOPER_TEST' | 'SANDBOX' | 'APP_DEVELOPER';

/** One HubSpot account: everything that it holds and remembers. */
export interface Portal {
  readonly id: number;
  readonly name: string;
  readonly accountType: AccountType;
  readonly seed: string;
  readonly clock: () => Date;
  readonly assumed: Assumed;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly associations: AssociationStore;
  store(type: ObjectType): ObjectStore;
}

export interface PortalOptions {
  readonly id: number;
  readonly name: string;
  readonly accountType: AccountType;
  readonly seed: string;
  readonly clock: () => Date;
  readonly assumed: Assumed;
  readonly searchLagMs: number;
}

export function createPortal(options: PortalOptions): Portal {
  const { id, name, accountType, seed, clock, assumed, searchLagMs } = options;
  const newId = createIds(`${seed}/${id}`);
  const stores = new Map(
    objectTypes.map((type) => {
      const properties = createPropertyRegistry(type, clock);
      return [type.typeId, createObjectStore({ type, properties, clock, assumed, searchLagMs, newId })];
    }),
  );
  const store = (type: ObjectType) => {
    const found = stores.get(type.typeId);
    if (!found) throw new Error(`no store for ${type.plural}`);
    return found;
  };
  return {
    id,
    name,
    accountType,
    seed: `${seed}/${id}`,
    clock,
    assumed,
    journal: createJournal(),
    faults: createFaults(),
    associations: createAssociationStore(assumed),
    store,
  };
}

/** Growing ids with gaps, as HubSpot's have, so that nobody counts on the next one. */
function createIds(seed: string): () => number {
  let last = 30_000_000_000 + (hash(seed) % 1_000_000_000);
  return () => {
    last += 1 + (hash(`${seed}/${last}`) % 9);
    return last;
  };
}
