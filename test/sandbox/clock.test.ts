import * as fc from 'fast-check';
import { createClock } from '../../src/sandbox/clock.ts';

describe('createClock', () => {
  it('stands still when frozen, and moves only forward', async () => {
    const clock = createClock({ frozenAt: 1_000 });
    await clock.advanceTo(5_000);
    expect(clock.state()).toEqual({ mode: 'frozen', now: 5_000 });
    await expect(clock.advanceTo(4_999)).rejects.toThrow('the clock only moves forward');
  });

  it('goes on from where it stands when it is resumed', async () => {
    const clock = createClock({ frozenAt: Date.now() + 3_600_000 });
    const before = clock.now();
    clock.resume();
    expect(clock.now()).toBeGreaterThanOrEqual(before);
    expect(clock.now()).toBeLessThan(before + 60_000);
    expect(clock.state().mode).toBe('real');
    await clock.advanceTo(before + 7_200_000);
    expect(clock.now()).toBeGreaterThanOrEqual(before + 7_200_000);
    clock.freeze();
    const frozen = clock.now();
    expect(clock.now()).toBe(frozen);
  });

  it('runs what falls due in the order of time, each at its own time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 100 })), async (times) => {
        const clock = createClock({ frozenAt: 0 });
        const ran: [due: number, now: number][] = [];
        for (const at of times) clock.schedule(at, () => ran.push([at, clock.now()]));
        await clock.advanceTo(50);
        expect(ran).toEqual(
          times
            .filter((at) => at <= 50)
            .toSorted((a, b) => a - b)
            .map((at) => [at, at]),
        );
      }),
    );
  });

  it('lets what is under way end before it moves', async () => {
    const clock = createClock({ frozenAt: 0 });
    const ended: number[] = [];
    const work = async () => {
      await new Promise(setImmediate);
      clock.schedule(clock.now() + 10, () => ended.push(clock.now()));
    };
    clock.track(work());
    await clock.advanceTo(50);
    expect(ended).toEqual([10]);
  });

  it('waits for work that a job began, and for jobs that this work scheduled', async () => {
    const clock = createClock({ frozenAt: 0 });
    const seen: string[] = [];
    clock.schedule(10, () => {
      const work = async () => {
        await Promise.resolve();
        seen.push(`worked at ${clock.now()}`);
        clock.schedule(20, () => seen.push(`again at ${clock.now()}`));
      };
      clock.track(work());
    });
    await clock.advanceTo(30);
    expect(seen).toEqual(['worked at 10', 'again at 20']);
    expect(clock.now()).toBe(30);
  });

  it('settles all the same when work fails', async () => {
    const clock = createClock({ frozenAt: 0 });
    clock.track(Promise.reject(new Error('failed')));
    await clock.advanceTo(1);
    expect(clock.now()).toBe(1);
  });

  it('runs no job that was called off', async () => {
    const clock = createClock({ frozenAt: 0 });
    const job = jest.fn();
    clock.schedule(5, job)();
    await clock.advanceTo(10);
    expect(job).not.toHaveBeenCalled();
  });

  it('runs jobs on the machine’s time by itself', async () => {
    const clock = createClock();
    const { promise, resolve } = Promise.withResolvers<void>();
    clock.schedule(clock.now() + 5, resolve);
    await expect(promise).resolves.toBeUndefined();
    clock.close();
  });
});
