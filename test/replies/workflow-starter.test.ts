import { createWorkflowStarter, type ReplyToStart } from '../../src/replies/workflow-starter.ts';
import type { UnfinishedPage } from '../../src/ledger/reply-store.ts';
import { until } from '../helpers/until.ts';

const reply = (number: number) => ({
  webhookId: `msg_${number}`,
  classification: 'interested',
  receivedAt: '2026-11-20T12:00:00.000Z',
});
type Stored = ReturnType<typeof reply>;

function createStarter(startWorkflow: (reply: ReplyToStart) => Promise<void>, stored: readonly Stored[] = []) {
  const lines: string[] = [];
  const starter = createWorkflowStarter({
    startWorkflow,
    inbox: {
      async unfinished(_before: string, { after, limit }: UnfinishedPage) {
        const from = after === null ? 0 : stored.findIndex(({ webhookId }) => webhookId === after.webhookId) + 1;
        return stored.slice(from === 0 && after !== null ? stored.length : from).slice(0, limit);
      },
    },
    log: (message) => void lines.push(message),
    lookEveryMs: 3_600_000,
    retryEveryMs: 5,
  });
  return { starter, lines };
}

describe('createWorkflowStarter', () => {
  it('waits for no start, and starts eight at once', async () => {
    const started: string[] = [];
    const opened = Promise.withResolvers<undefined>();
    const { starter } = createStarter(async ({ webhookId }) => {
      started.push(webhookId);
      await opened.promise;
    });
    for (let number = 0; number < 20; number += 1) starter.start(reply(number));
    expect(started).toHaveLength(8);
    opened.resolve(undefined);
    await starter.idle();
    expect(started).toHaveLength(20);
  });

  it('leaves replies in the inbox when thousands wait', async () => {
    let started = 0;
    const opened = Promise.withResolvers<undefined>();
    const { starter } = createStarter(async () => {
      started += 1;
      await opened.promise;
    });
    for (let number = 0; number < 6_000; number += 1) starter.start(reply(number));
    opened.resolve(undefined);
    await starter.idle();
    expect(started).toBe(5_008);
  });

  it('starts everything that was stored while Temporal was away, soon after it is back, and says both once', async () => {
    let isAway = true;
    let attempts = 0;
    const started = new Set<string>();
    const stored = Array.from({ length: 100 }, (_, number) => reply(number));
    const { starter, lines } = createStarter(async ({ webhookId }) => {
      attempts += 1;
      if (isAway) throw new Error('Jane Doe');
      started.add(webhookId);
    }, stored);
    const stopping = new AbortController();
    for (const one of stored) starter.start(one);
    await starter.idle();
    const watching = starter.watch(stopping.signal);
    const before = attempts;
    // It is asked for a few of them at a time while it is away.
    await until(async () => attempts > before + 32);
    expect(started.size).toBe(0);
    isAway = false;
    await until(async () => lines.length === 2);
    stopping.abort();
    await watching;
    expect(started.size).toBe(100);
    expect(lines).toEqual([expect.stringContaining('does not start'), expect.stringContaining('again')]);
    expect(lines.join()).not.toContain('Jane');
  });

  it('is not held up by replies that can never be started', async () => {
    const started = new Set<string>();
    const stored = Array.from({ length: 60 }, (_, number) => reply(number));
    const { starter } = createStarter(async ({ webhookId }) => {
      if (Number(webhookId.slice(4)) < 40) throw new Error('never');
      started.add(webhookId);
    }, stored);
    const stopping = new AbortController();
    const watching = starter.watch(stopping.signal);
    await until(async () => started.size === 20);
    stopping.abort();
    await watching;
    expect(Math.min(...[...started].map((id) => Number(id.slice(4))))).toBe(40);
  });
});
