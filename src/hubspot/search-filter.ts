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
