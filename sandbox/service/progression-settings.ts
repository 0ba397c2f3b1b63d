import type { KeptValue } from '../state/data-folder.ts';
import type { Progression } from '../status-lifecycle.ts';

/** How the status of each kind of resource progresses. */
export interface Progressions {
  readonly profiles: Progression;
  readonly orders: Progression;
  readonly outputs: Progression;
}

export interface ProgressionSettings {
  /** The settings of an organisation; null returns the settings of organisations without their own. */
  forOrganization(organizationId: string | null): Progressions;
  /** Changes what is created from now on. */
  set(organizationId: string | null, changes: Partial<Progressions>): void;
  /** Restores the initial settings. */
  reset(): void;
}

const defaultProgressions: Progressions = {
  profiles: { after_seconds: 2 },
  orders: { after_seconds: 4 },
  outputs: { after_seconds: 1 },
};

interface KeptProgressions {
  readonly own: readonly [string, Partial<Progressions>][];
  readonly shared: Progressions;
}

export function createProgressionSettings(
  initial: Partial<Progressions> = {},
  kept?: KeptValue<KeptProgressions>,
): ProgressionSettings {
  const earlier = kept?.load();
  const own = new Map(earlier?.own);
  let shared = earlier?.shared ?? { ...defaultProgressions, ...initial };
  const keep = () => kept?.save({ own: [...own], shared });
  return {
    forOrganization: (organizationId) => ({ ...shared, ...own.get(organizationId ?? '') }),
    set(organizationId, changes) {
      if (organizationId === null) shared = { ...shared, ...changes };
      else own.set(organizationId, { ...own.get(organizationId), ...changes });
      keep();
    },
    reset() {
      own.clear();
      shared = { ...defaultProgressions, ...initial };
      keep();
    },
  };
}
