import { BatchApi, createConfiguration, wrapHttpLibrary } from '@hubspot/api-client/lib/codegen/crm/objects/index.js';

import { splitIntoBatches, splitIntoRounds } from './split-batches.ts';
import { HubSpotError } from './hubspot-error.ts';
import { sendWithBisect } from './bisect.ts';
import { runConcurrently } from './run-concurrently.ts';
import { toComparable } from './hubspot-record.ts';
import type { ObjectType } from './hubspot-record.ts';
import { batchAnswerSchema, toRowOutcomes } from './batch-write-results.ts';
import type { SentRow, WriteResult } from './batch-write-results.ts';
import { callSdk } from './call-sdk.ts';
import type { SdkLibrary } from './call-sdk.ts';
import type { Transport } from './hubspot-transport.ts';

export interface CreateInput {
  readonly properties: Readonly<Record<string, string>>;
  /** Shown in HubSpot's errors and change history; one that another input of the call has too is replaced by the client's own. */
  readonly traceId?: string | undefined;
}

export interface WriteInput extends CreateInput {
  /** A record id for updates, a value of the idProperty for upserts. Repeated ones are written in order: the last wins. */
  readonly id: string;
}

/** All batch operations on objects. */
export const OBJECTS_PER_BATCH = 100;

/**
 * Batch writes in which no row costs another one: result i belongs to input i, and a refused row is a result with its error.
 * They throw HubSpotError when a batch could not be sent or is refused for what is not a row (401, 403, 429, 5xx, no answer); batches before it
 * and beside it may be written then. To call update, upsert or archive again is safe; after a create that threw, read back first.
 * @param newId a value that no other call has; trace ids derive from it, since without a unique one on each input one bad row refuses all 100
 */
export function createObjectWrites(
  transport: Transport,
  { newId, concurrency }: { newId: () => string; concurrency: number },
) {
  async function write(operation: Operation, inputs: readonly (CreateInput & { id?: string })[]) {
    const call = newId();
    const given = new Set<string>();
    const rows = inputs.map(({ id, properties, traceId }, index): SentRow => {
      const key = id === undefined ? undefined : toComparable(id);
      const isOwn = traceId === undefined || given.has(traceId);
      if (traceId !== undefined) given.add(traceId);
      return { traceId: isOwn ? `${call}-${index}` : traceId, id: id ?? '', key, properties };
    });
    const outcomes = new Map<SentRow, WriteResult>();
    for (const round of splitIntoRounds(rows, (row) => row.key, OBJECTS_PER_BATCH)) {
      const sent = await runConcurrently(round, { concurrency, signal: operation.signal }, (batch, signal) =>
        sendWithBisect(batch, (piece) => sendPiece({ ...operation, signal }, piece)),
      );
      for (const [row, outcome] of sent.flatMap((batch) => [...batch])) outcomes.set(row, outcome);
    }
    return rows.map((row) => {
      const outcome = outcomes.get(row);
      if (outcome === undefined) throw new RangeError('a row was sent and its outcome lost');
      return outcome;
    });
  }

  async function sendPiece({ isCreate, signal, keyOf, send }: Operation, piece: readonly SentRow[]) {
    const answered = await callSdk(transport, { decodeAs: 207, idempotent: !isCreate, signal }, async (library) =>
      batchAnswerSchema.parse(await send(toBatchApi(library), piece)),
    );
    return toRowOutcomes(piece, answered, keyOf, isCreate);
  }

  return {
    create(type: ObjectType, inputs: readonly CreateInput[], signal?: AbortSignal): Promise<WriteResult[]> {
      return write(
        {
          isCreate: true,
          signal,
          keyOf: () => undefined,
          send: (api, piece) => api.create(type, { inputs: piece.map((row) => toInput(row)) }),
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
          send: (api, piece) => api.update(type, { inputs: piece.map((row) => ({ ...toInput(row), id: row.id })) }),
        },
        inputs,
      );
    },

    /**
     * @param idProperty a property with unique values; `domain` of companies is none. Put `email` among the properties of an upsert by email:
     * an answer shows what was written, and nothing else tells its results apart
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
          send: (api, piece) => api.upsert(type, { inputs: piece.map((row) => toUpsertInput(row, idProperty)) }),
        },
        inputs,
      );
    },

    /**
     * Writes nothing: HubSpot tells nobody which scopes a token holds, so that a batch without records is sent.
     * @throws HubSpotError; status 403 when the token may not write records of this type. Every answer about the batch itself means that it may
     */
    async requireWriteScope(type: ObjectType, signal?: AbortSignal): Promise<void> {
      const call = { decodeAs: 207, idempotent: true, signal } as const;
      await callSdk(transport, call, (library) => toBatchApi(library).update(type, { inputs: [] })).catch(
        (error: unknown) => {
          if (!(error instanceof HubSpotError) || !isAboutBatch(error)) throw error;
        },
      );
    },

    /** Puts records into HubSpot's recycling bin. */
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

/** An empty batch may be refused in any way; not so the token, and a limit says nothing of either. */
function isAboutBatch({ kind, status = 0, code }: HubSpotError): boolean {
  return kind === 'http' ? ![401, 403, 423, 429, 477].includes(status) : code === 'UNREADABLE_ANSWER';
}

interface Operation {
  readonly isCreate: boolean;
  readonly signal: AbortSignal | undefined;
  readonly keyOf: Parameters<typeof toRowOutcomes>[2];
  readonly send: (api: BatchApi, piece: readonly SentRow[]) => Promise<unknown>;
}

function toInput({ traceId, properties }: SentRow): { objectWriteTraceId: string; properties: Record<string, string> } {
  return { objectWriteTraceId: traceId, properties: { ...properties } };
}

/** The key is written along so that the answer shows it. Not so an email: that would make a contact's secondary address its primary one. */
function toUpsertInput(row: SentRow, idProperty: string) {
  const { objectWriteTraceId, properties } = toInput(row);
  const shown = idProperty === 'email' ? properties : { ...properties, [idProperty]: row.id };
  return { id: row.id, idProperty, objectWriteTraceId, properties: shown };
}

function toBatchApi(library: SdkLibrary): BatchApi {
  return new BatchApi(createConfiguration({ httpApi: wrapHttpLibrary(library) }));
}
