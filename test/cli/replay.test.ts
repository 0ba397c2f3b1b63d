import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exitCodeOfReplay, replay } from '../../src/cli/replay.ts';
import { runCommand } from '../helpers/command.ts';

const histories = path.join(__dirname, '../workflows/histories');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-replay-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Event {
  activityTaskScheduledEventAttributes?: { activityType: { name: string } };
}

describe('replay', () => {
  it('tells of each file whether this build goes the same way, in either form of a file', async () => {
    const [file = ''] = (await readdir(histories)).filter((name) => name.startsWith('syncExclusions'));
    const text = await readFile(path.join(histories, file), 'utf8');
    const { history } = JSON.parse(text) as { history: { events: Event[] } };
    await writeFile(path.join(folder, 'named.json'), text);
    await writeFile(path.join(folder, 'bare.json'), JSON.stringify(history));
    const scheduled = history.events.find((event) => event.activityTaskScheduledEventAttributes !== undefined);
    if (scheduled?.activityTaskScheduledEventAttributes !== undefined)
      scheduled.activityTaskScheduledEventAttributes.activityType.name = 'somethingElse';
    await writeFile(path.join(folder, 'other.json'), JSON.stringify(history));

    const { code, stdout, stderr } = await runCommand(['replay', 'named.json', 'other.json', 'bare.json'], {
      cwd: folder,
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'replays  named.json',
      expect.stringMatching(/^differs {2}other\.json: \[TMPRL1100\] Nondeterminism error: .*somethingElse/),
      'replays  bare.json',
      '',
    ]);
    expect(exitCodeOfReplay([{ file: 'named.json', problem: null }])).toBe(0);
  }, 60_000);

  it.each([
    ['no file', null, 'file.json cannot be read (ENOENT)'],
    ['a file that is not JSON', 'events:', 'file.json is no history (it is not JSON): download one in the UI'],
    ['other JSON', '{"events":[]}', 'file.json is no history (it has no events)'],
    ['events that are none', '{"events":[{"eventType":"Nonsense"}]}', 'file.json is no history (its events'],
  ])(
    'replays nothing when there is %s',
    async (_, text, told) => {
      const file = path.join(folder, 'file.json');
      await rm(file, { force: true });
      if (text !== null) await writeFile(file, text);
      await expect(replay([file])).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringContaining(told) as string,
      });
    },
    30_000,
  );
});
