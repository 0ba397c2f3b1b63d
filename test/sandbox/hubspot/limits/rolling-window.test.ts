import * as fc from 'fast-check';
import { createRollingWindow } from '../../../../sandbox/hubspot/limits/rate-limits.ts';

const steps = fc.array(fc.record({ pause: fc.nat(40), adds: fc.boolean() }), { maxLength: 200 });

describe('createRollingWindow', () => {
  it('counts like a list of all times, with every size', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }), (taken, size, next) => {
        let window = createRollingWindow(size, 100);
        let times: number[] = [];
        let now = 0;
        for (const [index, { pause, adds }] of taken.entries()) {
          now += pause;
          // Half way the window changes its size; only the newest that it can hold are known from then on.
          if (index === taken.length >> 1) {
            window = window.resized(next);
            times = times.filter((time) => time > now - 100).slice(-Math.min(size, next));
          }
          const limit = index < taken.length >> 1 ? size : next;
          times = times.filter((time) => time > now - 100);
          expect(window.left(now)).toBe(limit - Math.min(limit, times.length));
          const freeAt = times.length < limit ? null : (times.at(-limit) ?? 0) + 100;
          expect(window.left(now) === 0 ? window.freeAt() : null).toBe(freeAt);
          if (!adds) continue;
          window.add(now);
          times.push(now);
          times = times.slice(-limit);
        }
      }),
    );
  });
});
