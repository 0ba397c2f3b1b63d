import { createAssociationStore, type AssociationStore } from './association-store.ts';
import { createAssociationTypes, type AssociationTypes } from './portal-association-types.ts';
import type { HubSpotAssumptions } from '../hubspot-assumptions.ts';
import { createPreferenceStore, type PreferenceStore } from './preference-store.ts';
import { createFaults, type Faults } from '../../fault-rules.ts';
import { createJournal, type Journal } from '../../request-journal.ts';
import { objectTypes, type ObjectType } from '../object-types.ts';
import { createCalculateValues } from './calculated-values.ts';
import type { ChangeSource } from './crm-record.ts';
import { createObjectStore, type ObjectStore } from './object-store.ts';
import type { PortalSettings } from './portal-settings.ts';
import { createRateLimits, type RateLimits } from '../limits/rate-limits.ts';
import { createListStore, type ListStore } from './list-store.ts';
import { createOwners, type Owner } from './owner-store.ts';
import { createPipelineStore, type PipelineStore } from './pipeline-store.ts';
import { appSource } from './property-history.ts';
import { createPropertyRegistry } from './property-registry.ts';
import { hash } from '../seeded-values.ts';
import type { ApiVersion } from '../api-versions.ts';

export const accountTypes = ['STANDARD', 'DEVELOPER_TEST', 'SANDBOX', 'APP_DEVELOPER'] as const;
export type AccountType = (typeof accountTypes)[number];

/** One HubSpot account with all its data, as one version of the API shows it. */
export interface Portal {
  readonly id: number;
  readonly name: string;
  readonly accountType: AccountType;
  readonly seed: string;
  readonly clock: () => Date;
  readonly assumed: HubSpotAssumptions;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly settings: PortalSettings;
  readonly limits: RateLimits;
  readonly associationTypes: AssociationTypes;
  readonly associations: AssociationStore;
  readonly pipelines: PipelineStore;
  readonly lists: ListStore;
  readonly preferences: PreferenceStore;
  /** In the order of their ids. */
  readonly owners: readonly Owner[];
  /** Increasing ids for all objects of the portal. */
  readonly newId: () => number;
  readonly version: ApiVersion;
  /** The same account in another version. */
  forVersion(version: ApiVersion): Portal;
  /** Who writes, as histories of properties name it. */
  readonly source: ChangeSource;
  /** The same account, written to by another app. */
  actingAs(source: ChangeSource): Portal;
  /** Required properties that this version enforces; properties that do not exist are ignored. */
  required(type: ObjectType): readonly string[];
  store(type: ObjectType): ObjectStore;
}

export interface PortalOptions {
  readonly id: number;
  readonly name: string;
  readonly accountType: AccountType;
  readonly seed: string;
  readonly clock: () => Date;
  readonly assumed: HubSpotAssumptions;
  readonly settings: PortalSettings;
}

export function createPortal(options: PortalOptions): Portal {
  const { id, name, accountType, seed, clock, assumed, settings } = options;
  const newId = createIds(`${seed}/${id}`);
  const pipelines = createPipelineStore();
  const associationTypes = createAssociationTypes();
  const preferences = createPreferenceStore(`${seed}/${id}`);
  const optedOut = (email: string) => preferences.optedOutAt(email) !== undefined;
  const stores = new Map(
    objectTypes.map((type) => {
      const properties = createPropertyRegistry({ type, clock, assumed, settings });
      return [
        type.typeId,
        createObjectStore({
          type,
          properties,
          clock,
          assumed,
          searchLagMs: () => settings.searchLagMs,
          newId,
          calculateValues: createCalculateValues(type, { pipelines, optedOut }),
        }),
      ];
    }),
  );
  const store = (type: ObjectType) => {
    const found = stores.get(type.typeId);
    if (!found) throw new Error(`no store for ${type.plural}`);
    return found;
  };
  const requiredOf = (type: ObjectType) => settings.requiredProperties[type.plural] ?? [];
  const shared = {
    id,
    name,
    accountType,
    seed: `${seed}/${id}`,
    clock,
    assumed,
    settings,
    limits: createRateLimits({ subscription: settings, assumed, now: () => clock().getTime() }),
    journal: createJournal(),
    faults: createFaults(),
    associationTypes,
    associations: createAssociationStore(assumed, associationTypes),
    pipelines,
    lists: createListStore(),
    preferences,
    owners: createOwners(`${seed}/${id}`),
    newId,
    store,
  };
  const requiredSince: Readonly<Record<ApiVersion, Portal['required']>> = {
    legacy: () => [],
    '2026-03': assumed.requiredSince === '2026-03' ? requiredOf : () => [],
    '2026-09': requiredOf,
  };
  const view = (version: ApiVersion, source: ChangeSource): Portal => ({
    ...shared,
    version,
    required: requiredSince[version],
    forVersion: (other) => view(other, source),
    source,
    actingAs: (other) => view(version, other),
  });
  return view('legacy', appSource(0));
}

/** Increasing ids with gaps, like HubSpot's, so that no client can rely on the next id. */
function createIds(seed: string): () => number {
  let last = 30_000_000_000 + (hash(seed) % 1_000_000_000);
  return () => {
    last += 1 + (hash(`${seed}/${last}`) % 9);
    return last;
  };
}
