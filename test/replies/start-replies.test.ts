import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import type { DueReply } from '../../src/ledger/reply-store.ts';
import { startStoredReplies } from '../../src/replies/start-replies.ts';
import { until } from '../helpers/until.ts';

const start = Date.parse('2026-11-20T12:00:00.000Z');
let dataDir: string;
let ledger: Ledger;

beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'inbox-'));
  ledger = await openLedger({ dataDir });
});
afterEach(async () => {
  await ledger.close();
  rmSync(dataDir, { recursive: true });
});

/** Stores replies, each a millisecond after the one before. @returns their ids */
async function store(name: string, count: number, isTest = false): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, number) => `${name}_${String(number).padStart(3, '0')}`);
  for (const [number, webhookId] of ids.entries()) {
    const receivedAt = new Date(start + number).toISOString();
    const facts = { classification: 'interested', replyAt: receivedAt, campaignId: null, body: '{}' };
    const state = isTest ? 'test' : 'received';
    await ledger.replies.receive({ webhookId, receivedAt, state, reason: null, ...facts }, []);
  }
  return ids;
}

/** A worker that starts replies until stopped. `secondsALook`: the time that passes between two looks into the inbox. */
function startWorker(
  startWorkflow: (reply: DueReply) => Promise<void>,
  {
    secondsALook = 0,
    inbox = ledger.replies,
  }: { secondsALook?: number; inbox?: Pick<Ledger['replies'], 'takeDue' | 'countTaken' | 'postpone'> } = {},
) {
  const lines: string[] = [];
  const stopping = new AbortController();
  let time = start + 1_000;
  const dependencies = {
    startWorkflow,
    inbox,
    log: (message: string) => void lines.push(message),
    now: () => new Date((time += secondsALook * 1_000)),
    lookEveryMs: 1,
    retryEveryMs: 1,
  };
  const ended = startStoredReplies(dependencies, stopping.signal);
  return {
    lines,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

// Guarantee: A reply is processed once, and none is lost
describe('the workflows of stored replies', () => {
  it('are started once each, those of the oldest replies first', async () => {
    const ids = await store('once', 40);
    await store('sample', 1, true);
    const started: string[] = [];
    const workers = [1, 2].map(() => startWorker(async ({ webhookId }) => void started.push(webhookId)));
    await until(async () => started.length >= 40);
    for (const worker of workers) await worker.stop();
    expect(started.toSorted()).toEqual(ids);
    expect(started.slice(0, 16).every((id) => id < 'once_032')).toBe(true);
  });

  it('are started again while a reply is not processed, which has no effect on those that run', async () => {
    const ids = await store('again', 3);
    const counts = new Map(ids.map((id) => [id, 0]));
    const worker = startWorker(async ({ webhookId }) => void counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1), {
      secondsALook: 30,
    });
    await until(async () => [...counts.values()].every((count) => count >= 3));
    await worker.stop();
    for (const id of ids) await ledger.replies.finish(id, { state: 'processed', reason: null, at: '2026-11-20' });
    expect(await ledger.replies.takeDue('2027', { until: '9999', limit: 100 })).toEqual([]);
  });

  it('are started by another worker, when the one that took the replies has died', async () => {
    const ids = await store('dead', 5);
    const at = new Date(start + 1_000).toISOString();
    const until20 = new Date(start + 21_000).toISOString();
    expect(await ledger.replies.takeDue(at, { until: until20, limit: 5 })).toHaveLength(5);
    const started = new Set<string>();
    const worker = startWorker(async ({ webhookId }) => void started.add(webhookId), { secondsALook: 1 });
    await until(async () => started.size === 5);
    await worker.stop();
    expect([...started].toSorted()).toEqual(ids);
  });

  it('are started when Temporal is back after an outage, and both are said once', async () => {
    const ids = await store('away', 100);
    let isAway = true;
    let attempts = 0;
    const started = new Set<string>();
    const worker = startWorker(
      async ({ webhookId }) => {
        attempts += 1;
        if (isAway) throw new Error('Jane Doe');
        started.add(webhookId);
      },
      { secondsALook: 1 },
    );
    await until(async () => attempts > 64);
    expect(started.size).toBe(0);
    isAway = false;
    await until(async () => started.size === 100);
    await worker.stop();
    expect([...started].toSorted()).toEqual(ids);
    expect(worker.lines).toEqual([
      expect.stringContaining('Temporal does not start workflows'),
      expect.stringContaining('starts workflows again'),
    ]);
    expect(worker.lines.join()).not.toContain('Jane');
  });

  it('are at most 64 at once, and few more while none of them ends', async () => {
    const ids = await store('many', 100);
    const sizes: number[] = [];
    const inbox: Parameters<typeof startWorker>[1] = {
      inbox: {
        ...ledger.replies,
        async takeDue(...parameters) {
          const taken = await ledger.replies.takeDue(...parameters);
          sizes.push(taken.length);
          return taken;
        },
      },
    };
    const started = new Set<string>();
    const worker = startWorker(async ({ webhookId }) => void started.add(webhookId), inbox);
    await until(async () => started.size === 100);
    await worker.stop();
    expect([...started].toSorted()).toEqual(ids);
    expect(sizes.slice(0, 13)).toEqual([16, 16, 16, 16, 4, 4, 4, 4, 4, 4, 4, 4, 4]);
  });

  it('are not held up by replies that can never be started', async () => {
    const ids = await store('never', 60);
    const started = new Set<string>();
    const worker = startWorker(async ({ webhookId }) => {
      if (webhookId < 'never_040') throw new Error('never');
      started.add(webhookId);
    });
    await until(async () => started.size === 20);
    await worker.stop();
    expect([...started].toSorted()).toEqual(ids.slice(40));
  });

  it('are started when the ledger answers again, and both are said once', async () => {
    await store('ledger', 1);
    let failures = 3;
    const started: string[] = [];
    const inbox = {
      ...ledger.replies,
      takeDue: (...parameters: Parameters<Ledger['replies']['takeDue']>) =>
        (failures -= 1) >= 0 ? Promise.reject(new Error('no database')) : ledger.replies.takeDue(...parameters),
    };
    const worker = startWorker(async ({ webhookId }) => void started.push(webhookId), { inbox });
    await until(async () => started.includes('ledger_000'));
    await worker.stop();
    expect(worker.lines).toEqual([
      expect.stringContaining('inbox cannot be read'),
      expect.stringContaining('can be read again'),
    ]);
  });
});
