/** The shape of a service: where its answers carry the fields that the specification does not show. Plain data, without values. */
import { z } from 'zod';
import { companyFields, type CompanyField } from '../contract/company-fields.ts';
import { prospectFields, type ProspectField } from '../contract/prospect-fields.ts';

/** How a field was found. `absent`: a setting says that there is none, or no answer has it. */
export const evidenceKinds = ['specification', 'setting', 'name', 'value', 'absent'] as const;
export type Evidence = (typeof evidenceKinds)[number];

const fieldReadingSchema = z.object({
  /** Keys joined by dots, from the record on; null where the field is absent. */
  path: z.string().nullable(),
  by: z.enum(evidenceKinds),
});
export type FieldReading = z.infer<typeof fieldReadingSchema>;

const readingsOf = <K extends string>(names: readonly K[]) => z.partialRecord(z.enum(names), fieldReadingSchema);

const companyFieldNames = namesOf(companyFields);
const prospectFieldNames = namesOf(prospectFields);

/** `company.prospects` is a path from the slot on, the others from their record on. */
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

/** Every field under its own name: how orders are read that were collected before shapes were learnt. */
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

/** Fields whose place in the answers changed since the shape was learnt. */
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
