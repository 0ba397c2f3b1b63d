// Preloaded into a worker: how long its main thread computes without a pause, in milliseconds of processor time. Other
// processes of the machine do not count. SIGUSR2 begins anew; the longest so far stands in the file BLOCK_PROBE.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const tickMs = 5;
const file = process.env.BLOCK_PROBE;

if (isMainThread && file !== undefined) {
  let before = cpuMs();
  let longest = 0;
  const tick = () => {
    const now = cpuMs();
    if (now - before > longest) {
      longest = now - before;
      writeFileSync(file, String(Math.round(longest)));
    }
    before = cpuMs();
  };
  setInterval(tick, tickMs).unref();
  process.on('SIGUSR2', () => {
    longest = 0;
    before = cpuMs();
    writeFileSync(file, '0');
  });
}

function cpuMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
