// Preloaded into a worker: how long its main thread computes without a pause, in milliseconds of processor time. Other
// processes of the machine do not count, but they slow each computation down: a loop of fixed work shows by how much.
// SIGUSR2 begins anew; the file BLOCK_PROBE has the longest block so far, and the longest loop of this process.
import { renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const tickMs = 5;
const file = process.env.BLOCK_PROBE;
const companies = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `company ${id}`, tags: ['a', 'b'] }));
const json = JSON.stringify(companies);

if (isMainThread && file !== undefined) {
  let before = cpuMs();
  let [blockMs, loopMs] = [0, 0];
  const tick = () => {
    const now = cpuMs();
    if (now - before > blockMs) {
      blockMs = now - before;
      write();
    }
    before = cpuMs();
  };
  // Whole at every moment: the test reads it meanwhile.
  const write = () => {
    writeFileSync(`${file}.part`, JSON.stringify({ blockMs, loopMs }));
    renameSync(`${file}.part`, file);
  };
  setInterval(tick, tickMs).unref();
  process.on('SIGUSR2', () => {
    const started = cpuMs();
    for (let times = 0; times < 3; times += 1) JSON.parse(json);
    before = cpuMs();
    loopMs = Math.max(loopMs, before - started);
    blockMs = 0;
    write();
  });
}

function cpuMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
