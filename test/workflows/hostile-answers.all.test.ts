// A service that sends words without end and characters that no database stores: the order is collected, proved and reported.
import { randomUUID } from 'node:crypto';
import { digest } from '../../src/base/json/canonical-json.ts';
import { startIngest, startRun } from '../../src/worker/start-workflows.ts';
import { discoveryPlan, startPipeline } from '../helpers/pipeline.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';

type Fetch = (request: Request) => Promise<Response>;
type Json = Record<string, unknown>;

const endless = 'A'.repeat(2_200_000);
const slots = 130;
const strangers = 110;

/** Unknown words of every kind, 110 of each, one of each kind longer than the 2 MiB of a Temporal payload. */
function distort(slot: Json, position: number): Json {
  if (position >= strangers) return slot;
  const word = position === 0 ? endless : `WORD_${position}`;
  const changed = { ...slot, status: word, reason_codes: [word], [`${word}_FIELD`]: word };
  if (position !== 2) return changed;
  const company = { ...(slot['company'] as Json), name: 'No\0rd\uD800wind', 'ke\0y': ['\uDFFF'] };
  return { ...changed, company };
}

/** The first answer about an order has a status of the same length, the later ones features without end. */
function createHostileService() {
  let asked = 0;
  return (fetch: Fetch): Fetch =>
    async (request) => {
      const answer = await fetch(request);
      const { pathname, searchParams } = new URL(request.url);
      if (!answer.ok || request.method !== 'GET' || !pathname.startsWith('/api/v1/orders/')) return answer;
      const body = (await answer.json()) as Json;
      if (pathname.endsWith('/results')) {
        const offset = Number(searchParams.get('offset'));
        const items = (body['items'] as Json[]).map((slot, index) => distort(slot, offset + index));
        return Response.json({ ...body, items });
      }
      asked += 1;
      const features = [endless, ...Array.from({ length: 300 }, (_, index) => `FEATURE_${index}`)];
      return Response.json({ ...body, features, ...(asked <= 2 ? { status: endless } : {}) });
    };
}

let temporal: TemporalTestServer;
let postgres: PostgresServer | undefined;
beforeAll(async () => {
  temporal = await startTemporal();
  if (hasPostgres()) postgres = await startPostgres();
});
afterAll(async () => {
  await postgres?.stop();
  await temporal?.stop();
});

// Guarantee: No text from outside stops a worker
describe('ingestOrder with a hostile service', () => {
  it.each(hasPostgres() ? ['SQLite', 'PostgreSQL'] : ['SQLite'])(
    'shortens texts and replaces characters, with a ledger in %s',
    async (database) => {
      const ledger =
        database === 'SQLite' || postgres === undefined
          ? {}
          : { ledger: { databaseUrl: await postgres.createSchema() } };
      const queue = `hostile-${randomUUID()}`;
      const pipeline = await startPipeline(temporal, { throughService: createHostileService(), queue, ...ledger });
      try {
        const plan = discoveryPlan(pipeline.folder, {
          runName: `hostile-${database.toLowerCase()}`,
          briefingQuantity: slots,
          title: 'A\0\uD800 title',
        });
        const { handle } = await startRun(pipeline.client, plan, { label: 'once', queue });
        const { order } = await handle.result();
        expect(Buffer.byteLength(JSON.stringify(order))).toBeLessThan(50_000);
        const { byStatus, byReason, unknown, findings, orderId } = order;
        for (const tally of [byStatus, byReason, unknown]) {
          expect(Object.keys(tally).length).toBeLessThanOrEqual(110);
          // Unknown words are named with their field.
          expect(Object.keys(tally).filter((word) => word.replace(/^[a-z_[\]]+=/, '').length > 60)).toEqual([]);
          expect(tally['others']).toBeGreaterThan(0);
        }
        expect(byStatus).toMatchObject({ ENRICHED: slots - strangers });
        expect(Object.values(byStatus).reduce((sum, count) => sum + count)).toBe(slots);
        expect(findings).toContainEqual({ code: 'characters_replaced', count: 1, positions: [2] });
        expect(findings.map(({ code }) => code)).not.toContain('slot_differs');

        const [first, , third] = await pipeline.ledger.slots.read(orderId, { from: 0, to: 3 });
        expect(JSON.parse(first?.json ?? '')).toMatchObject({ status: endless, reason_codes: [endless] });
        expect(first).toMatchObject({ status: `${'A'.repeat(59)}…`, reasonCodes: [`${'A'.repeat(59)}…`] });
        expect(JSON.parse(third?.json ?? '')).toMatchObject({
          company: { name: 'No\uFFFDrd\uFFFDwind', 'ke\uFFFDy': ['\uFFFD'] },
        });
        expect(third?.hash).toBe(digest(JSON.parse(third?.json ?? '')));

        // The same answers again are the same slots.
        const again = await startIngest(
          pipeline.client,
          { orderId, runName: plan.runName, delivery: plan.delivery },
          queue,
        );
        expect((await again.handle.result()).findings).toEqual(order.findings);
      } finally {
        await pipeline.stop();
      }
    },
  );
});
