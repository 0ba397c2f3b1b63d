import * as fc from 'fast-check';
import { createJobQueue } from '../../sandbox/job-queue.ts';

function earliest(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : Math.min(...times);
}

describe('createJobQueue', () => {
  it('returns due jobs by time and order of scheduling, without cancelled ones', () => {
    const plans = fc.array(fc.record({ at: fc.integer({ min: 0, max: 8 }), isCalledOff: fc.boolean() }));
    fc.assert(
      fc.property(plans, fc.integer({ min: -1, max: 9 }), (planned, time) => {
        const queue = createJobQueue();
        const ran: number[] = [];
        const callOffs = planned.map(({ at }, place) => queue.add(at, () => ran.push(place)));
        for (const [place, { isCalledOff }] of planned.entries()) if (isCalledOff) callOffs[place]?.();
        const kept = [...planned.entries()].filter(([, { isCalledOff }]) => !isCalledOff);
        expect(queue.next()).toBe(earliest(kept.map(([, { at }]) => at)));
        for (let job = queue.takeDue(time); job; job = queue.takeDue(time)) job.run();
        const due = kept.filter(([, { at }]) => at <= time).toSorted(([, a], [, b]) => a.at - b.at);
        expect(ran).toEqual(due.map(([place]) => place));
        const later = kept.filter(([, { at }]) => at > time).map(([, { at }]) => at);
        expect(queue.next()).toBe(earliest(later));
        // What ran or was called off already takes no other's place with it.
        for (const [place, callOff] of callOffs.entries()) if (place % 2 === 0) callOff();
        const left = kept.filter(([place, { at }]) => at > time && place % 2 === 1);
        const rest: number[] = [];
        for (let job = queue.takeDue(Infinity); job; job = queue.takeDue(Infinity)) rest.push(job.at);
        expect(rest).toEqual(left.map(([, { at }]) => at).toSorted((a, b) => a - b));
      }),
    );
  });

  it('keeps other jobs of the same time when one is cancelled twice', () => {
    const queue = createJobQueue();
    const callOff = queue.add(1, () => {});
    queue.add(1, () => {});
    callOff();
    callOff();
    expect(queue.next()).toBe(1);
  });

  it('is empty after clear', () => {
    const queue = createJobQueue();
    queue.add(1, () => {});
    queue.clear();
    expect([queue.next(), queue.takeDue(1)]).toEqual([undefined, undefined]);
  });
});
