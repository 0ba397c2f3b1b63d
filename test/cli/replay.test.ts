import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { JSONToPayload, payloadToJSON } from '@temporalio/common/lib/proto-utils.js';
import { createEncryptionCodec } from '../../src/temporal/codec/encryption-codec.ts';
import { exitCodeOfReplay, replay } from '../../src/cli/replay.ts';
import { runCommand } from '../helpers/run-command.ts';
import { itOfAll } from '../helpers/sample.ts';

const histories = path.join(__dirname, '../workflows/histories/1.0.0-rc.1');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-replay-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const key = Buffer.alloc(32, 7);

/** The history as an encrypting worker would have left it: payloads are found by their form. */
async function encrypt(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(encrypt));
  if (typeof value !== 'object' || value === null) return value;
  if ('metadata' in value && 'data' in value) {
    const codec = createEncryptionCodec({ current: { id: 'a', bytes: key }, older: [] });
    const [payload] = await codec.encode([JSONToPayload(value as Parameters<typeof JSONToPayload>[0])]);
    return payloadToJSON(payload ?? {});
  }
  const entries = Object.entries(value).map(async ([name, item]) => {
    // Search attributes stay readable for the server.
    return [name, name === 'searchAttributes' ? item : await encrypt(item)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

interface Event {
  activityTaskScheduledEventAttributes?: { activityType: { name: string } };
}

describe('replay', () => {
  itOfAll('reports for each file whether this build replays it, in both file formats', async () => {
    const [file = ''] = (await readdir(histories)).filter((name) => name.startsWith('syncExclusions'));
    const text = await readFile(path.join(histories, file), 'utf8');
    const { history } = JSON.parse(text) as { history: { events: Event[] } };
    await writeFile(path.join(folder, 'named.json'), text);
    // Its child has an id that contains the id of the order's workflow, which no file name has.
    const ofOrder = JSON.parse(await readFile(path.join(histories, 'ingestOrder.discovery.json'), 'utf8'));
    await writeFile(path.join(folder, 'order.json'), JSON.stringify(ofOrder.history));
    await writeFile(path.join(folder, 'encrypted.json'), JSON.stringify(await encrypt(history)));
    await writeFile(path.join(folder, 'prospect-sync.yaml'), 'temporal: {encryption: {key: {id: a, env: CODEC_KEY}}}');
    const scheduled = history.events.find((event) => event.activityTaskScheduledEventAttributes !== undefined);
    if (scheduled?.activityTaskScheduledEventAttributes !== undefined)
      scheduled.activityTaskScheduledEventAttributes.activityType.name = 'somethingElse';
    await writeFile(path.join(folder, 'other.json'), JSON.stringify(history));

    const { code, stdout, stderr } = await runCommand(
      ['replay', 'named.json', 'other.json', 'order.json', 'encrypted.json'],
      {
        cwd: folder,
        env: { CODEC_KEY: key.toString('base64') },
      },
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'replays  named.json',
      expect.stringMatching(/^differs {2}other\.json: \[TMPRL1100\] Nondeterminism error: .*somethingElse/),
      'replays  order.json',
      'replays  encrypted.json',
      '',
    ]);
    expect(exitCodeOfReplay([{ file: 'named.json', problem: null }])).toBe(0);
  });

  itOfAll('requires no configuration for a history that is not encrypted', async () => {
    const [file = ''] = (await readdir(histories)).filter((name) => name.startsWith('syncExclusions'));
    const cwd = await mkdtemp(path.join(folder, 'empty-'));
    const { code, stdout, stderr } = await runCommand(['replay', path.join(histories, file)], { cwd });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `replays  ${path.join(histories, file)}\n`,
      stderr: '',
    });
  });

  it.each([
    ['no file', null, 'file.json cannot be read: there is no such file (ENOENT)'],
    [
      'a file that is not JSON',
      'events:',
      'file.json is not a workflow history: it is not JSON. Download one in the Temporal UI',
    ],
    ['other JSON', '{"events":[]}', 'file.json is not a workflow history: it has no events'],
    [
      'events that are none',
      '{"events":[{"eventType":"Nonsense"}]}',
      'file.json is not a workflow history: its events',
    ],
  ])('replays nothing with %s', async (_, text, told) => {
    const file = path.join(folder, 'file.json');
    await rm(file, { force: true });
    if (text !== null) await writeFile(file, text);
    await expect(replay([file])).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(told) as string,
    });
  });
});
