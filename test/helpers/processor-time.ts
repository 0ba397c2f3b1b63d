/** Systems count processor time in ticks of up to 10 ms. */
const leastMs = 40;

/** Milliseconds of processor time: the shortest of three measurements after one that compiles the code. */
export function processorMs(work: () => unknown): number {
  work();
  return Math.min(...Array.from({ length: 3 }, () => measure(work)));
}

/** Repeats the work until the clock can tell how long it takes. */
function measure(work: () => unknown): number {
  const before = process.cpuUsage();
  for (let times = 1; ; times += 1) {
    work();
    const { user, system } = process.cpuUsage(before);
    const usedMs = (user + system) / 1_000;
    if (usedMs >= leastMs) return usedMs / times;
  }
}
