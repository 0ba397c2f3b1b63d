import type { Usage } from '../../../src/hubspot/request-queue.ts';
import { LedgerError } from '../../../src/ledger/ledger-error.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { createMetrics } from '../../../src/worker/telemetry/metrics.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const call = { system: 'service', method: 'GET', route: '/api/v1/orders/{id}' } as const;

function sourcesOf(usage: Partial<Usage>, oldest: string | null = null) {
  return {
    ledger: {
      orders: { open: () => Promise.resolve({ count: oldest === null ? 0 : 2, oldest }) },
      condition: { bytes: () => Promise.resolve(4_096) },
      replies: {
        counts: () => Promise.resolve([{ state: 'received', count: 3, oldest: new Date(now - 60_000).toISOString() }]),
      },
    },
    hubspot: { usage: () => ({ calls: {}, secondsWaited: 0, rateLimited: 0, postponed: 0, ...usage }) },
    temporal: () => Promise.resolve({}),
  } as unknown as Parameters<ReturnType<typeof createMetrics>['readFrom']>[0];
}

/** Metrics of prospect-sync, by name and labels. */
async function samples(metrics: ReturnType<typeof createMetrics>) {
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('prospect_sync_'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

describe('createMetrics', () => {
  it('counts answers by system and status, lost ones included, and the requested delays', async () => {
    const metrics = createMetrics(() => now);
    metrics.readFrom(sourcesOf({ secondsWaited: 1.5, postponed: 3 }));
    const limited = () => Promise.resolve(new Response(null, { status: 429, headers: { 'retry-after': '7' } }));
    await metrics.watchCall(call, () => Promise.resolve(new Response('{}')));
    await metrics.watchCall(call, limited);
    await metrics.watchCall(call, limited);
    await metrics.watchCall({ ...call, system: 'hubspot' }, limited);
    await metrics.watchCall(call, () => Promise.reject(new TypeError('fetch failed'))).catch(() => {});
    expect(await samples(metrics)).toMatchObject({
      'prospect_sync_calls_total{system="service",status="200"}': 1,
      'prospect_sync_calls_total{system="service",status="429"}': 2,
      'prospect_sync_calls_total{system="hubspot",status="429"}': 1,
      'prospect_sync_calls_total{system="service",status="none"}': 1,
      'prospect_sync_call_duration_seconds_count{system="service"}': 4,
      'prospect_sync_limit_wait_seconds_total{system="service"}': 14,
      'prospect_sync_limit_wait_seconds_total{system="hubspot"}': 1.5,
      prospect_sync_calls_postponed_total: 3,
    });
  });

  it('does not add up totals of the client twice', async () => {
    const metrics = createMetrics(() => now);
    metrics.readFrom(sourcesOf({ secondsWaited: 2 }));
    await samples(metrics);
    expect(await samples(metrics)).toMatchObject({ 'prospect_sync_limit_wait_seconds_total{system="hubspot"}': 2 });
  });

  it('counts what the ledger has stored', async () => {
    const metrics = createMetrics(() => now);
    const save = jest.fn(() => Promise.resolve());
    const record = jest.fn(() => Promise.resolve());
    const ledger = metrics.watchLedger({ slots: { save }, outcomes: { record } } as unknown as Ledger);
    await ledger.slots.save('order', [{}, {}] as never);
    save.mockReturnValueOnce(Promise.reject(new Error('locked')));
    await expect(ledger.slots.save('order', [{}] as never)).rejects.toThrow('locked');
    const rows = [
      { item: 'company', outcome: 'created' },
      { item: 'contact:0', outcome: 'skipped' },
      { item: 'contact:1', outcome: 'skipped' },
    ];
    await ledger.outcomes.record(rows as never);
    expect(save).toHaveBeenCalledTimes(2);
    expect(await samples(metrics)).toMatchObject({
      prospect_sync_slots_collected_total: 2,
      'prospect_sync_outcomes_total{item="company",outcome="created"}': 1,
      'prospect_sync_outcomes_total{item="contact",outcome="skipped"}': 2,
    });
  });

  it('exports the age of the oldest open order and the size of the ledger', async () => {
    const metrics = createMetrics(() => now);
    metrics.readFrom(sourcesOf({}, '2026-11-21T11:58:00.000Z'));
    const expected = {
      prospect_sync_open_orders: 2,
      prospect_sync_oldest_open_order_age_seconds: 120,
      'prospect_sync_replies{state="received"}': 3,
      prospect_sync_oldest_unprocessed_reply_age_seconds: 60,
    };
    expect(await samples(metrics)).toMatchObject({ ...expected, prospect_sync_ledger_size_bytes: 4_096 });
    metrics.readFrom(sourcesOf({}));
    expect(await samples(metrics)).toMatchObject({ prospect_sync_oldest_open_order_age_seconds: 0 });
  });

  it('exports that the ledger does not answer, and all other metrics', async () => {
    const metrics = createMetrics(() => now);
    const sources = sourcesOf({ postponed: 2 });
    const open = () => Promise.reject(new LedgerError('unreachable', 'gone'));
    metrics.readFrom({ ...sources, ledger: { ...sources.ledger, orders: { ...sources.ledger.orders, open } } });
    expect(await samples(metrics)).toMatchObject({
      prospect_sync_ledger_up: 0,
      prospect_sync_calls_postponed_total: 2,
    });
    metrics.readFrom(sources);
    expect(await samples(metrics)).toMatchObject({ prospect_sync_ledger_up: 1 });
  });

  it('exports that the ledger hangs, sends it one query at a time, and recovers when it answers', async () => {
    const metrics = createMetrics(() => now, 20);
    const sources = sourcesOf({ postponed: 2 });
    const held = Promise.withResolvers<{ count: number; oldest: null }>();
    const open = jest.fn(() => held.promise);
    metrics.readFrom({ ...sources, ledger: { ...sources.ledger, orders: { ...sources.ledger.orders, open } } });
    const expected = { prospect_sync_ledger_up: 0, prospect_sync_calls_postponed_total: 2 };
    expect(await samples(metrics)).toMatchObject(expected);
    expect(await samples(metrics)).toMatchObject(expected);
    expect(open).toHaveBeenCalledTimes(1);
    held.resolve({ count: 3, oldest: null });
    expect(await samples(metrics)).toMatchObject({ prospect_sync_ledger_up: 1, prospect_sync_open_orders: 3 });
  });

  it('exports whether Temporal answers', async () => {
    const metrics = createMetrics(() => now, 20);
    const temporal = jest.fn(() => Promise.resolve({}));
    metrics.readFrom({ ...sourcesOf({}), temporal });
    expect(await samples(metrics)).toMatchObject({ prospect_sync_temporal_up: 1, prospect_sync_ledger_up: 1 });
    temporal.mockRejectedValueOnce(new Error('refused'));
    expect(await samples(metrics)).toMatchObject({ prospect_sync_temporal_up: 0, prospect_sync_ledger_up: 1 });
    temporal.mockReturnValueOnce(Promise.withResolvers<object>().promise);
    expect(await samples(metrics)).toMatchObject({ prospect_sync_temporal_up: 0, prospect_sync_ledger_up: 1 });
  });

  it('exports 0 for everything that alerts use, before it happens', async () => {
    const shown = await samples(createMetrics(() => now));
    const alarming = ['service', 'hubspot'].flatMap((system) =>
      ['401', '403', '429', '500', '503', 'none'].map(
        (status) => `prospect_sync_calls_total{system="${system}",status="${status}"}`,
      ),
    );
    const outcomes = ['company', 'contact'].flatMap((item) =>
      ['created', 'quarantined', 'failed'].map(
        (outcome) => `prospect_sync_outcomes_total{item="${item}",outcome="${outcome}"}`,
      ),
    );
    expect([...alarming, ...outcomes].map((name) => [name, shown[name]])).toEqual(
      [...alarming, ...outcomes].map((name) => [name, 0]),
    );
  });

  it('can be read before anything is connected', async () => {
    expect(await samples(createMetrics(() => now))).toMatchObject({ prospect_sync_slots_collected_total: 0 });
  });
});
