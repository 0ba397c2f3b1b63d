import { z } from 'zod';
import { invalid } from '../api-error.ts';
import { parseBody } from '../request-bodies.ts';

const filter = z.object({
  propertyName: z.string(),
  operator: z.enum([
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
  ]),
  value: z.union([z.string(), z.number(), z.boolean()]).transform(String).optional(),
  highValue: z.union([z.string(), z.number()]).transform(String).optional(),
  values: z.array(z.union([z.string(), z.number()]).transform(String)).optional(),
});
export type Filter = z.infer<typeof filter>;

const sort = z.union([
  z.string().transform((text) => ({ propertyName: text.replace(/^-/, ''), descending: text.startsWith('-') })),
  z
    .object({ propertyName: z.string(), direction: z.enum(['ASCENDING', 'DESCENDING']).default('ASCENDING') })
    .transform(({ propertyName, direction }) => ({ propertyName, descending: direction === 'DESCENDING' })),
]);

const searchSchema = z.object({
  query: z.string().optional(),
  filterGroups: z.array(z.object({ filters: z.array(filter) })).default([]),
  sorts: z.array(sort).default([]),
  properties: z.array(z.string()).default([]),
  limit: z.number().int().default(10),
  after: z.union([z.string(), z.number()]).transform(String).optional(),
});
export type Search = Omit<z.infer<typeof searchSchema>, 'after'> & { after: number };

const maxBodyLength = 3000;
const maxGroups = 5;
const maxFiltersInGroup = 6;
const maxFilters = 18;
const maxPage = 200;
/** No page of a search reaches beyond this many results. */
const maxResults = 10_000;

/** Fails with 400 when the body breaks one of the documented limits of search. */
export function parseSearch(text: string): Search {
  if (text.length > maxBodyLength)
    throw invalid(`The request body must not be longer than ${maxBodyLength} characters.`);
  const body = parseBody(text, searchSchema);
  const counts = body.filterGroups.map(({ filters }) => filters.length);
  if (counts.length > maxGroups) throw invalid(`At most ${maxGroups} filterGroups are allowed.`);
  if (counts.some((count) => count > maxFiltersInGroup)) {
    throw invalid(`At most ${maxFiltersInGroup} filters are allowed in a filterGroup.`);
  }
  if (counts.reduce((sum, count) => sum + count, 0) > maxFilters)
    throw invalid(`At most ${maxFilters} filters are allowed.`);
  if (body.sorts.length > 1) throw invalid('Only one sort is allowed.');
  if (body.limit < 0 || body.limit > maxPage) throw invalid(`limit must be between 0 and ${maxPage}.`);
  const after = body.after === undefined || body.after === '' ? '0' : body.after;
  if (!/^\d+$/.test(after)) throw invalid(`after must be an integer: ${after}`);
  if (Number(after) + body.limit > maxResults) throw invalid(`Paging beyond ${maxResults} results is not supported.`);
  return { ...body, after: Number(after) };
}
