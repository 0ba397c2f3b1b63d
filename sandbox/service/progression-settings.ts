import type { Progression } from '../status-lifecycle.ts';

/** How each resource moves on. */
export interface Progressions {
  readonly profiles: Progression;
  readonly orders: Progression;
  readonly outputs: Progression;
}

export interface ProgressionSettings {
  /** In force for an organisation; for those without settings of their own when null. */
  of(organizationId: string | null): Progressions;
  /** Changes what is created from now on. */
  set(organizationId: string | null, changes: Partial<Progressions>): void;
  /** Back to how it began. */
  reset(): void;
}

const defaultProgressions: Progressions = {
  profiles: { after_seconds: 2 },
  orders: { after_seconds: 4 },
  outputs: { after_seconds: 1 },
};

export function createProgressionSettings(begin: Partial<Progressions> = {}): ProgressionSettings {
  const own = new Map<string, Partial<Progressions>>();
  let shared = { ...defaultProgressions, ...begin };
  return {
    of: (organizationId) => ({ ...shared, ...own.get(organizationId ?? '') }),
    set(organizationId, changes) {
      if (organizationId === null) shared = { ...shared, ...changes };
      else own.set(organizationId, { ...own.get(organizationId), ...changes });
    },
    reset() {
      own.clear();
      shared = { ...defaultProgressions, ...begin };
    },
  };
}
