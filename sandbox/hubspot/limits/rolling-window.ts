/** Counts what happened within the last `lengthMs`, up to `size`: a ring of times, the oldest of which is overwritten. */
export interface RollingWindow {
  readonly size: number;
  /** How much may still happen now. Times never run back. */
  left(now: number): number;
  add(now: number): void;
  /** When the next one may happen, for a window that is full. */
  freeAt(): number;
  /** The same past in a window of another size. */
  resized(size: number): RollingWindow;
}

export function createRollingWindow(size: number, lengthMs: number): RollingWindow {
  const times = new Float64Array(size);
  let next = 0;
  let count = 0;
  const at = (age: number) => times[(next - age + size) % size] ?? 0;
  return {
    size,
    left(now) {
      while (count > 0 && at(count) <= now - lengthMs) count -= 1;
      return size - count;
    },
    add(now) {
      times[next] = now;
      next = (next + 1) % size;
      if (count < size) count += 1;
    },
    freeAt: () => at(count) + lengthMs,
    resized(newSize) {
      const window = createRollingWindow(newSize, lengthMs);
      for (let age = Math.min(count, newSize); age > 0; age -= 1) window.add(at(age));
      return window;
    },
  };
}
