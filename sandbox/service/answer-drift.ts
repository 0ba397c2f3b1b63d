/** Simulates answers of a later version of the service, to test that a client tolerates unknown values. */
import { z } from 'zod';
import type { KeptValue } from '../state/data-folder.ts';
import { reasonCodes } from '../../src/service/contract/index.ts';

export interface Drift {
  /** One more field in every object. */
  readonly unknown_fields: boolean;
  /** An unknown reason code on every third annotated slot. */
  readonly reason_codes: boolean;
  /** Replies with an unknown classification. */
  readonly reply_types: boolean;
  /** Null in every field that the specification does not show. */
  readonly nulls: boolean;
  /** A fault of the service: every third excluded company is delivered. */
  readonly leaks: boolean;
}

export interface DriftSettings {
  /** The settings of an organisation; null returns the settings of organisations without their own. */
  forOrganization(organizationId: string | null): Drift;
  set(organizationId: string | null, changes: { readonly [Kind in keyof Drift]?: boolean | undefined }): void;
  reset(): void;
}

export const noDrift: Drift = {
  unknown_fields: false,
  reason_codes: false,
  reply_types: false,
  nulls: false,
  leaks: false,
};

const unknownReasonCode = 'REASON_OF_TOMORROW';

export function createDriftSettings(kept?: KeptValue<readonly [string | null, Drift][]>): DriftSettings {
  const settings = new Map(kept?.load());
  const keep = () => kept?.save([...settings]);
  const forOrganization = (id: string | null) => settings.get(id) ?? settings.get(null) ?? noDrift;
  return {
    forOrganization,
    set(id, { unknown_fields, reason_codes, reply_types, nulls, leaks }) {
      const now = forOrganization(id);
      settings.set(id, {
        unknown_fields: unknown_fields ?? now.unknown_fields,
        reason_codes: reason_codes ?? now.reason_codes,
        reply_types: reply_types ?? now.reply_types,
        nulls: nulls ?? now.nulls,
        leaks: leaks ?? now.leaks,
      });
      keep();
    },
    reset() {
      settings.clear();
      keep();
    },
  };
}

export function isDrifting(drift: Drift): boolean {
  return Object.values(drift).includes(true);
}

/** Returns the answer with drift applied. Fields that the schema does not describe stay unchanged. */
export function applyDrift(schema: z.core.$ZodType, value: unknown, drift: Drift): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const isGuess = schema.meta()?.['x-assumed'] !== undefined && schema.safeParse(null).success;
    if (drift.nulls && isGuess) return null;
    return applyDrift(schema.unwrap(), value, drift);
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => applyDrift(schema.element, item, drift));
  }
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]): [string, unknown] => {
    const known: unknown = schema.shape[name];
    return [name, known instanceof z.ZodType ? applyDrift(known, field, drift) : field];
  });
  const same = Object.fromEntries(fields);
  const slot = drift.reason_codes ? withUnknownReasonCode(same) : same;
  return drift.unknown_fields ? { ...slot, field_of_tomorrow: { since: 'tomorrow' } } : slot;
}

const slotSchema = z.looseObject({
  input_position: z.int(),
  reason_codes: z.array(z.string()),
  reasons: z.array(z.looseObject({ code: z.string() })),
});

/** Only annotated slots: an ENRICHED one stays eligible. */
function withUnknownReasonCode(value: Record<string, unknown>): Record<string, unknown> {
  const slot = slotSchema.safeParse(value).data;
  if (!slot || slot.input_position % 3 !== 0) return value;
  const isAnnotated = slot.reason_codes.some((code) => !eligible.has(code));
  if (!isAnnotated) return value;
  const reasons = slot.reasons.map((reason) => ({ ...reason, code: unknownReasonCode }));
  return { ...value, reason_codes: slot.reason_codes.map(() => unknownReasonCode), reasons };
}

const eligible: ReadonlySet<string> = new Set(
  Object.entries(reasonCodes)
    .filter(([, { status }]) => status === 'ENRICHED')
    .map(([code]) => code),
);
