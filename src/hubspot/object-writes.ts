import { pausingStatuses } from './account-limits.ts';
import {
  AssociationSpecAssociationCategoryEnum,
  BatchApi,
  createConfiguration,
  wrapHttpLibrary,
} from '@hubspot/api-client/lib/codegen/crm/objects/index.js';

import { splitIntoBatches, splitIntoRounds, sendWithBisect, runConcurrently } from './batch-requests.ts';
import { HubSpotError } from './hubspot-error.ts';
import { toComparable, type ObjectType, type ReadableType } from './hubspot-record.ts';
import { batchAnswerSchema, toRowOutcomes } from './batch-write-results.ts';
import type { NewAssociation, SentRow, WriteResult } from './batch-write-results.ts';
import { callSdk } from './call-sdk.ts';
import type { SdkLibrary } from './call-sdk.ts';
import type { Transport } from './hubspot-transport.ts';

export interface CreateInput {
  readonly properties: Readonly<Record<string, string>>;
  /** Shown in HubSpot's errors and change history. The client replaces a trace id that another input of the call has too. */
  readonly traceId?: string | undefined;
}

export interface NewRecord extends CreateInput {
  readonly associations?: readonly NewAssociation[];
}

export interface WriteInput extends CreateInput {
  /** Record id for updates, value of the idProperty for upserts. Repeated ids are written in order: the last one wins. */
  readonly id: string;
}

/** HubSpot's limit for all batch operations on objects. */
export const OBJECTS_PER_BATCH = 100;

/**
 * Batch writes in which one bad row never fails the others: result i belongs to input i, and a rejected row is a result with its error.
 * They throw HubSpotError when a batch could not be sent, or for an error that no row causes (401, 403, 429, 5xx, no answer); earlier and
 * concurrent batches may be written then. Updates, upserts and archives can be repeated; after a failed create, read before creating again.
 * @param newId returns a unique value for the trace ids, without which one bad row would fail its whole batch
 */
export function createObjectWrites(
  transport: Transport,
  { newId, concurrency }: { newId: () => string; concurrency: number },
) {
  async function write(operation: Operation, inputs: readonly (NewRecord & { id?: string })[]) {
    const call = newId();
    const given = new Set<string>();
    const rows = inputs.map(({ id, properties, associations, traceId }, index): SentRow => {
      const key = id === undefined ? undefined : toComparable(id);
      const isOwn = traceId === undefined || given.has(traceId);
      if (traceId !== undefined) given.add(traceId);
      return { traceId: isOwn ? `${call}-${index}` : traceId, id: id ?? '', key, properties, associations };
    });
    const outcomes = new Map<SentRow, WriteResult>();
    for (const round of splitIntoRounds(rows, (row) => row.key, OBJECTS_PER_BATCH)) {
      const sent = await runConcurrently(round, { concurrency, signal: operation.signal }, (batch, signal) =>
        sendWithBisect(batch, (part) => sendBatch({ ...operation, signal }, part)),
      );
      for (const [row, outcome] of sent.flatMap((batch) => [...batch])) outcomes.set(row, outcome);
    }
    return rows.map((row) => {
      const outcome = outcomes.get(row);
      if (outcome === undefined) throw new RangeError('a row was sent, but has no outcome');
      return outcome;
    });
  }

  async function sendBatch({ isCreate, signal, keyOf, send }: Operation, batch: readonly SentRow[]) {
    const answered = await callSdk(transport, { decodeAs: 207, idempotent: !isCreate, signal }, async (library) =>
      batchAnswerSchema.parse(await send(toBatchApi(library), batch)),
    );
    return toRowOutcomes(batch, answered, keyOf, isCreate);
  }

  return {
    create(type: ReadableType, inputs: readonly NewRecord[], signal?: AbortSignal): Promise<WriteResult[]> {
      return write(
        {
          isCreate: true,
          signal,
          keyOf: () => undefined,
          send: (api, batch) => api.create(type, { inputs: batch.map(toNewInput) }),
        },
        inputs,
      );
    },

    update(type: ObjectType, inputs: readonly WriteInput[], signal?: AbortSignal): Promise<WriteResult[]> {
      return write(
        {
          isCreate: false,
          signal,
          keyOf: (record) => record.id,
          send: (api, batch) => api.update(type, { inputs: batch.map((row) => ({ ...toInput(row), id: row.id })) }),
        },
        inputs,
      );
    },

    /**
     * @param idProperty a property with unique values, which `domain` is not. For an upsert by email include `email` in the properties:
     * HubSpot returns only written properties, and the results have no other key
     */
    upsert(
      type: ObjectType,
      idProperty: string,
      inputs: readonly WriteInput[],
      signal?: AbortSignal,
    ): Promise<WriteResult[]> {
      return write(
        {
          isCreate: false,
          signal,
          keyOf: (record) => record.properties[idProperty],
          send: (api, batch) => api.upsert(type, { inputs: batch.map((row) => toUpsertInput(row, idProperty)) }),
        },
        inputs,
      );
    },

    /**
     * Checks the write scope by sending an empty batch, because HubSpot does not report the granted scopes.
     * @throws HubSpotError; status 403 without the scope
     */
    async requireWriteScope(type: ObjectType, signal?: AbortSignal): Promise<void> {
      const call = { decodeAs: 207, idempotent: true, signal } as const;
      await callSdk(transport, call, (library) => toBatchApi(library).update(type, { inputs: [] })).catch(
        (error: unknown) => {
          if (!(error instanceof HubSpotError) || !isAboutBatch(error)) throw error;
        },
      );
    },

    /** Moves records to HubSpot's recycling bin. */
    async archive(type: ObjectType, ids: readonly string[], signal?: AbortSignal): Promise<void> {
      await runConcurrently(
        splitIntoBatches([...new Set(ids)], OBJECTS_PER_BATCH),
        { concurrency, signal },
        (batch, signal) =>
          callSdk(transport, { decodeAs: 204, idempotent: true, signal }, (library) =>
            toBatchApi(library).archive(type, { inputs: batch.map((id) => ({ id })) }),
          ),
      );
    },
  };
}

/** HubSpot may reject the empty batch with any other status. These statuses are not about the batch. */
function isAboutBatch({ kind, status = 0, code }: HubSpotError): boolean {
  return kind === 'http' ? ![401, 403, ...pausingStatuses].includes(status) : code === 'UNREADABLE_ANSWER';
}

interface Operation {
  readonly isCreate: boolean;
  readonly signal: AbortSignal | undefined;
  readonly keyOf: Parameters<typeof toRowOutcomes>[2];
  readonly send: (api: BatchApi, batch: readonly SentRow[]) => Promise<unknown>;
}

function toInput({ traceId, properties }: SentRow): { objectWriteTraceId: string; properties: Record<string, string> } {
  return { objectWriteTraceId: traceId, properties: { ...properties } };
}

function toNewInput({ associations = [], ...row }: SentRow) {
  const links = associations.map(({ toId, typeId }) => ({
    to: { id: toId },
    types: [{ associationCategory: AssociationSpecAssociationCategoryEnum.HubspotDefined, associationTypeId: typeId }],
  }));
  return { ...toInput(row), associations: links };
}

/** The key is also written, so that the answer contains it. Not an email: that would make a contact's secondary address its primary one. */
function toUpsertInput(row: SentRow, idProperty: string) {
  const { objectWriteTraceId, properties } = toInput(row);
  const shown = idProperty === 'email' ? properties : { ...properties, [idProperty]: row.id };
  return { id: row.id, idProperty, objectWriteTraceId, properties: shown };
}

function toBatchApi(library: SdkLibrary): BatchApi {
  return new BatchApi(createConfiguration({ httpApi: wrapHttpLibrary(library) }));
}
