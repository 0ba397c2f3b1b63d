import {
  BasicApi,
  BatchApi,
  createConfiguration,
  wrapHttpLibrary,
} from '@hubspot/api-client/lib/codegen/crm/objects/index.js';
import { z } from 'zod';

import { splitIntoBatches, runConcurrently } from './batch-requests.ts';
import { toErrorFacts } from './error-facts.ts';
import { HubSpotError } from './hubspot-error.ts';
import { OBJECTS_PER_BATCH } from './object-writes.ts';
import {
  ADDITIONAL_EMAILS,
  idSchema,
  splitList,
  recordSchema,
  secondaryEmails,
  toComparable,
  type CrmRecord,
  type ReadableType,
} from './hubspot-record.ts';
import { callSdk, callWithoutSdk } from './call-sdk.ts';
import type { Answered } from './call-sdk.ts';
import type { Transport } from './hubspot-transport.ts';

export interface ReadRequest {
  readonly ids: readonly string[];
  /** The unique property that the ids are values of; record ids otherwise. */
  readonly idProperty?: string;
  readonly properties: readonly string[];
  /** Only archived records instead of the others. */
  readonly archived?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A value that a property had. */
export interface HistoryEntry {
  readonly value: string;
  /** Milliseconds since 1970, on HubSpot's clock. */
  readonly at: number;
  /** Writer of the value: HubSpot's `sourceType` and `sourceId`. The same app or user has the same source. */
  readonly source: string;
}

/** Newest first, by property name. */
export type PropertyHistories = Readonly<Record<string, readonly HistoryEntry[]>>;

export interface ListRequest {
  readonly properties: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** Ids that a record had before merges; some portals still resolve them. */
export const MERGED_IDS = 'hs_merged_object_ids';

const readAnswerSchema = z.object({ results: z.array(recordSchema), errors: z.array(z.unknown()).optional() });

/** HubSpot rejects larger batches that ask for history. */
const RECORDS_WITH_HISTORY = 50;

const entrySchema = z
  .object({
    value: z.string().nullish(),
    timestamp: z.union([z.date(), z.string()]),
    sourceType: z.string(),
    sourceId: z.string().nullish(),
  })
  .transform(({ value, timestamp, sourceType, sourceId }): HistoryEntry => ({
    value: value ?? '',
    at: new Date(timestamp).getTime(),
    source: `${sourceType} ${sourceId ?? ''}`,
  }));

const historyAnswerSchema = z.object({
  results: z.array(
    z.object({ id: idSchema, propertiesWithHistory: z.record(z.string(), z.array(entrySchema)).nullish() }),
  ),
  errors: z.array(z.unknown()).optional(),
});

const pageSchema = z.object({
  results: z.array(recordSchema),
  paging: z.object({ next: z.object({ after: z.string() }).optional() }).optional(),
});

export function createObjectReads(transport: Transport, concurrency: number) {
  async function readBatch(
    type: ReadableType,
    ids: readonly string[],
    {
      idProperty,
      properties,
      archived,
      signal,
    }: Omit<ReadRequest, 'ids' | 'archived'> & { readonly archived: boolean },
  ): Promise<CrmRecord[]> {
    const request = { inputs: ids.map((id) => ({ id })), properties, propertiesWithHistory: [] };
    const call = {
      method: 'POST',
      path: `/crm/v3/objects/${type}/batch/read?archived=${archived}`,
      body: JSON.stringify(idProperty === undefined ? request : { ...request, idProperty }),
      idempotent: true,
      signal,
    };
    const answered = await callWithoutSdk(transport, call, (json) => readAnswerSchema.parse(json));
    throwUnlessOnlyMissing(answered);
    return answered.value.results;
  }

  return {
    /**
     * Reads any number of records, 100 a call, several calls at once.
     * @returns a record for each requested id that exists (emails lower-cased, also where one is a contact's secondary address); the others
     * are absent. One that was merged is returned under the requested id, if HubSpot resolves it. Archived records are absent too,
     * unless only they are requested
     */
    async read(
      type: ReadableType,
      { ids, idProperty, properties, archived = false, signal }: ReadRequest,
    ): Promise<Map<string, CrmRecord>> {
      const found = new Map<string, CrmRecord>();
      const requested = new Map(ids.map((id) => [toComparable(id), idProperty === 'email' ? toComparable(id) : id]));
      const shown: string[] = [idProperty ?? MERGED_IDS];
      if (idProperty === 'email') shown.push(ADDITIONAL_EMAILS);
      const wanted = [...new Set([...shown, ...properties])];
      const batches = splitIntoBatches([...requested.values()], OBJECTS_PER_BATCH);
      const records = await runConcurrently(batches, { concurrency, signal }, (batch, signal) =>
        readBatch(type, batch, {
          properties: wanted,
          archived,
          signal,
          ...(idProperty === undefined ? {} : { idProperty }),
        }),
      );
      for (const record of records.flat()) {
        for (const key of toKeys(record, idProperty)) {
          const id = requested.get(toComparable(key));
          if (id !== undefined) found.set(id, record);
        }
      }
      return found;
    },

    /** History of these properties by record id: 50 records a call, several calls at once. */
    async readHistories(
      type: ReadableType,
      { ids, properties, signal }: Pick<ReadRequest, 'ids' | 'properties' | 'signal'>,
    ): Promise<Map<string, PropertyHistories>> {
      const batches = splitIntoBatches([...new Set(ids)], RECORDS_WITH_HISTORY);
      const records = await runConcurrently(batches, { concurrency, signal }, async (batch, signal) => {
        const answered = await callSdk(transport, { decodeAs: 207, idempotent: true, signal }, async (library) => {
          const api = new BatchApi(createConfiguration({ httpApi: wrapHttpLibrary(library) }));
          const inputs = batch.map((id) => ({ id }));
          const request = { inputs, properties: [], propertiesWithHistory: [...properties] };
          return historyAnswerSchema.parse(await api.read(type, request));
        });
        throwUnlessOnlyMissing(answered);
        return answered.value.results;
      });
      return new Map(records.flat().map(({ id, propertiesWithHistory }) => [id, propertiesWithHistory ?? {}]));
    },

    /** All records that are not archived, by id, in pages of 100. Records created or archived meanwhile may or may not be among them. */
    async *list(type: ReadableType, { properties, signal }: ListRequest): AsyncGenerator<CrmRecord[], void> {
      let after: string | undefined;
      do {
        const { value: page, request } = await callSdk(
          transport,
          { decodeAs: 200, idempotent: true, signal },
          async (library) => {
            const api = new BasicApi(createConfiguration({ httpApi: wrapHttpLibrary(library) }));
            return pageSchema.parse(await api.getPage(type, OBJECTS_PER_BATCH, after, [...properties]));
          },
        );
        const next = page.paging?.next?.after;
        if (next !== undefined && next === after) {
          throw new HubSpotError({ ...request, kind: 'answer', code: 'CURSOR_STANDS_STILL' });
        }
        if (page.results.length > 0) yield page.results;
        after = next;
      } while (after !== undefined);
    },
  };
}

/** The values by which a record can be requested. */
function toKeys(record: CrmRecord, idProperty: string | undefined): string[] {
  const { id, properties } = record;
  if (idProperty === undefined) return [id, ...splitList(properties[MERGED_IDS])];
  const key = properties[idProperty] ?? '';
  return idProperty === 'email' ? [key, ...secondaryEmails(record)] : [key];
}

/** A 207 to a read names the ids that do not exist; any other error in it means that records which do exist were not returned. */
function throwUnlessOnlyMissing({ value, request }: Answered<{ readonly errors?: unknown[] | undefined }>): void {
  for (const error of value.errors ?? []) {
    const facts = toErrorFacts(error);
    if (facts.category !== 'OBJECT_NOT_FOUND') throw new HubSpotError({ ...facts, ...request, kind: 'http' });
  }
}
