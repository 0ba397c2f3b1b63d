/** Filters of HubSpot's search, without its SDK: the configuration has them too. */
export const searchOperators = [
  'EQ',
  'NEQ',
  'LT',
  'LTE',
  'GT',
  'GTE',
  'BETWEEN',
  'IN',
  'NOT_IN',
  'HAS_PROPERTY',
  'NOT_HAS_PROPERTY',
  'CONTAINS_TOKEN',
  'NOT_CONTAINS_TOKEN',
] as const;
type SearchOperator = (typeof searchOperators)[number];

const oneValue = ['value'] as const;

/** What each operator compares a property with. */
export const operands: Readonly<Record<SearchOperator, readonly ('value' | 'values' | 'highValue')[]>> = {
  EQ: oneValue,
  NEQ: oneValue,
  LT: oneValue,
  LTE: oneValue,
  GT: oneValue,
  GTE: oneValue,
  BETWEEN: ['value', 'highValue'],
  IN: ['values'],
  NOT_IN: ['values'],
  HAS_PROPERTY: [],
  NOT_HAS_PROPERTY: [],
  CONTAINS_TOKEN: oneValue,
  NOT_CONTAINS_TOKEN: oneValue,
};

/** HubSpot compares `IN` on text properties with lower-case values only, and enumerations by case. */
export interface SearchFilter {
  readonly propertyName: string;
  readonly operator: SearchOperator;
  readonly value?: string;
  readonly values?: readonly string[];
  readonly highValue?: string;
}

/** A record matches when all filters of any group do. At most 5 groups of 5 filters: the sixth filter is the cursor. */
export type FilterGroups = readonly (readonly SearchFilter[])[];
