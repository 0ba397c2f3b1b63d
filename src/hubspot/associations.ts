import {
  AssociationSpecAssociationCategoryEnum,
  BatchApi,
  createConfiguration,
  wrapHttpLibrary,
} from '@hubspot/api-client/lib/codegen/crm/associations/v4/index.js';
import { z } from 'zod';

import { idSchema, type ObjectType, type ReadableType } from './hubspot-record.ts';
import { splitIntoBatches, sendWithBisect, type FailedRow, runConcurrently } from './batch-requests.ts';
import { toErrorFacts } from './error-facts.ts';
import { HubSpotError } from './hubspot-error.ts';
import { callSdk } from './call-sdk.ts';
import type { Answered, SdkCall, SdkLibrary } from './call-sdk.ts';
import type { Transport } from './hubspot-transport.ts';

const associationCategories = ['HUBSPOT_DEFINED', 'USER_DEFINED', 'INTEGRATOR_DEFINED'] as const;

/** Only category and id together identify a type: user-defined labels are numbered from 1 too. */
export interface LinkType {
  readonly category: (typeof associationCategories)[number];
  readonly typeId: number;
}

export const contactToPrimaryCompany: LinkType = { category: 'HUBSPOT_DEFINED', typeId: 1 };

export function isSameType(a: LinkType, b: LinkType): boolean {
  return a.category === b.category && a.typeId === b.typeId;
}

export interface AssociationPair {
  readonly fromId: string;
  readonly toId: string;
}

export interface LabelledPair extends AssociationPair {
  readonly types: readonly LinkType[];
}

/** An associated record with all types of the association; an unlabelled one has HubSpot's default type. */
export interface LinkedRecord {
  readonly id: string;
  readonly types: readonly LinkType[];
}

export type AssociateResult = { readonly ok: true } | FailedRow;

const sdkCategories = {
  HUBSPOT_DEFINED: AssociationSpecAssociationCategoryEnum.HubspotDefined,
  USER_DEFINED: AssociationSpecAssociationCategoryEnum.UserDefined,
  INTEGRATOR_DEFINED: AssociationSpecAssociationCategoryEnum.IntegratorDefined,
} as const satisfies Record<LinkType['category'], AssociationSpecAssociationCategoryEnum>;

/** The documented limit of reads; writes allow 2,000. */
const PAIRS_PER_BATCH = 1000;

interface PageInput {
  id: string;
  after?: string;
}

const endSchema = z.object({ id: idSchema });

/** Types of default associations, by the types of their ends. */
const defaultTypes: Readonly<Record<string, number>> = { 'contacts>companies': 279, 'companies>contacts': 280 };

// HubSpot returns the ends of a default association as objects, those of a labelled one as ids.
const writtenSchema = z.union([
  z
    .object({
      _from: endSchema,
      to: endSchema,
      associationSpec: z.object({ associationTypeId: z.number() }).optional().catch(undefined),
    })
    .transform(({ _from, to, associationSpec }) => ({
      fromId: _from.id,
      toId: to.id,
      typeId: associationSpec?.associationTypeId,
    })),
  z
    .object({ fromObjectId: idSchema, toObjectId: idSchema })
    .transform(({ fromObjectId, toObjectId }) => ({ fromId: fromObjectId, toId: toObjectId, typeId: undefined })),
]);
const writeAnswerSchema = z.object({ results: z.array(writtenSchema), errors: z.array(z.unknown()).optional() });

const readAnswerSchema = z.object({
  results: z.array(
    z.object({
      _from: endSchema,
      to: z.array(
        z.object({
          toObjectId: idSchema,
          associationTypes: z
            .array(z.object({ category: z.enum(associationCategories), typeId: z.number() }))
            .default([]),
        }),
      ),
      paging: z.object({ next: z.object({ after: z.string() }).optional() }).optional(),
    }),
  ),
  errors: z.array(z.unknown()).optional(),
});

export function createAssociations(transport: Transport, concurrency: number) {
  async function write<Pair extends AssociationPair>(
    pairs: readonly Pair[],
    call: Pick<SdkCall, 'decodeAs' | 'signal'> & { readonly inverse?: number | undefined },
    send: (api: BatchApi, batch: readonly Pair[]) => Promise<unknown>,
  ): Promise<AssociateResult[]> {
    const byKey = new Map(pairs.map((pair) => [toKey(pair), pair]));
    const sendBatch = async (keys: readonly string[], signal: AbortSignal) => {
      const part = keys.flatMap((key) => byKey.get(key) ?? []);
      const { decodeAs } = call;
      const answered = await callSdk(transport, { decodeAs, idempotent: true, signal }, async (library) =>
        writeAnswerSchema.parse(await send(toBatchApi(library), part)),
      );
      return toOutcomes(keys, answered, call.inverse);
    };
    const batches = splitIntoBatches([...byKey.keys()], PAIRS_PER_BATCH);
    const sent = await runConcurrently(batches, { concurrency, signal: call.signal }, (batch, signal) =>
      sendWithBisect(batch, (keys) => sendBatch(keys, signal)),
    );
    const outcomes = new Map(sent.flatMap((batch) => [...batch]));
    return pairs.map((pair) => {
      const outcome = outcomes.get(toKey(pair));
      if (outcome === undefined) throw new RangeError('an association was sent, but has no outcome');
      return outcome;
    });
  }

  async function readPage(from: ReadableType, to: ReadableType, inputs: PageInput[], signal: AbortSignal) {
    const answered = await callSdk(transport, { decodeAs: 207, idempotent: true, signal }, async (library) =>
      readAnswerSchema.parse(await toBatchApi(library).getPage(from, to, { inputs })),
    );
    throwUnlessOnlyMissing(answered);
    return answered.value.results;
  }

  return {
    /**
     * Associates pairs with the unlabelled default type; existing associations are unchanged.
     * @returns result i belongs to pair i
     * @throws HubSpotError as batch writes do; the call can be repeated
     */
    associate(
      from: ObjectType,
      to: ObjectType,
      pairs: readonly AssociationPair[],
      signal?: AbortSignal,
    ): Promise<AssociateResult[]> {
      const inverse = from === to ? undefined : defaultTypes[`${to}>${from}`];
      return write(pairs, { decodeAs: 200, signal, inverse }, (api, batch) =>
        api.createDefault(from, to, { inputs: batch.map((pair) => toEnds(pair)) }),
      );
    },

    /**
     * Replaces the types of each association: include those to keep. The last one of a repeated pair wins.
     * @returns result i belongs to link i
     * @throws HubSpotError as batch writes do; the call can be repeated
     */
    label(
      from: ObjectType,
      to: ObjectType,
      links: readonly LabelledPair[],
      signal?: AbortSignal,
    ): Promise<AssociateResult[]> {
      return write(links, { decodeAs: 207, signal }, (api, batch) =>
        api.create(from, to, {
          inputs: batch.map(({ types, ...ends }) => ({
            ...toEnds(ends),
            types: types.map(({ category, typeId }) => ({
              associationCategory: sdkCategories[category],
              associationTypeId: typeId,
            })),
          })),
        }),
      );
    },

    /** @returns the associated records by id; ids without any are absent */
    async read(
      from: ReadableType,
      to: ReadableType,
      ids: readonly string[],
      signal?: AbortSignal,
    ): Promise<Map<string, LinkedRecord[]>> {
      const linked = new Map<string, Map<string, LinkType[]>>();
      // Records with more associations than fit into a page are read again with their cursor.
      let remaining = [...new Set(ids)].map((id): PageInput => ({ id }));
      while (remaining.length > 0) {
        const pages = await runConcurrently(
          splitIntoBatches(remaining, PAIRS_PER_BATCH),
          { concurrency, signal },
          (inputs, signal) => readPage(from, to, inputs, signal),
        );
        remaining = [];
        for (const { _from, to: ends, paging } of pages.flat()) {
          const known = linked.get(_from.id) ?? new Map<string, LinkType[]>();
          linked.set(_from.id, known);
          for (const { toObjectId, associationTypes } of ends) {
            const types = known.get(toObjectId) ?? [];
            const more = associationTypes.filter((type) => !types.some((other) => isSameType(type, other)));
            known.set(toObjectId, [...types, ...more]);
          }
          if (paging?.next !== undefined) remaining.push({ id: _from.id, after: paging.next.after });
        }
      }
      return new Map([...linked].map(([id, known]) => [id, [...known].map(([to, types]) => ({ id: to, types }))]));
    },
  };
}

function toBatchApi(library: SdkLibrary): BatchApi {
  return new BatchApi(createConfiguration({ httpApi: wrapHttpLibrary(library) }));
}

function toEnds({ fromId, toId }: AssociationPair) {
  return { _from: { id: fromId }, to: { id: toId } };
}

function toKey({ fromId, toId }: AssociationPair): string {
  return `${fromId}>${toId}`;
}

/**
 * HubSpot's errors do not name their pair: every pair without a result gets the first error. A default association has a second result
 * of type `inverse` with its ends exchanged, which is no result of another pair: a contact and a company may have the same id.
 */
function toOutcomes(
  keys: readonly string[],
  { value: { results, errors = [] }, request }: Answered<z.infer<typeof writeAnswerSchema>>,
  inverse: number | undefined,
): Map<string, AssociateResult> {
  const [error] = errors;
  if (error === undefined) return new Map(keys.map((key) => [key, { ok: true }]));
  const failed = { ok: false, error: new HubSpotError({ ...toErrorFacts(error), ...request, kind: 'http' }) } as const;
  const linked = new Set(results.filter(({ typeId }) => typeId === undefined || typeId !== inverse).map(toKey));
  return new Map(keys.map((key) => [key, linked.has(key) ? { ok: true } : failed]));
}

/** HubSpot returns an error for each record without associations. */
function throwUnlessOnlyMissing({ value, request }: Answered<z.infer<typeof readAnswerSchema>>): void {
  for (const error of value.errors ?? []) {
    const facts = toErrorFacts(error);
    const isMissing = facts.category === 'OBJECT_NOT_FOUND' || facts.code?.endsWith('NO_ASSOCIATIONS_FOUND') === true;
    if (!isMissing) throw new HubSpotError({ ...facts, ...request, kind: 'http' });
  }
}
