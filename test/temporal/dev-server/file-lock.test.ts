import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withFileLock } from '../../../src/temporal/dev-server/file-lock.ts';
import { createFolder, runModule } from './stand-ins.ts';

describe('withFileLock', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await createFolder();
    file = path.join(folder, 'deep', 'lock');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('runs one task after the other, and reports that a task waits', async () => {
    const events: string[] = [];
    const firstHoldsTheLock = Promise.withResolvers<void>();
    const secondWaits = Promise.withResolvers<void>();
    const first = withFileLock({ file, pollMilliseconds: 1 }, async () => {
      events.push('first begins');
      firstHoldsTheLock.resolve();
      await secondWaits.promise;
      events.push('first ends');
    });
    const onWait = () => {
      events.push('second waits');
      secondWaits.resolve();
    };
    await firstHoldsTheLock.promise;
    const second = withFileLock({ file, pollMilliseconds: 1, onWait }, async () => {
      events.push('second begins', 'second ends');
    });
    await Promise.all([first, second]);
    expect(events).toEqual(['first begins', 'second waits', 'first ends', 'second begins', 'second ends']);
  });

  it('returns the result of the task, and is free after a failure', async () => {
    const failing = withFileLock({ file }, () => Promise.reject(new Error('no luck')));
    await expect(failing).rejects.toThrow('no luck');
    await expect(withFileLock({ file }, async () => 'done')).resolves.toBe('done');
  });

  it('excludes another process, until that process is killed', async () => {
    const owner = runModule(
      { 'file-lock': 'withFileLock' },
      // A promise that nothing can settle would be collected, and the lock with it.
      `await withFileLock({ file: ${JSON.stringify(file)} }, () => { console.log('locked'); return new Promise((end) => setTimeout(end, 60_000)); });`,
    );
    let isFree = false;
    try {
      expect(await owner.nextLine()).toBe('locked');
      const ours = withFileLock({ file, pollMilliseconds: 5 }, async () => {
        isFree = true;
      });
      await sleep(30);
      expect(isFree).toBe(false);
      owner.child.kill('SIGKILL');
      await ours;
    } finally {
      owner.child.kill('SIGKILL');
    }
    expect(isFree).toBe(true);
  });
});
