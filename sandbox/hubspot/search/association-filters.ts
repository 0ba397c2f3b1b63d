/** Search filters on links: `associations.contact`, documented in HubSpot's search guide under "Search through associations". */
import { validationError } from '../api-error.ts';
import { findObjectType, type ObjectType } from '../object-types.ts';
import type { Portal } from '../portal/portal.ts';
import type { RecordPredicate } from '../portal/crm-record.ts';
import type { Filter } from './search-filters.ts';

const prefix = 'associations.';

export function isAssociationFilter({ propertyName }: Filter): boolean {
  return propertyName.startsWith(prefix);
}

/** undefined for a filter on a property. Links are found at once: only values of records have the index lag. */
export function toAssociationPredicate(portal: Portal, from: ObjectType, filter: Filter): RecordPredicate | undefined {
  if (!isAssociationFilter(filter)) return undefined;
  const linkedIds = linksOf(portal, from, filter.propertyName.slice(prefix.length));
  const isLinked = (wanted: ReadonlySet<string>) => (ids: readonly string[]) => ids.some((id) => wanted.has(id));
  const test = toTest(filter, isLinked(new Set(wantedIds(filter))));
  return (values) => test(linkedIds(values['hs_object_id'] ?? ''));
}

function toTest({ operator, propertyName }: Filter, isLinked: (ids: readonly string[]) => boolean) {
  switch (operator) {
    case 'EQ':
    case 'IN':
      return isLinked;
    case 'NEQ':
    case 'NOT_IN':
      return (ids: readonly string[]) => !isLinked(ids);
    case 'HAS_PROPERTY':
      return (ids: readonly string[]) => ids.length > 0;
    case 'NOT_HAS_PROPERTY':
      return (ids: readonly string[]) => ids.length === 0;
    default:
      throw validationError(`The operator ${operator} cannot be used with ${propertyName}.`);
  }
}

function wantedIds({ operator, propertyName, value, values = [] }: Filter): readonly string[] {
  if (operator.endsWith('HAS_PROPERTY')) return [];
  const ids = operator === 'EQ' || operator === 'NEQ' ? [value].filter((id) => id !== undefined) : values;
  if (ids.length === 0) throw validationError(`The filter ${operator} on ${propertyName} needs a record id.`);
  return ids;
}

/** The linked records that are not archived, under their present ids. */
function linksOf(portal: Portal, from: ObjectType, name: string): (id: string) => readonly string[] {
  const to = findObjectType(name);
  const pair = to === 'other' ? undefined : portal.associationTypes.known(from, to);
  if (!pair) return () => [];
  const targets = portal.store(pair.to);
  return (id) => [...portal.associations.linked(pair, id).keys()].filter((other) => targets.get(other) !== undefined);
}
