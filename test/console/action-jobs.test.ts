// A button runs a command. What the command asks is bound to what it has said before, and a yes counts once.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createActionJobs, type Job } from '../../src/console/action-jobs.ts';
import type { ConsoleWork } from '../../src/console/console-work.ts';
import { openLedger } from '../../src/ledger/ledger.ts';

type Command = ConsoleWork['run'];

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

const action = { name: 'trigger', subject: 'weekly' } as const;

/** A command that orders what its source has now, once the user has agreed. */
function createShop() {
  const shop = { rows: 10, orders: 0 };
  const run: Command = (_args, { say, confirm }) => {
    say(`${shop.rows} rows`, 'info');
    if (!confirm('Start weekly?')) return Promise.resolve(1);
    shop.orders += 1;
    say('started', 'info');
    return Promise.resolve(0);
  };
  return { shop, run };
}

async function openJobs(run: Command) {
  const folder = mkdtempSync(join(tmpdir(), 'action-jobs-'));
  folders.push(folder);
  const ledger = await openLedger({ dataDir: folder });
  const jobs = createActionJobs(ledger.consoleAudit, { run });
  const settled = async (id: string | null): Promise<Job> => {
    for (;;) {
      const changed = jobs.changed();
      const job = jobs.get(id ?? '');
      if (job === undefined) throw new Error('no such job');
      if (job.code !== null) return job;
      await changed;
    }
  };
  return { ledger, jobs, settled };
}

it('asks before it does anything, and does it after a yes', async () => {
  const { shop, run } = createShop();
  const { ledger, jobs, settled } = await openJobs(run);
  const asking = await settled(await jobs.start(action, 'olga'));
  expect(asking).toMatchObject({ state: 'asks', question: 'Start weekly?', lines: [{ text: '10 rows' }] });
  expect(shop.orders).toBe(0);
  expect(await settled(await jobs.agree(asking.id, 'jan'))).toMatchObject({ state: 'ended', code: 0 });
  expect(shop.orders).toBe(1);
  const listed = await ledger.consoleAudit.recent(10);
  const command = 'prospect-sync schedule trigger weekly';
  expect(listed.map(({ who, command: text, code }) => [who, text, code])).toEqual(
    expect.arrayContaining([
      ['olga', command, null],
      ['jan', command, 0],
    ]),
  );
  await ledger.close();
});

it('asks again when the state has changed since the question', async () => {
  const { shop, run } = createShop();
  const { ledger, jobs, settled } = await openJobs(run);
  const asking = await settled(await jobs.start(action, 'olga'));
  shop.rows = 9_000;
  const again = await settled(await jobs.agree(asking.id, 'jan'));
  expect(again).toMatchObject({
    state: 'asks',
    question: 'The question, or what is said above it, has changed since the answer. Start weekly?',
    lines: [{ text: '9000 rows' }],
  });
  expect(shop.orders).toBe(0);
  await settled(await jobs.agree(again.id, 'olga'));
  expect(shop.orders).toBe(1);
  await ledger.close();
});

it('asks the next question of a command as it is', async () => {
  const { ledger, jobs, settled } = await openJobs((_args, { confirm }) =>
    Promise.resolve(confirm('First?') && confirm('Second?') ? 0 : 1),
  );
  const first = await settled(await jobs.start(action, 'olga'));
  const second = await settled(await jobs.agree(first.id, 'olga'));
  expect([first.question, second.question]).toEqual(['First?', 'Second?']);
  expect(await settled(await jobs.agree(second.id, 'olga'))).toMatchObject({ state: 'ended', code: 0 });
  await ledger.close();
});

it('does once what two people, or two clicks, agree to at the same time', async () => {
  const { shop, run } = createShop();
  const { ledger, jobs, settled } = await openJobs(run);
  const { id } = await settled(await jobs.start(action, 'olga'));
  const answers = await Promise.all([jobs.agree(id, 'olga'), jobs.agree(id, 'olga')]);
  expect(answers[0]).toBe(answers[1]);
  await settled(answers[0]);
  expect(await jobs.agree(id, 'olga')).toBe(answers[0]);
  expect(shop.orders).toBe(1);
  await ledger.close();
});

it('puts what a person gives behind the options, so that it is no option', async () => {
  const seen: (readonly string[])[] = [];
  const { ledger, jobs, settled } = await openJobs((args) => {
    seen.push(args);
    return Promise.resolve(0);
  });
  await settled(await jobs.start({ name: 'trigger', subject: '--yes' }, 'olga'));
  await settled(await jobs.start({ name: 'pause', subject: 'weekly', note: '--yes' }, 'olga'));
  expect(seen).toEqual([
    ['schedule', 'trigger', '--', '--yes'],
    ['schedule', 'pause', '--note=--yes', '--', 'weekly'],
  ]);
  await ledger.close();
});

it('says that a command has ended unexpectedly, and lists it', async () => {
  const { ledger, jobs, settled } = await openJobs(() => Promise.reject(new RangeError('secret')));
  const job = await settled(await jobs.start(action, 'olga'));
  expect(job).toMatchObject({ state: 'ended', code: 1, lines: [{ level: 'error' }] });
  expect(job.lines[0]?.text).toContain('The command ended unexpectedly: RangeError');
  expect(job.lines[0]?.text).not.toContain('secret');
  await ledger.close();
});
