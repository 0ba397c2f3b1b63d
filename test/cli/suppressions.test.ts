// docs/replies.md, "Suppressions": what `suppressions` does with the list, without a process.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { changeSuppression, exportSuppressions, importSuppressions } from '../../src/cli/suppressions.ts';
import { createTerminal } from '../../src/cli/terminal.ts';
import { openLedger } from '../../src/ledger/ledger.ts';

let folder: string;
let stderr: PassThrough;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-suppressions-'));
  const text = 'service: {base_url: https://service.example, api_key: {env: KEY}}\nhubspot: {token: {env: TOKEN}}\n';
  await writeFile(path.join(folder, 'prospect-sync.yaml'), text);
  await (await openLedger(placeOf('first'))).close();
  await (await openLedger(placeOf('second'))).close();
  stderr = new PassThrough();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const placeOf = (name: string) => ({ dataDir: path.join(folder, name) });
const terminal = () =>
  createTerminal({ env: { KEY: 'k', TOKEN: 't' }, stdin: new PassThrough(), stdout: new PassThrough(), stderr });
const options = (name: string) => ({
  config: path.join(folder, 'prospect-sync.yaml'),
  ...placeOf(name),
  json: false,
  yes: true,
  reason: 'asked by phone',
});
const add = (who: string) => changeSuppression(terminal(), options('first'), { verb: 'add', who });
const said = () => String(stderr.read() ?? '');

describe('exportSuppressions', () => {
  it('writes a file that import reads, without forgotten people, and says how many there are', async () => {
    await add('jane@acme.example');
    await add('vera@acme.example');
    const ledger = await openLedger(placeOf('first'));
    await ledger.tombstones.add([{ kind: 'email', value: 'carl@acme.example' }], new Date().toISOString());
    await ledger.close();
    await add('carl@acme.example');
    said();
    const file = path.join(folder, 'list.csv');
    const exported = await exportSuppressions(terminal(), options('first'), file, { overwrite: false });
    expect(exported).toMatchObject({ rows: 2, digests: 1 });
    expect(said()).toContain('1 suppressions of forgotten people are kept as digests and cannot be exported');
    expect(await importSuppressions(terminal(), options('second'), file)).toEqual({ added: 2, known: 0, repeated: 0 });
    expect(said()).toContain('Columns read: value; not read: kind, added_at, added_by, reason');
  });
});

describe('changeSuppression', () => {
  it('says when nothing in the ledger has the address, which may be misspelt', async () => {
    expect(await add('jane@acme.example')).toMatchObject({ changed: true });
    expect(said()).toContain(
      'Nothing in the ledger has this address; it is suppressed nevertheless. Check the spelling',
    );
  });

  it.each([
    ['acme.example', 'Nothing in the ledger has this domain; it is suppressed nevertheless. Check the spelling'],
    ['gmial.com', 'The domain looks like gmail.com; it is suppressed as it is written. Check the spelling'],
    ['jane@outlok.com', 'The domain looks like outlook.com; it is suppressed as it is written. Check the spelling'],
  ])('says that %s may be misspelt', async (who, expected) => {
    expect(await add(who)).toMatchObject({ changed: true });
    expect(said()).toContain(expected);
  });

  it('proposes no company for an address whose domain looks misspelt', async () => {
    expect(await add('jane@gmial.com')).toEqual({
      changed: true,
      text: 'suppressed: this address only; its company is ordered as before',
    });
  });
});

describe('changeSuppression, of an address', () => {
  const only = 'this address only; its company is ordered as before';
  const whole = `${only}. For the whole company, run: prospect-sync suppressions add beta.example --reason TEXT`;

  it('says that its company is ordered as before, and how to suppress it, unless it is', async () => {
    expect(await add('info@beta.example')).toEqual({ changed: true, text: `suppressed: ${whole}` });
    expect(await add('info@beta.example')).toEqual({ changed: false, text: `it was suppressed already: ${whole}` });
    expect((await add('vera@gmail.com')).text).toBe(`suppressed: ${only}`);
    expect((await add('beta.example')).text).toBe('suppressed');
    expect((await add('vera@beta.example')).text).toBe('suppressed');
  });

  it.each([
    [
      'info@acme.example',
      `HubSpot leaves out this address from now on, and its replies add a note only. It is ${only}. For the whole company, run: prospect-sync suppressions add acme.example --reason TEXT.`,
      'The suppression of this address was not confirmed: nothing was changed',
    ],
    [
      'acme.example',
      'Orders, HubSpot and replies leave out this company with everybody there from now on.',
      'The suppression of the company acme.example with everybody there was not confirmed: nothing was changed',
    ],
  ])('asks what is meant by %s, and names it when it is not confirmed', async (who, effect, declined) => {
    const asked: string[] = [];
    const asking = { ...terminal(), canAsk: true, confirm: async (question: string) => asked.push(question) === 0 };
    const unconfirmed = { ...options('first'), yes: false };
    await expect(changeSuppression(asking, unconfirmed, { verb: 'add', who })).rejects.toThrow(declined);
    expect(asked).toEqual([`Suppress ${who}? ${effect}`]);
  });
});

describe('changeSuppression, when a suppression ends', () => {
  const remove = (who: string) => changeSuppression(terminal(), options('first'), { verb: 'remove', who });

  it('says that the company of the person is still suppressed, and how to end that', async () => {
    await add('vera@beta.example');
    await add('beta.example');
    const { text } = await remove('vera@beta.example');
    expect(text).toBe(
      'its own suppression has ended, but the company beta.example is suppressed, with everybody there. To end that, run: prospect-sync suppressions remove beta.example --reason TEXT',
    );
    await expect(remove('vera@beta.example')).rejects.toThrow(/is not in the list, but the company beta\.example is/);
    expect(await remove('beta.example')).toEqual({ changed: true, text: 'no longer suppressed' });
  });

  it('says how many people of the company are still suppressed by themselves', async () => {
    for (const who of ['vera@beta.example', 'carl@beta.example', 'beta.example', 'shop.gamma.example', 'gamma.example'])
      await add(who);
    expect((await remove('beta.example')).text).toContain(
      'but 2 addresses at beta.example are suppressed. To see them',
    );
    expect((await remove('shop.gamma.example')).text).toContain('but the company gamma.example is suppressed');
    expect((await remove('gamma.example')).text).toBe('no longer suppressed');
  });
});

describe('importSuppressions', () => {
  it('asks, and suppresses nobody unless it is confirmed', async () => {
    const file = path.join(folder, 'contacts.csv');
    await writeFile(file, 'Record ID,Email\n1,jane@acme.example\n2,vera@beta.example\n');
    const unconfirmed = { ...options('first'), yes: false };
    await expect(importSuppressions(terminal(), unconfirmed, file)).rejects.toThrow(
      /The suppression of \d addresses, and \d companies with everybody there was not confirmed: nothing was changed/,
    );
    expect(await importSuppressions(terminal(), options('first'), file)).toEqual({ added: 2, known: 0, repeated: 0 });
  });

  it('counts an address once, and names the rows that repeat an earlier one', async () => {
    const file = path.join(folder, 'repeated.csv');
    await writeFile(file, 'email\nJane@Acme.example\njane@acme.example\nhttps://beta.example\nwww.beta.example\n');
    await expect(importSuppressions(terminal(), { ...options('first'), yes: false }, file)).rejects.toThrow(
      'The suppression of 1 addresses, and 1 companies',
    );
    expect(said()).toContain('Rows that repeat an earlier row, and count once: 2 (row 3, 5)');
    expect(await importSuppressions(terminal(), options('first'), file)).toEqual({ added: 2, known: 0, repeated: 2 });
  });

  it('names the rows whose domain looks like a misspelt mailbox provider', async () => {
    const file = path.join(folder, 'list.csv');
    await writeFile(file, 'email\njane@acme.example\njane@gmial.com\njane@mail.com\nhotmai.com\n');
    expect(await importSuppressions(terminal(), options('first'), file)).toEqual({ added: 4, known: 0, repeated: 0 });
    expect(said()).toContain('Domains that look like a misspelt mailbox provider: 2 (row 3, 5). They are suppressed');
  });
});
