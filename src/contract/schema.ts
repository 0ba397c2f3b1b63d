/**
 * Words in which the contract is written. Schemas describe what a tolerant reader accepts; what only a server owes
 * (no unknown field, no unknown word, exact timestamps) is carried as metadata and enforced by `toStrict`.
 */
import { z } from 'zod';
import type { AssumptionId } from './assumed.ts';

/** A response object: fields that this version does not know are kept. */
export const record = z.looseObject;

/** A word list that may grow: any string is read, the known words are published as `x-known-values`. */
export function openEnum(values: readonly string[]) {
  return z.string().meta({ 'x-known-values': values });
}

export const strictTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** ISO 8601 UTC with microseconds and Z, as every timestamp of the service. */
export function timestamp() {
  return z.string().meta({ format: 'date-time', 'x-strict-pattern': strictTimestamp.source });
}

/** Ids are read by form only: the version bits of a UUID are the service's own business. */
export const uuid = z.guid;

export const count = () => z.int().min(0);

/**
 * A field of a response that is only assumed: it may be missing or null, and costs no reader anything. A server that
 * follows this contract sends it (`toStrict`), null where `nullable` says so.
 */
export function guessed<S extends z.ZodType>(id: AssumptionId, schema: S) {
  return assumed(id, schema.nullish());
}

/**
 * A field of a response that may be missing by the specification. A reader puts up with null as well (A49); a server
 * that follows this contract leaves the field out (`toStrict`).
 */
export function mayBeMissing<S extends z.ZodType>(schema: S) {
  return schema.nullish().meta({ ...schema.meta(), 'x-assumed-null': 'A49' satisfies AssumptionId });
}

/** Marks what the specification does not show; `docs/assumptions.md` lists each mark. */
export function assumed<S extends z.ZodType>(id: AssumptionId, schema: S): S {
  return schema.meta({ ...schema.meta(), 'x-assumed': id });
}
