/** Fields of companies and prospects: our name, the names that a service may use, and how values are read. */

/** How a value is read; `people` is a list of prospect records. */
export type FieldKind = 'text' | 'id' | 'integer' | 'number' | 'boolean' | 'url' | 'people';

/** How values look, for a field that none of its names finds. */
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

/** What a field is needed for. Nothing is written without identity, or without contacts that were ordered. */
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
