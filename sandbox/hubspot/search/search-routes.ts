import type { CollectionResponseWithTotalSimplePublicObject } from '@hubspot/api-client/lib/codegen/crm/companies/models/CollectionResponseWithTotalSimplePublicObject.js';
import { Hono, type HonoRequest } from 'hono';
import { notImplemented, validationError } from '../api-error.ts';
import type { HubSpotAssumptions } from '../hubspot-assumptions.ts';
import type { ObjectStore } from '../portal/object-store.ts';
import { valueOf, type StoredRecord } from '../portal/crm-record.ts';
import { isOtherType, storeFor } from '../objects/record-stores.ts';
import type { SandboxEnvironment } from '../request-middleware.ts';
import { viewRecord } from '../objects/record-view.ts';
import type { Portal } from '../portal/portal.ts';
import type { JsonOf } from '../json-model.ts';
import { isAssociationFilter, toAssociationPredicate } from './association-filters.ts';
import { filterSchema, type Filter, indexableValues, sortKey, toPredicate, matchesWords } from './search-filters.ts';
import { z } from 'zod';
import { parseBody } from '../request-bodies.ts';

/** The search of records, relative to `/crm/v3/objects`. */
export function searchRoutes(): Hono<SandboxEnvironment> {
  return new Hono<SandboxEnvironment>().post('/:type/search', async (c) => {
    const { assumed } = c.var.portal;
    if (isOtherType(c)) {
      parseSearch(await c.req.text(), assumed);
      return c.json({ total: 0, results: [] } satisfies Answer);
    }
    return searchRecords(c.var.portal, storeFor(c, 'read'), c.req);
  });
}

type Answer = JsonOf<CollectionResponseWithTotalSimplePublicObject>;

async function searchRecords(portal: Portal, store: ObjectStore, request: HonoRequest): Promise<Response> {
  const search = parseSearch(await request.text(), portal.assumed);
  const found = inOrder(store, search, matching(portal, store, search));
  const end = search.after + search.limit;
  const body: Answer = {
    total: found.length,
    results: found.slice(search.after, end).map((record) => viewRecord(store, record, search.properties)),
  };
  if (search.limit > 0 && end < found.length) body.paging = { next: { after: String(end) } };
  return Response.json(body);
}

/** Indexed records that match, in the order of creation. Archived records never appear, even if the index is older than the archiving. */
function matching(portal: Portal, store: ObjectStore, { filterGroups, query }: Search): StoredRecord[] {
  const groups = filterGroups.length > 0 ? filterGroups : [{ filters: [] }];
  const isQueried = queryTest(store, query);
  const found = new Set<StoredRecord>();
  for (const { filters } of groups) {
    const tests = filters.map(
      (filter) =>
        toAssociationPredicate(portal, store.type, filter) ??
        toPredicate(filter, typeOf(store, filter.propertyName), portal.assumed.negativeFiltersMatchEmpty),
    );
    for (const record of candidates(store, filters)) {
      const fits = tests.every((test) => test(record.properties)) && store.get(record.id)?.id === record.id;
      if (fits && isQueried(record)) found.add(record);
    }
  }
  // All ids have the same length, so they sort as texts.
  return [...found].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The records that the index finds for one filter, or all records if no filter can use the index. */
function candidates(store: ObjectStore, filters: readonly Filter[]): Iterable<StoredRecord> {
  const documents = store.search.documents();
  for (const filter of filters) {
    if (isAssociationFilter(filter)) continue;
    const values = indexableValues(filter);
    // The index finds only texts: numbers and times have several spellings.
    const type = typeOf(store, filter.propertyName);
    if (!values || type === 'number' || type === 'date' || type === 'datetime') continue;
    const ids = new Set(values.flatMap((value) => [...store.search.lookup(filter.propertyName, value)]));
    return [...ids].map((id) => documents.get(id)).filter((record) => record !== undefined);
  }
  return documents.values();
}

function inOrder(store: ObjectStore, { sorts }: Search, records: StoredRecord[]): StoredRecord[] {
  const [sort] = sorts;
  if (!sort) return records;
  const { propertyName, descending } = sort;
  const type = typeOf(store, propertyName);
  // Records are already sorted by id.
  if (propertyName === 'hs_object_id') return descending ? records.toReversed() : records;
  return records
    .map((record) => {
      const value = valueOf(record.properties, propertyName);
      return { record, key: value === undefined ? undefined : sortKey(type, value) };
    })
    .sort(({ key: a }, { key: b }) => {
      // Records without a value come last either way.
      if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
      return (a < b ? -1 : a > b ? 1 : 0) * (descending ? -1 : 1);
    })
    .map(({ record }) => record);
}

function queryTest(store: ObjectStore, query: string | undefined): (record: StoredRecord) => boolean {
  if (query === undefined || query.trim() === '') return () => true;
  const test = matchesWords(query);
  return ({ properties }) => test(store.type.queriedProperties.map((name) => properties[name] ?? '').join(' '));
}

function typeOf(store: ObjectStore, propertyName: string): string {
  const property = store.properties.get(propertyName);
  if (!property)
    throw validationError(`There was a problem with the request. Property "${propertyName}" does not exist.`);
  return property.type;
}

const sort = z.union([
  z.string().transform((text) => ({ propertyName: text.replace(/^-/, ''), descending: text.startsWith('-') })),
  z
    .object({ propertyName: z.string(), direction: z.enum(['ASCENDING', 'DESCENDING']).default('ASCENDING') })
    .transform(({ propertyName, direction }) => ({ propertyName, descending: direction === 'DESCENDING' })),
]);

const groupSchema = z.object({ filters: z.array(filterSchema) });

const searchSchema = z.object({
  query: z.string().optional(),
  filterGroups: z.array(groupSchema).optional(),
  /** One group without `filterGroups`, as in HubSpot's example "Search through associations". */
  filters: groupSchema.shape.filters.optional(),
  sorts: z.array(sort).default([]),
  properties: z.array(z.string()).default([]),
  limit: z.number().int().default(10),
  after: z.union([z.string(), z.number()]).transform(String).optional(),
});
/** A key that HubSpot does not know changes nothing there: `filter_groups` returns every record. */
const strictSearchSchema = searchSchema.extend({ filterGroups: z.array(groupSchema.strict()).optional() }).strict();
export type Search = Omit<z.infer<typeof searchSchema>, 'after' | 'filters' | 'filterGroups'> & {
  filterGroups: z.infer<typeof groupSchema>[];
  after: number;
};

const maxBodyLength = 3000;
const maxGroups = 5;
const maxFiltersInGroup = 6;
const maxFilters = 18;
const maxPage = 200;
/** No page of a search reaches beyond this many results. */
const maxResults = 10_000;

/** Fails with 400 when the body breaks one of the documented limits of search. */
function parseSearch(text: string, { unknownSearchKeys, searchLimitZero }: HubSpotAssumptions): Search {
  if (text.length > maxBodyLength)
    throw validationError(`The request body must not be longer than ${maxBodyLength} characters.`);
  const body = parseBody(text, unknownSearchKeys === 'refused' ? strictSearchSchema : searchSchema);
  if (body.filters && body.filterGroups) throw notImplemented('a search with both filters and filterGroups');
  const filterGroups = body.filters ? [{ filters: body.filters }] : (body.filterGroups ?? []);
  const counts = filterGroups.map(({ filters }) => filters.length);
  if (counts.length > maxGroups) throw validationError(`At most ${maxGroups} filterGroups are allowed.`);
  if (counts.some((count) => count > maxFiltersInGroup)) {
    throw validationError(`At most ${maxFiltersInGroup} filters are allowed in a filterGroup.`);
  }
  if (counts.reduce((sum, count) => sum + count, 0) > maxFilters)
    throw validationError(`At most ${maxFilters} filters are allowed.`);
  if (body.sorts.length > 1) throw validationError('Only one sort is allowed.');
  const smallest = searchLimitZero === 'refused' ? 1 : 0;
  if (body.limit < smallest || body.limit > maxPage)
    throw validationError(`limit must be between ${smallest} and ${maxPage}.`);
  const after = body.after === undefined || body.after === '' ? '0' : body.after;
  if (!/^\d+$/.test(after)) throw validationError(`after must be an integer: ${after}`);
  if (Number(after) + body.limit > maxResults)
    throw validationError(`Paging beyond ${maxResults} results is not supported.`);
  return { ...body, filterGroups, after: Number(after) };
}
