import {
  AssociationSpecAssociationCategoryEnum,
  BatchApi,
  createConfiguration,
  wrapHttpLibrary,
} from '@hubspot/api-client/lib/codegen/crm/associations/v4/index.js';
import { z } from 'zod';

import { associationCategories, isSameType } from './association-types.ts';
import type { LinkType } from './association-types.ts';
import { splitIntoBatches } from './split-batches.ts';
import { toErrorFacts } from './error-facts.ts';
import { HubSpotError } from './hubspot-error.ts';
import { sendWithBisect } from './bisect.ts';
import type { FailedRow } from './bisect.ts';
import { runConcurrently } from './run-concurrently.ts';
import { idSchema } from './hubspot-record.ts';
import type { ObjectType, ReadableType } from './hubspot-record.ts';
import { callSdk } from './call-sdk.ts';
import type { Answered, SdkCall, SdkLibrary } from './call-sdk.ts';
import type { Transport } from './hubspot-transport.ts';

export interface AssociationPair {
  readonly fromId: string;
  readonly toId: string;
}

export interface LabelledPair extends AssociationPair {
  readonly types: readonly LinkType[];
}

/** A record at the other end, with every type of the link: of an unlabelled one it is HubSpot's default. */
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

/** Documented for reads; for writes 2,000 is heard of, not documented. */
const PAIRS_PER_BATCH = 1000;

interface PageInput {
  id: string;
  after?: string;
}

const endSchema = z.object({ id: idSchema });

// A default link names its ends by objects, a labelled one by ids.
const writtenSchema = z.union([
  z.object({ _from: endSchema, to: endSchema }).transform(({ _from, to }) => ({ fromId: _from.id, toId: to.id })),
  z
    .object({ fromObjectId: idSchema, toObjectId: idSchema })
    .transform(({ fromObjectId, toObjectId }) => ({ fromId: fromObjectId, toId: toObjectId })),
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
    call: Pick<SdkCall, 'decodeAs' | 'signal'>,
    send: (api: BatchApi, piece: readonly Pair[]) => Promise<unknown>,
  ): Promise<AssociateResult[]> {
    const byKey = new Map(pairs.map((pair) => [toKey(pair), pair]));
    const sendPiece = async (keys: readonly string[], signal: AbortSignal) => {
      const piece = keys.flatMap((key) => byKey.get(key) ?? []);
      const answered = await callSdk(transport, { ...call, idempotent: true, signal }, async (library) =>
        writeAnswerSchema.parse(await send(toBatchApi(library), piece)),
      );
      return toOutcomes(keys, answered);
    };
    const batches = splitIntoBatches([...byKey.keys()], PAIRS_PER_BATCH);
    const sent = await runConcurrently(batches, { concurrency, signal: call.signal }, (batch, signal) =>
      sendWithBisect(batch, (keys) => sendPiece(keys, signal)),
    );
    const outcomes = new Map(sent.flatMap((batch) => [...batch]));
    return pairs.map((pair) => {
      const outcome = outcomes.get(toKey(pair));
      if (outcome === undefined) throw new RangeError('a link was sent and its outcome lost');
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
     * Links pairs with the unlabelled default type; a link that exists stays as it is.
     * @returns result i belongs to pair i
     * @throws HubSpotError as batch writes do; to call again is safe
     */
    associate(
      from: ObjectType,
      to: ObjectType,
      pairs: readonly AssociationPair[],
      signal?: AbortSignal,
    ): Promise<AssociateResult[]> {
      return write(pairs, { decodeAs: 200, signal }, (api, piece) =>
        api.createDefault(from, to, { inputs: piece.map((pair) => toEnds(pair)) }),
      );
    },

    /**
     * Gives each pair exactly these types of link: name the ones that are to stay as well. Of a pair that is there twice the last one counts.
     * @returns result i belongs to link i
     * @throws HubSpotError as batch writes do; to call again is safe
     */
    label(
      from: ObjectType,
      to: ObjectType,
      links: readonly LabelledPair[],
      signal?: AbortSignal,
    ): Promise<AssociateResult[]> {
      return write(links, { decodeAs: 207, signal }, (api, piece) =>
        api.create(from, to, {
          inputs: piece.map(({ types, ...ends }) => ({
            ...toEnds(ends),
            types: types.map(({ category, typeId }) => ({
              associationCategory: sdkCategories[category],
              associationTypeId: typeId,
            })),
          })),
        }),
      );
    },

    /** @returns the linked records of each id that has any */
    async read(
      from: ReadableType,
      to: ReadableType,
      ids: readonly string[],
      signal?: AbortSignal,
    ): Promise<Map<string, LinkedRecord[]>> {
      const linked = new Map<string, Map<string, LinkType[]>>();
      // A record with more links than a page holds is asked for again behind its cursor.
      let open = [...new Set(ids)].map((id): PageInput => ({ id }));
      while (open.length > 0) {
        const pages = await runConcurrently(
          splitIntoBatches(open, PAIRS_PER_BATCH),
          { concurrency, signal },
          (inputs, signal) => readPage(from, to, inputs, signal),
        );
        open = [];
        for (const { _from, to: ends, paging } of pages.flat()) {
          const known = linked.get(_from.id) ?? new Map<string, LinkType[]>();
          linked.set(_from.id, known);
          for (const { toObjectId, associationTypes } of ends) {
            const types = known.get(toObjectId) ?? [];
            const more = associationTypes.filter((type) => !types.some((other) => isSameType(type, other)));
            known.set(toObjectId, [...types, ...more]);
          }
          if (paging?.next !== undefined) open.push({ id: _from.id, after: paging.next.after });
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

/** Errors of this call do not say which pair they are about: what is not among the results has the first of them. */
function toOutcomes(
  keys: readonly string[],
  { value: { results, errors = [] }, request }: Answered<z.infer<typeof writeAnswerSchema>>,
): Map<string, AssociateResult> {
  const [error] = errors;
  if (error === undefined) return new Map(keys.map((key) => [key, { ok: true }]));
  const failed = { ok: false, error: new HubSpotError({ ...toErrorFacts(error), ...request, kind: 'http' }) } as const;
  const linked = new Set(results.map(toKey));
  return new Map(keys.map((key) => [key, linked.has(key) ? { ok: true } : failed]));
}

/** Records without links are told as errors. */
function throwUnlessOnlyMissing({ value, request }: Answered<z.infer<typeof readAnswerSchema>>): void {
  for (const error of value.errors ?? []) {
    const facts = toErrorFacts(error);
    const isMissing = facts.category === 'OBJECT_NOT_FOUND' || facts.code?.endsWith('NO_ASSOCIATIONS_FOUND') === true;
    if (!isMissing) throw new HubSpotError({ ...facts, ...request, kind: 'http' });
  }
}
