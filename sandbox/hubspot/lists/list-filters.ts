// The implemented list filters: properties with the most common operators.
import { z } from 'zod';
import { validationError, notImplemented } from '../api-error.ts';
import type { PropertyRegistry } from '../portal/property-registry.ts';
import type { RecordPredicate } from '../portal/crm-record.ts';
import { toPredicate } from '../search/search-filters.ts';
import type { Filter } from '../search/search-filters.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const filterSchema = z.object({
  filterType: z.string(),
  property: z.string().default(''),
  operation: z
    .object({ operator: z.string(), value: scalar.optional(), values: z.array(scalar).optional() })
    .optional(),
});
type ListFilter = z.infer<typeof filterSchema>;

const andSchema = z.object({
  filterBranchType: z.string(),
  filterBranches: z.array(z.unknown()).default([]),
  filters: z.array(filterSchema).default([]),
});

/** Groups of filters; a record must match one group. */
export const filterBranchSchema = z.object({
  filterBranchType: z.string(),
  filterBranches: z.array(andSchema).default([]),
  filters: z.array(z.unknown()).default([]),
});
export type FilterBranch = z.infer<typeof filterBranchSchema>;

export function toListPredicate(properties: PropertyRegistry, branch: FilterBranch): RecordPredicate {
  if (branch.filterBranchType !== 'OR' || branch.filters.length > 0) {
    throw validationError('The root of filterBranch must be of type OR and hold no filters of its own.');
  }
  const groups = branch.filterBranches.map(({ filterBranchType, filterBranches, filters }) => {
    if (filterBranchType !== 'AND' || filterBranches.length > 0)
      throw notImplemented('nested filter branches of lists');
    const tests = filters.map((filter) => toTest(properties, filter));
    return (values: Parameters<RecordPredicate>[0]) => tests.every((test) => test(values));
  });
  return (values) => groups.some((fits) => fits(values));
}

function toTest(properties: PropertyRegistry, { filterType, property, operation }: ListFilter): RecordPredicate {
  if (filterType !== 'PROPERTY' || !operation) throw notImplemented(`list filters of type ${filterType}`);
  const { type } = properties.get(property) ?? {};
  if (type === undefined) throw validationError(`Property "${property}" does not exist.`);
  const { operator, value, values = value === undefined ? [] : [value] } = operation;
  const filter = (operator: Filter['operator']): Filter => ({
    propertyName: property,
    operator,
    // Lists compare text without regard to case; a search requires lower case.
    values: type === 'string' ? values.map((text) => text.toLowerCase()) : values,
  });
  switch (operator) {
    case 'IS_EQUAL_TO':
    case 'IS_ANY_OF':
      return toPredicate(filter('IN'), type, false);
    case 'IS_NONE_OF':
      return toPredicate(filter('NOT_IN'), type, true);
    case 'IS_KNOWN':
      return toPredicate(filter('HAS_PROPERTY'), type, false);
    case 'IS_UNKNOWN':
      return toPredicate(filter('NOT_HAS_PROPERTY'), type, false);
    default:
      throw notImplemented(`the list operator ${operator}`);
  }
}
