/** Fields of companies and prospects: the name in prospect-sync, the names that a service may use, and how values are read. */

/** How a value is read; `people` is a list of prospect records. */
export type FieldKind = 'text' | 'id' | 'integer' | 'number' | 'boolean' | 'url' | 'people';

/** The form of values, by which a field is found when none of its names is. */
export type ValuePattern =
  | 'email'
  | 'website'
  | 'domain'
  | 'linkedin'
  | 'company name'
  | 'first name'
  | 'last name'
  | 'full name'
  | 'person';

/** What a field is needed for. Without identity fields, or without ordered contacts, nothing is written. */
export type FieldNeed = 'identity' | 'contact' | 'firmographics' | 'optional';

export interface FieldEntry {
  readonly kind: FieldKind;
  readonly need: FieldNeed;
  /** Other names of the field, the likeliest first. Case, `_` and `-` are ignored; `a_b` also finds `a.b`. */
  readonly names: readonly string[];
  readonly pattern?: ValuePattern;
  /** Named by the specification, so that no other name is tried. */
  readonly specified?: true;
}

/** A field that the specification names. */
export const specified = { need: 'optional', names: [], specified: true } as const;
