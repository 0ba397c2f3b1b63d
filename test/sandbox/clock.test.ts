import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { createClock } from '../../sandbox/clock.ts';

const end = Date.parse('9999-12-31T23:59:59.999Z');
const soon = () => new Promise((done) => setTimeout(done, 5));

function fail(message: string) {
  return () => {
    throw new Error(message);
  };
}

describe('createClock', () => {
  it('does not run when frozen, and only moves forward', async () => {
    const clock = createClock({ frozenAt: 1_000 });
    await clock.advanceTo(5_000);
    expect(clock.state()).toEqual({ mode: 'frozen', now: 5_000 });
    await expect(clock.advanceTo(4_999)).rejects.toThrow('the clock only moves forward');
  });

  it('continues from its current time when resumed', async () => {
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

  it('runs due jobs in order, each at its own time', async () => {
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

  it('waits for running work before it moves', async () => {
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

  it('waits for work that a job started, and for jobs that this work scheduled', async () => {
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

  it('resolves when work fails', async () => {
    const clock = createClock({ frozenAt: 0 });
    clock.track(Promise.reject(new Error('failed')));
    await clock.advanceTo(1);
    expect(clock.now()).toBe(1);
  });

  it('does not run a cancelled job', async () => {
    const clock = createClock({ frozenAt: 0 });
    const job = jest.fn();
    clock.schedule(5, job)();
    await clock.advanceTo(10);
    expect(job).not.toHaveBeenCalled();
  });

  it('runs jobs on the machine’s clock', async () => {
    const clock = createClock();
    const { promise, resolve } = Promise.withResolvers<void>();
    clock.schedule(clock.now() + 5, resolve);
    await expect(promise).resolves.toBeUndefined();
    clock.close();
  });

  it.each([
    ['frozen', { frozenAt: 1_000 }],
    ['ticking', { wallNow: () => 1_000 }],
  ])('rejects a time beyond the year 9999, and stays usable: %s', async (_, options) => {
    const clock = createClock(options);
    const job = jest.fn();
    clock.schedule(2_000, job);
    for (const time of [end + 1, Date.now() + 999_999_999 * 86_400_000, Infinity, -Infinity, NaN])
      await expect(clock.advanceTo(time)).rejects.toThrow(RangeError);
    expect([clock.now(), job.mock.calls.length]).toEqual([1_000, 0]);
    await clock.advanceTo(end);
    expect([clock.now(), job.mock.calls.length]).toEqual([end, 1]);
    clock.close();
  });

  it('rejects a start beyond the year 9999', () => {
    expect(() => createClock({ frozenAt: end + 1 })).toThrow(RangeError);
    expect(() => createClock({ frozenAt: NaN })).toThrow(RangeError);
  });

  it('stops at the end of the year 9999', async () => {
    let wall = 1_000;
    const clock = createClock({ wallNow: () => wall });
    await clock.advanceTo(end);
    wall += 1_000;
    expect(clock.now()).toBe(end);
  });

  it('runs all jobs when some throw, then throws the first error', async () => {
    const lost: unknown[] = [];
    const clock = createClock({ frozenAt: 0, onError: (error) => lost.push(error) });
    const seen: string[] = [];
    clock.schedule(10, fail('first'));
    clock.schedule(20, fail('second'));
    clock.schedule(30, () => clock.track(soon().then(() => seen.push(`ended at ${clock.now()}`))));
    await expect(clock.advanceTo(50)).rejects.toThrow('first');
    expect(seen).toEqual(['ended at 30']);
    expect(clock.now()).toBe(50);
    expect(lost).toEqual([new Error('second')]);
  });

  it('keeps running after a job threw', async () => {
    const clock = createClock();
    const { promise, resolve } = Promise.withResolvers<void>();
    const start = clock.now();
    clock.schedule(start + 60_000, fail('on the way'));
    clock.schedule(start + 60_020, resolve);
    await expect(clock.advanceTo(start + 60_000)).rejects.toThrow('on the way');
    await expect(promise).resolves.toBeUndefined();
    clock.close();
  });

  it('passes the error of an unawaited job to onError, and runs the others', async () => {
    const lost: unknown[] = [];
    const clock = createClock({ onError: (error) => lost.push(error) });
    const { promise, resolve } = Promise.withResolvers<void>();
    const job = jest.fn();
    const start = clock.now();
    clock.schedule(start + 1, fail('in the timer'));
    clock.schedule(start + 1, job);
    clock.schedule(start + 15, resolve);
    await promise;
    expect(job).toHaveBeenCalledTimes(1);
    expect(lost).toEqual([new Error('in the timer')]);
    clock.close();
  });

  it('ends the process with the error of a job when there is no onError', async () => {
    const program = `
      const { createClock } = await import(process.argv[1]);
      process.on('uncaughtException', ({ message }) => console.log(message));
      const clock = createClock();
      clock.schedule(clock.now() + 1, () => { throw new Error('uncaught'); });
      clock.schedule(clock.now() + 20, () => console.log('and on'));
      setTimeout(() => clock.close(), 50);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program, resolve('sandbox/clock.ts')]);
    // A late timer may run both jobs before the first error surfaces.
    expect((await text(child.stdout)).trim().split('\n').toSorted()).toEqual(['and on', 'uncaught']);
  });

  it('waits when the machine’s clock is set back, and runs no job early', async () => {
    let wall = 100_000;
    const clock = createClock({ wallNow: () => wall });
    expect(clock.now()).toBe(100_000);
    wall -= 60_000;
    expect(clock.now()).toBe(100_000);
    clock.freeze();
    expect(clock.now()).toBe(100_000);
    clock.resume();
    wall -= 60_000;
    expect(clock.now()).toBe(100_000);
    const job = jest.fn();
    clock.schedule(100_001, job);
    await soon();
    expect(job).not.toHaveBeenCalled();
    clock.close();
  });

  it('sets no timer for jobs beyond the year 9999', async () => {
    const end = Date.parse('9999-12-31T23:59:59.999Z');
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const clock = createClock({ wallNow: () => end + 5 });
    clock.schedule(end + 1_000, () => {});
    expect(timers).not.toHaveBeenCalled();
    timers.mockRestore();
    clock.close();
  });
});
