/** Something to read from, made through the interface itself. */
import { z } from 'zod';
import { demoEnrichmentRows, demoProfile, manyExclusions } from '../demo-data.ts';

interface Seeding {
  readonly seed: number;
  /** Answers requests of the organisation. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly apiKey: string;
  readonly entries: number;
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

/** To be called while everything of the organisation moves at once; a new set of resources each time. */
export async function seedOrganization({ seed, fetch, apiKey, entries, companies }: Seeding): Promise<Seeded> {
  const ask = async <T>(schema: z.ZodType<T>, method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': crypto.randomUUID() };
    const sent = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(new Request(`http://seed.invalid/api/v1${path}`, { method, headers, body: sent }));
    if (!response.ok) throw new Error(`${method} ${path} failed with status ${response.status}`);
    return schema.parse(await response.json());
  };
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
