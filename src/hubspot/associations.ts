import {
  BatchApi,
  createConfiguration,
  wrapHttpLibrary,
} from '@hubspot/api-client/lib/codegen/crm/associations/v4/index.js';
import { z } from 'zod';

import { toChunks } from './batches.ts';
import { toErrorFacts } from './error-facts.ts';
import { HubSpotError } from './error.ts';
import { sendInHalves } from './halving.ts';
import type { FailedRow } from './halving.ts';
import { idSchema } from './record.ts';
import type { ObjectType } from './record.ts';
import { callSdk } from './sdk.ts';
import type { Answered, SdkLibrary } from './sdk.ts';
import type { Transport } from './transport.ts';

export interface AssociationPair {
  readonly fromId: string;
  readonly toId: string;
}

export type AssociateResult = { readonly ok: true } | FailedRow;

/** Documented for reads; for writes 2,000 is heard of, not documented. */
const PAIRS_PER_BATCH = 1000;

const endSchema = z.object({ id: idSchema });

const writeAnswerSchema = z.object({
  results: z.array(z.object({ _from: endSchema, to: endSchema })),
  errors: z.array(z.unknown()).optional(),
});

const readAnswerSchema = z.object({
  results: z.array(
    z.object({
      _from: endSchema,
      to: z.array(z.object({ toObjectId: idSchema })),
      paging: z.object({ next: z.object({ after: z.string() }).optional() }).optional(),
    }),
  ),
  errors: z.array(z.unknown()).optional(),
});

export function createAssociations(transport: Transport) {
  async function sendPairs(
    from: ObjectType,
    to: ObjectType,
    keys: readonly string[],
    pairs: ReadonlyMap<string, AssociationPair>,
    signal: AbortSignal | undefined,
  ): Promise<Map<string, AssociateResult>> {
    const inputs = keys.flatMap((key) => pairs.get(key) ?? []);
    const answered = await callSdk(transport, { decodeAs: 200, idempotent: true, signal }, async (library) =>
      writeAnswerSchema.parse(
        await toBatchApi(library).createDefault(from, to, {
          inputs: inputs.map(({ fromId, toId }) => ({ _from: { id: fromId }, to: { id: toId } })),
        }),
      ),
    );
    return toOutcomes(keys, answered);
  }

  return {
    /**
     * Links pairs with the unlabelled default type; a link that exists stays as it is.
     * @returns result i belongs to pair i
     * @throws HubSpotError as batch writes do; to call again is safe
     */
    async associate(
      from: ObjectType,
      to: ObjectType,
      pairs: readonly AssociationPair[],
      signal?: AbortSignal,
    ): Promise<AssociateResult[]> {
      const byKey = new Map(pairs.map((pair) => [toKey(pair), pair]));
      const outcomes = new Map<string, AssociateResult>();
      for (const batch of toChunks([...byKey.keys()], PAIRS_PER_BATCH)) {
        const sent = await sendInHalves(batch, (keys) => sendPairs(from, to, keys, byKey, signal));
        for (const [key, outcome] of sent) outcomes.set(key, outcome);
      }
      return pairs.map((pair) => outcomes.get(toKey(pair)) ?? { ok: true });
    },

    /** @returns ids of the linked records for each id that has any */
    async read(
      from: ObjectType,
      to: ObjectType,
      ids: readonly string[],
      signal?: AbortSignal,
    ): Promise<Map<string, string[]>> {
      const linked = new Map<string, Set<string>>();
      // A record with more links than a page holds is asked for again behind its cursor.
      let open = [...new Set(ids)].map((id): { id: string; after?: string } => ({ id }));
      while (open.length > 0) {
        const inputs = open.slice(0, PAIRS_PER_BATCH);
        const answered = await callSdk(transport, { decodeAs: 207, idempotent: true, signal }, async (library) =>
          readAnswerSchema.parse(await toBatchApi(library).getPage(from, to, { inputs })),
        );
        throwUnlessOnlyMissing(answered);
        open = open.slice(PAIRS_PER_BATCH);
        for (const { _from, to: ends, paging } of answered.value.results) {
          const known = linked.get(_from.id) ?? new Set();
          linked.set(_from.id, known);
          for (const { toObjectId } of ends) known.add(toObjectId);
          if (paging?.next !== undefined) open.push({ id: _from.id, after: paging.next.after });
        }
      }
      return new Map([...linked].map(([id, known]) => [id, [...known]]));
    },
  };
}

function toBatchApi(library: SdkLibrary): BatchApi {
  return new BatchApi(createConfiguration({ httpApi: wrapHttpLibrary(library) }));
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
  const linked = new Set(results.map(({ _from, to }) => toKey({ fromId: _from.id, toId: to.id })));
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
