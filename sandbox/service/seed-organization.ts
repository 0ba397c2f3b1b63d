/** Creates example data through the interface of the service. */
import { setImmediate as immediate } from 'node:timers/promises';
import { z } from 'zod';
import { scopes } from '../../src/service/contract/index.ts';
import { demoEnrichmentRows, demoProfile, manyExclusions } from '../generated-data/demo-data.ts';
import { Refusal } from '../service-refusal.ts';
import type { Caller } from '../state/stored-records.ts';

export interface SeedSize {
  /** Number of blacklist entries. */
  readonly entries: number;
  /** Number of companies in the discovery order. */
  readonly companies: number;
}

export interface Seeded {
  readonly blacklist_id: string;
  readonly profile_id: string;
  readonly discovery_order_id: string;
  readonly enrichment_order_id: string;
}

const blacklistSchema = z.looseObject({ id: z.string() });
const creationSchema = z.looseObject({ profile_creation_id: z.string() });
const succeededSchema = z.looseObject({ profile_id: z.string() });
const orderSchema = z.looseObject({ order_id: z.string() });

const entriesPerRequest = 10_000;

interface SeedingDependencies {
  readonly seed: number;
  /** Bypasses faults and journal, because no client sent the request. */
  readonly answer: (request: Request, caller: Caller) => Promise<Response>;
  readonly currentGeneration: () => number;
}

/** Creates new resources with each call. Throws a Refusal (409) if the sandbox was reset or restored meanwhile. */
export async function seedOrganization(
  organizationId: string,
  size: SeedSize,
  { seed, answer, currentGeneration }: SeedingDependencies,
): Promise<Seeded> {
  const generation = currentGeneration();
  // Not a stored key, so no snapshot contains it.
  const caller: Caller = {
    keyId: 'seed',
    organizationId,
    scopes,
    expiresAt: null,
    revoked: false,
    progression: { after_seconds: 0 },
  };
  const ask: CallService = async (schema, method, path, body) => {
    // Lets other requests be answered in between.
    await immediate();
    if (currentGeneration() !== generation) throw abandoned();
    const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
    const sent = body === undefined ? null : JSON.stringify(body);
    const init = { method, headers, ...(sent === null ? {} : { body: sent }) };
    const request = new Request(`http://seed.invalid/api/v1${path}`, init);
    const response = await answer(request, caller);
    if (!response.ok) throw new Error(`${method} ${path} failed with status ${response.status}`);
    return schema.parse(await response.json());
  };
  return seedResources(seed, ask, size);
}

type CallService = <T>(schema: z.ZodType<T>, method: string, path: string, body?: unknown) => Promise<T>;

function abandoned(): Refusal {
  return new Refusal(409, {
    code: 'SEEDING_ABANDONED',
    message: 'The sandbox was reset or restored while it was seeded.',
  });
}

async function seedResources(seed: number, ask: CallService, { entries, companies }: SeedSize): Promise<Seeded> {
  const { id: blacklist_id } = await ask(blacklistSchema, 'POST', '/blacklists', { name: 'Exclusions' });
  for (let from = 0; from < entries; from += entriesPerRequest) {
    const page = manyExclusions(seed, from, Math.min(entries - from, entriesPerRequest));
    await ask(z.unknown(), 'POST', `/blacklists/${blacklist_id}/entries`, { entries: page });
  }
  const { profile_creation_id } = await ask(creationSchema, 'POST', '/search-profile-creations', demoProfile);
  const { profile_id } = await ask(succeededSchema, 'GET', `/search-profile-creations/${profile_creation_id}`);
  const order = async (fields: object) =>
    (await ask(orderSchema, 'POST', '/orders', { profile_id, ...fields })).order_id;
  return {
    blacklist_id,
    profile_id,
    discovery_order_id: await order({
      order_type: 'DISCOVERY',
      title: 'Discovery',
      briefing_quantity: companies,
      blacklist_ids: [blacklist_id],
    }),
    enrichment_order_id: await order({
      order_type: 'ENRICHMENT',
      title: 'Enrichment',
      companies: demoEnrichmentRows(seed),
    }),
  };
}
