import { watchOtherWorkers, type Poller } from '../../src/worker/embedded-worker.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const ago = (seconds: number, identity = '7@elsewhere'): Poller => ({ identity, lastSeconds: now / 1_000 - seconds });
const dead = '9@here';

/** The result of each look. null: the look fails. */
async function lookAt(lists: readonly (readonly Poller[] | null)[]) {
  const left = [...lists];
  const look = watchOtherWorkers({
    readPollers: () => {
      const list = left.shift();
      return list ? Promise.resolve(list) : Promise.reject(new Error('14 UNAVAILABLE'));
    },
    clock: () => now,
    mayBeAlive: (identity) => identity !== dead,
  });
  const messages: string[] = [];
  while (left.length > 0) messages.push(await look());
  return messages;
}
const empty = (count: number) => Array.from({ length: count }, () => []);

describe('watchOtherWorkers', () => {
  it('reports none when the first look finds no worker, or only dead ones', async () => {
    expect(await lookAt([[]])).toEqual(['none']);
    expect(await lookAt([[ago(200)]])).toEqual(['none']);
    expect(await lookAt([[ago(1, dead)]])).toEqual(['none']);
  });

  it('waits for a known worker to poll again after a restart of Temporal', async () => {
    const states = await lookAt([[ago(1)], ...empty(14), [ago(1)], ...empty(14)]);
    expect(new Set(states)).toEqual(new Set(['working', 'unsure']));
  });

  it('reports none after enough looks in a row without a worker', async () => {
    expect((await lookAt([[ago(1)], ...empty(15)])).slice(-2)).toEqual(['unsure', 'none']);
    const interrupted = await lookAt([[ago(1)], ...empty(14), null, ...empty(15)]);
    expect([interrupted.indexOf('none'), interrupted.length]).toEqual([30, 31]);
  });

  it('recognises the worker of another machine by the time of its last poll', async () => {
    const look = [ago(1, dead), ago(1)];
    expect(await lookAt([look, [ago(1, dead), ago(71)]])).toEqual(['working', 'none']);
    expect(await lookAt([look, [ago(1, dead)]])).toEqual(['working', 'unsure']);
  });

  it.each([[[ago(1, '8@here')]], [[]]])(
    'reports at once that a worker of this machine has ended, with %j',
    async (list) => {
      const lists = [[ago(1, '8@here')], list];
      const look = watchOtherWorkers({
        readPollers: () => Promise.resolve(lists.shift() ?? []),
        clock: () => now,
        mayBeAlive: () => lists.length > 0,
      });
      expect([await look(), await look()]).toEqual(['working', 'none']);
    },
  );

  it('ignores poll times from while Temporal did not answer', async () => {
    expect(await lookAt([[ago(1)], null, [ago(90)], [ago(1)], [ago(90)]])).toEqual([
      'working',
      'unsure',
      'unsure',
      'working',
      'none',
    ]);
  });

  it('is unsure when the first look fails', async () => {
    expect(await lookAt([null, []])).toEqual(['unsure', 'unsure']);
  });
});
