// Clients at full speed against the rate limits of the sandbox, in virtual time.
import { sampleOf, itOfAll } from '../helpers/sample.ts';
import { createHubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import type { HubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import { HubSpotError } from '../../src/hubspot/hubspot-error.ts';
import { createHubSpotSandbox } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createVirtualClock } from './virtual-clock.ts';

/** Deterministic random numbers in [0, 1). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

interface Simulation {
  readonly clients: number;
  readonly seconds: number;
  readonly seed?: number;
  /** Delay of all clients but the first. */
  readonly lateSeconds?: number;
  readonly call?: (client: HubSpotClient) => Promise<unknown>;
  readonly plan?: 'free' | 'professional';
}

interface Arrival {
  readonly client: number;
  readonly at: number;
  readonly status: number;
  readonly path: string;
}

/** 12 callers per client without pauses, network delays of 5 to 60 ms, and answers after 20 to 250 ms. @returns the requests that arrived in the time */
async function simulate({
  clients,
  seconds,
  seed = 1,
  lateSeconds = 0,
  call = readOne,
  plan = 'professional',
}: Simulation) {
  const time = createVirtualClock();
  const sandbox = createHubSpotSandbox({ clock: () => new Date(time.clock()) });
  const { token } = sandbox.createPortal({ name: 'Test', plan });
  const random = createRandom(seed);
  const arrivals: Arrival[] = [];
  const way = () => time.sleep(5 + random() * 55);
  const callers = Array.from({ length: clients }, (_, client) => {
    const hubspot = createHubSpotClient({
      baseUrl: 'https://api.hubapi.com',
      token,
      ...time,
      async fetch(request) {
        await way();
        const at = time.seconds();
        const response = await sandbox.fetch(request);
        arrivals.push({ client, at, status: response.status, path: new URL(request.url).pathname });
        await time.sleep(20 + random() * 230);
        await way();
        return response;
      },
    });
    return Array.from({ length: 12 }, async () => {
      if (client > 0) await time.sleep(lateSeconds * 1000);
      while (time.seconds() < seconds) {
        await call(hubspot).catch((error: unknown) => {
          if (!(error instanceof HubSpotError)) throw error;
        });
      }
    });
  });
  await time.runUntil(seconds);
  await time.runUntil(seconds + 60);
  await Promise.all(callers.flat());
  return arrivals.filter(({ at }) => at < seconds);
}

const readOne = (client: HubSpotClient) => client.objects.read('companies', { ids: ['1'], properties: [] });
const readLinks = (client: HubSpotClient) => client.associations.read('contacts', 'companies', ['1']);
const searchOne = (client: HubSpotClient) => client.objects.findByDomain('companies', ['x.example'], []);

const refusedPart = (arrivals: readonly Arrival[]) =>
  arrivals.filter(({ status }) => status === 429).length / arrivals.length;

/** The share of each client in the accepted requests. */
function shares(arrivals: readonly Arrival[], clients: number): number[] {
  const passed = arrivals.filter(({ status }) => status !== 429);
  return Array.from(
    { length: clients },
    (_, client) => passed.filter((one) => one.client === client).length / passed.length,
  );
}

/** The used part of the 190 requests that the portal allows in 10 seconds. */
function utilisation(arrivals: readonly Arrival[], seconds: number): number {
  return arrivals.filter(({ status }) => status !== 429).length / (19 * seconds);
}

describe('createHubSpotClient at full speed', () => {
  // Guarantee: Rate limits are respected
  it("uses more than 92 % of the portal's rate limit", async () => {
    const arrivals = await simulate({ clients: 1, seconds: 120 });
    expect(refusedPart(arrivals)).toBe(0);
    expect(utilisation(arrivals, 120)).toBeGreaterThan(0.92);
  });

  it.each(sampleOf([1, 2], 1))(
    'shares the rate limit with another worker, with less than 1 % of requests rejected (seed %i)',
    async (seed) => {
      const arrivals = await simulate({ clients: 2, seconds: 120, seed });
      expect(refusedPart(arrivals)).toBeLessThan(0.01);
      expect(utilisation(arrivals, 120)).toBeGreaterThan(0.9);
      expect(Math.min(...shares(arrivals, 2))).toBeGreaterThan(0.4);
    },
  );

  itOfAll.each([3, 4])('shares the rate limit fairly between %i workers', async (clients) => {
    const arrivals = await simulate({ clients, seconds: 60 });
    expect(refusedPart(arrivals)).toBeLessThan(0.01);
    expect(utilisation(arrivals, 60)).toBeGreaterThan(0.9);
    expect(Math.min(...shares(arrivals, clients))).toBeGreaterThan(0.8 / clients);
  });

  itOfAll('leaves a fair share to a worker that starts later', async () => {
    const arrivals = await simulate({ clients: 2, seconds: 90, lateSeconds: 30 });
    expect(refusedPart(arrivals)).toBeLessThan(0.01);
    const afterwards = arrivals.filter(({ at }) => at >= 50);
    expect(Math.min(...shares(afterwards, 2))).toBeGreaterThan(0.4);
  });

  // Guarantee: Rate limits are respected
  it('sends four searches per second, and never more than five', async () => {
    const arrivals = await simulate({ clients: 1, seconds: 60, call: searchOne });
    expect(refusedPart(arrivals)).toBe(0);
    expect(arrivals.length).toBeGreaterThan(60 * 3.9);
    for (const { at } of arrivals) {
      expect(arrivals.filter((other) => other.at >= at && other.at < at + 1).length).toBeLessThanOrEqual(5);
    }
  });

  // On the plan free both limits are 100: a single client sees no difference to one common limit, and keeps its calls below that.
  const plans = [
    ['free', 480],
    ['professional', 1_600],
  ] as const;
  itOfAll.each(plans)('keeps the own limit of associations on the plan %s', async (plan, atLeast) => {
    let calls = 0;
    const call = (client: HubSpotClient) => ((calls += 1) % 2 === 0 ? readOne(client) : readLinks(client));
    const arrivals = await simulate({ clients: 1, seconds: 120, call, plan });
    expect(refusedPart(arrivals)).toBe(0);
    const links = arrivals.filter(({ path }) => path.includes('/associations/'));
    expect(links.length).toBeGreaterThan(atLeast);
  });

  itOfAll('shares the search limit with another worker, although no header states it', async () => {
    const arrivals = await simulate({ clients: 2, seconds: 300, call: searchOne });
    expect(refusedPart(arrivals)).toBeLessThan(0.01);
    expect(arrivals.length).toBeGreaterThan(300 * 3.5);
  });
});
