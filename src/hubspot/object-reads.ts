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
  splitList,
  recordSchema,
  secondaryEmails,
  toComparable,
  type CrmRecord,
  type ReadableType,
} from './hubspot-record.ts';
import { callSdk } from './call-sdk.ts';
import type { Answered } from './call-sdk.ts';
import type { Transport } from './hubspot-transport.ts';

export interface ReadRequest {
  readonly ids: readonly string[];
  /** The unique property that the ids are values of; record ids otherwise. */
  readonly idProperty?: string;
  readonly properties: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

export interface ListRequest {
  readonly properties: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** Ids that a record had before merges; some portals still resolve them. */
const MERGED_IDS = 'hs_merged_object_ids';

const readAnswerSchema = z.object({ results: z.array(recordSchema), errors: z.array(z.unknown()).optional() });

const pageSchema = z.object({
  results: z.array(recordSchema),
  paging: z.object({ next: z.object({ after: z.string() }).optional() }).optional(),
});

export function createObjectReads(transport: Transport, concurrency: number) {
  async function readBatch(
    type: ReadableType,
    ids: readonly string[],
    { idProperty, properties, signal }: Omit<ReadRequest, 'ids'>,
  ): Promise<CrmRecord[]> {
    const answered = await callSdk(transport, { decodeAs: 207, idempotent: true, signal }, async (library) => {
      const api = new BatchApi(createConfiguration({ httpApi: wrapHttpLibrary(library) }));
      const request = { inputs: ids.map((id) => ({ id })), properties: [...properties], propertiesWithHistory: [] };
      return readAnswerSchema.parse(
        await api.read(type, idProperty === undefined ? request : { ...request, idProperty }),
      );
    });
    throwUnlessOnlyMissing(answered);
    return answered.value.results;
  }

  return {
    /**
     * Reads any number of records, 100 a call, several calls at once.
     * @returns a record for each id asked for that exists (emails lower-cased, also where one is a contact's secondary address); the others
     * are absent. One that was merged is returned under the id asked for, where HubSpot resolves it. Archived records do not exist here
     */
    async read(
      type: ReadableType,
      { ids, idProperty, properties, signal }: ReadRequest,
    ): Promise<Map<string, CrmRecord>> {
      const found = new Map<string, CrmRecord>();
      const requested = new Map(ids.map((id) => [toComparable(id), idProperty === 'email' ? toComparable(id) : id]));
      const shown: string[] = [idProperty ?? MERGED_IDS];
      if (idProperty === 'email') shown.push(ADDITIONAL_EMAILS);
      const wanted = [...new Set([...shown, ...properties])];
      const batches = splitIntoBatches([...requested.values()], OBJECTS_PER_BATCH);
      const records = await runConcurrently(batches, { concurrency, signal }, (batch, signal) =>
        readBatch(type, batch, { properties: wanted, signal, ...(idProperty === undefined ? {} : { idProperty }) }),
      );
      for (const record of records.flat()) {
        for (const key of toKeys(record, idProperty)) {
          const id = requested.get(toComparable(key));
          if (id !== undefined) found.set(id, record);
        }
      }
      return found;
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

/** What a record may have been asked for by. */
function toKeys(record: CrmRecord, idProperty: string | undefined): string[] {
  const { id, properties } = record;
  if (idProperty === undefined) return [id, ...splitList(properties[MERGED_IDS])];
  const key = properties[idProperty] ?? '';
  return idProperty === 'email' ? [key, ...secondaryEmails(record)] : [key];
}

/** A 207 to a read names the ids that do not exist; any other error in it means that records which do exist were not returned. */
function throwUnlessOnlyMissing({ value, request }: Answered<z.infer<typeof readAnswerSchema>>): void {
  for (const error of value.errors ?? []) {
    const facts = toErrorFacts(error);
    if (facts.category !== 'OBJECT_NOT_FOUND') throw new HubSpotError({ ...facts, ...request, kind: 'http' });
  }
}
