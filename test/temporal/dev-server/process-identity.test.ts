import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { identifyProcess, isStillRunning } from '../../../src/temporal/dev-server/process-identity.ts';

describe('isStillRunning', () => {
  it('is true until the process ends', async () => {
    const child = spawn('sleep', ['30']);
    const identity = await identifyProcess(child.pid ?? 0);
    expect(identity).toEqual({ pid: child.pid, started: expect.stringMatching(/\d/) });
    expect(await isStillRunning(identity ?? { pid: 0, started: '' })).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await isStillRunning(identity ?? { pid: 0, started: '' })).toBe(false);
  });

  it('distinguishes a later process with the same pid', async () => {
    expect(await isStillRunning({ pid: process.pid, started: 'earlier' })).toBe(false);
  });
});

describe('identifyProcess', () => {
  it('returns null for a missing process', async () => {
    expect(await identifyProcess(2 ** 30)).toBeNull();
  });
});
