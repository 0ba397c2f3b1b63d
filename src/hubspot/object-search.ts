import {
  createConfiguration,
  FilterOperatorEnum,
  SearchApi,
  wrapHttpLibrary,
} from '@hubspot/api-client/lib/codegen/crm/objects/index.js';
import { z } from 'zod';
import { HubSpotError } from './hubspot-error.ts';
import { runConcurrently } from './batch-requests.ts';
import {
  ADDITIONAL_DOMAINS,
  ADDITIONAL_EMAILS,
  additionalDomains,
  recordSchema,
  secondaryEmails,
  toComparable,
  type CrmRecord,
  type ObjectType,
  type ReadableType,
} from './hubspot-record.ts';
import { callSdk } from './call-sdk.ts';
import type { Transport } from './hubspot-transport.ts';
import type { FilterGroups, SearchFilter } from './search-filter.ts';

export interface SearchRequest {
  readonly filterGroups: FilterGroups;
  readonly properties: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

const RECORDS_PER_SEARCH = 200;

const operators = {
  EQ: FilterOperatorEnum.Eq,
  NEQ: FilterOperatorEnum.Neq,
  LT: FilterOperatorEnum.Lt,
  LTE: FilterOperatorEnum.Lte,
  GT: FilterOperatorEnum.Gt,
  GTE: FilterOperatorEnum.Gte,
  BETWEEN: FilterOperatorEnum.Between,
  IN: FilterOperatorEnum.In,
  NOT_IN: FilterOperatorEnum.NotIn,
  HAS_PROPERTY: FilterOperatorEnum.HasProperty,
  NOT_HAS_PROPERTY: FilterOperatorEnum.NotHasProperty,
  CONTAINS_TOKEN: FilterOperatorEnum.ContainsToken,
  NOT_CONTAINS_TOKEN: FilterOperatorEnum.NotContainsToken,
} satisfies Record<`${FilterOperatorEnum}`, FilterOperatorEnum>;

const pageSchema = z.object({
  results: z.array(recordSchema),
  paging: z.object({ next: z.object({ after: z.string() }).optional() }).optional(),
});

export function createObjectSearch(transport: Transport, concurrency: number) {
  /**
   * Matching records by id, in pages of 200. Each page starts after the last id, because HubSpot's cursor ends at 10,000 records. The
   * index lags behind writes by seconds, and archived records never appear.
   */
  async function* search(type: ReadableType, request: SearchRequest): AsyncGenerator<CrmRecord[], void> {
    const { properties, signal } = request;
    const groups = request.filterGroups.length === 0 ? [[]] : request.filterGroups;
    let lastId = '0';
    let hasMore = true;
    while (hasMore) {
      const body = {
        filterGroups: groups.map((filters) => ({ filters: [...filters.map(toSdkFilter), toCursor(lastId)] })),
        properties: [...properties],
        sorts: ['hs_object_id'],
        limit: RECORDS_PER_SEARCH,
      };
      const { value: page, request: sent } = await callSdk(
        transport,
        { decodeAs: 200, idempotent: true, signal },
        async (library) => {
          const api = new SearchApi(createConfiguration({ httpApi: wrapHttpLibrary(library) }));
          return pageSchema.parse(await api.doSearch(type, body));
        },
      );
      for (const { id } of page.results) {
        // A page out of order would make the next one skip records.
        if (!(Number(id) > Number(lastId))) {
          throw new HubSpotError({ ...sent, kind: 'answer', code: 'PAGE_OUT_OF_ORDER' });
        }
        lastId = id;
      }
      if (page.results.length > 0) yield page.results;
      hasMore = page.paging?.next !== undefined && page.results.length > 0;
    }
  }

  /**
   * Companies or contacts by the `domain` property, compared in lower case.
   * @returns all records of each domain, because HubSpot does not keep domains unique. Domains without records are absent
   */
  async function findByDomain(
    type: ObjectType,
    domains: readonly string[],
    properties: readonly string[],
    signal?: AbortSignal,
  ): Promise<Map<string, CrmRecord[]>> {
    const found = new Map<string, CrmRecord[]>();
    const wanted = [...new Set(['domain', ...properties])];
    const records = await runConcurrently(
      toDomainBatches(domains, wanted),
      { concurrency, signal },
      (values, signal) => {
        const filterGroups = [[{ propertyName: 'domain', operator: 'IN', values }]] as const;
        return Array.fromAsync(search(type, { filterGroups, properties: wanted, signal }));
      },
    );
    for (const record of records.flat(2)) {
      const domain = toComparable(record.properties['domain'] ?? '');
      const candidates = found.get(domain);
      if (candidates === undefined) found.set(domain, [record]);
      else candidates.push(record);
    }
    return found;
  }

  /**
   * Companies that have one of the domains (in lower case) as an additional one, with their additional domains. Reads every company that has
   * any: an exact search for a value of a list is not documented, and one by tokens takes a filter a domain, of which a search has five.
   */
  async function findByAdditionalDomain(domains: readonly string[], signal?: AbortSignal): Promise<CrmRecord[]> {
    if (domains.length === 0) return [];
    const wanted = new Set(domains);
    const filterGroups = [[{ propertyName: ADDITIONAL_DOMAINS, operator: 'HAS_PROPERTY' }]] as const;
    const found: CrmRecord[] = [];
    for await (const page of search('companies', { filterGroups, properties: [ADDITIONAL_DOMAINS], signal }))
      found.push(...page.filter((record) => additionalDomains(record).some((domain) => wanted.has(domain))));
    return found;
  }

  /**
   * Contacts that have the address (in lower case) as an additional one. HubSpot documents neither operator for this list, and clients use
   * both: what either finds counts if it has the address.
   */
  async function findByAdditionalEmail(
    email: string,
    properties: readonly string[],
    signal?: AbortSignal,
  ): Promise<CrmRecord[]> {
    const filterGroups = (['EQ', 'CONTAINS_TOKEN'] as const).map((operator) => [
      { propertyName: ADDITIONAL_EMAILS, operator, value: email },
    ]);
    const wanted = [...new Set([...properties, ADDITIONAL_EMAILS])];
    const found = await Array.fromAsync(search('contacts', { filterGroups, properties: wanted, signal }));
    return found.flat().filter((record) => secondaryEmails(record).includes(email));
  }

  return { search, findByDomain, findByAdditionalDomain, findByAdditionalEmail };
}

function toSdkFilter({ operator, values, ...filter }: SearchFilter) {
  return { ...filter, operator: operators[operator], ...(values === undefined ? {} : { values: [...values] }) };
}

function toCursor(lastId: string) {
  return { propertyName: 'hs_object_id', operator: FilterOperatorEnum.Gt, value: lastId };
}

/** HubSpot's limits of a search: values of an `IN` filter, and characters of the body. */
const VALUES_PER_FILTER = 100;
const CHARACTERS_PER_BODY = 3000;
/** Characters of the rest of the body, with the longest cursor. */
const CHARACTERS_AROUND = 300;

/** Distinct domains in lower case, in batches that fit into one search. */
export function toDomainBatches(domains: readonly string[], properties: readonly string[]): string[][] {
  const room = CHARACTERS_PER_BODY - CHARACTERS_AROUND - JSON.stringify(properties).length;
  const batches: string[][] = [];
  let batch: string[] = [];
  let characters = 0;
  for (const domain of new Set(domains.map((domain) => toComparable(domain)))) {
    const length = JSON.stringify(domain).length + 1;
    if (batch.length > 0 && (batch.length === VALUES_PER_FILTER || characters + length > room)) {
      batches.push(batch);
      batch = [];
      characters = 0;
    }
    batch.push(domain);
    characters += length;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
