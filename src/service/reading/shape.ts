/** The shape of a service's responses: the paths of the fields that the specification does not show. Contains no values. */
import { z } from 'zod';
import { companyFields, type CompanyField } from '../contract/company-fields.ts';
import { prospectFields, type ProspectField } from '../contract/prospect-fields.ts';

/** How a field was found. `absent`: the setting is null, or no response has it. */
export const evidenceKinds = ['specification', 'setting', 'name', 'value', 'absent'] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

const fieldReadingSchema = z.object({
  /** Path in the record: keys joined by dots; null when the field is absent. */
  path: z.string().nullable(),
  by: z.enum(evidenceKinds),
});
export type FieldReading = z.infer<typeof fieldReadingSchema>;

const readingsOf = <K extends string>(names: readonly K[]) => z.partialRecord(z.enum(names), fieldReadingSchema);

const companyFieldNames = namesOf(companyFields);
const prospectFieldNames = namesOf(prospectFields);

/** `company.prospects` is a path in the slot; the other paths are in their record. */
export const shapeSchema = z.object({
  company: readingsOf(companyFieldNames),
  prospect: readingsOf(prospectFieldNames),
});
export type Shape = z.infer<typeof shapeSchema>;

/** `service.fields`: a path, or null for a field that the service does not have. */
export interface FieldSettings {
  readonly company: Readonly<Partial<Record<CompanyField, string | null>>>;
  readonly prospect: Readonly<Partial<Record<ProspectField, string | null>>>;
  readonly order: { readonly order_id?: string | null | undefined };
}

export const noFieldSettings: FieldSettings = { company: {}, prospect: {}, order: {} };

/** Every field under its own name; for orders whose results are still being collected. */
export const defaultShape: Shape = {
  company: Object.fromEntries(
    companyFieldNames.map((field) => [
      field,
      {
        path: field === 'prospects' ? 'company.prospects' : field,
        by: field === 'source_id' ? 'specification' : 'name',
      },
    ]),
  ),
  prospect: Object.fromEntries(prospectFieldNames.map((field) => [field, { path: field, by: 'name' }])),
};

/** A field whose path changed since the shape was detected. */
export interface Drift {
  readonly field: string;
  readonly was: string | null;
  readonly is: string | null;
}

export function driftBetween(before: Shape, now: Shape): Drift[] {
  return (['company', 'prospect'] as const).flatMap((record) => {
    const [old, current] = [new Map(Object.entries(before[record])), new Map(Object.entries(now[record]))];
    return [...current].flatMap(([field, { path: is }]) => {
      const was = old.get(field)?.path ?? null;
      return was === is ? [] : [{ field: `${record}.${field}`, was, is }];
    });
  });
}

function namesOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table).filter((name): name is keyof T & string => Object.hasOwn(table, name));
}

const count = z.int().min(0);

/** The detected shape of the results of one order, with the counts that decide whether they can be used. */
export const orderShapeSchema = z.object({
  shape: shapeSchema,
  counts: z.object({
    /** ENRICHED slots with a company. */
    enriched: count,
    /** Of those, how many have an identity: a domain, a website or an id. */
    identified: count,
    named: count,
    /** Of those, how many have prospects. */
    withPeople: count,
    /** Prospects of ENRICHED slots; how many have an email address, and a name. */
    people: count,
    withEmail: count,
    withName: count,
  }),
  /** Number of values that cannot be used, by field. */
  unusable: z.record(z.string(), count),
  /** Fields that prospect-sync does not read, with the number of slots that have them. */
  unread: z.record(z.string(), count),
});
export type OrderShape = z.infer<typeof orderShapeSchema>;
export type ShapeCounts = OrderShape['counts'];

export const nothingCounted: ShapeCounts = {
  enriched: 0,
  identified: 0,
  named: 0,
  withPeople: 0,
  people: 0,
  withEmail: 0,
  withName: 0,
};
