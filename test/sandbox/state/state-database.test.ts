import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openDatabase } from '../../../sandbox/state/state-database.ts';

const schema = 'CREATE TABLE words (word TEXT PRIMARY KEY); CREATE INDEX words_backwards ON words (word DESC);';
/** Of the snapshot `one`. */
const snapshotFile = '6f6e65.db';
const insertion = 'INSERT INTO words VALUES (?)';

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'prospect-sync-test-'));
  opened.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function open() {
  const root = temporaryFolder();
  const database = openDatabase(schema, { root });
  opened.push(() => database.close());
  return {
    ...database,
    root,
    add: (...words: string[]) => {
      for (const word of words) database.run(insertion, word);
    },
    words: () => database.all('SELECT word FROM words ORDER BY word').map(({ word }) => word),
  };
}

/** With paths relative to `root`, folders not among them. */
function filesBelow(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

function snapshotIn(root: string): string {
  const [folder = ''] = readdirSync(root);
  return join(root, folder, snapshotFile);
}

describe('openDatabase', () => {
  it.each([
    ['in what it began with', false],
    ['in what was restored', true],
  ])('rolls back a transaction that throws, %s', (_, isRestored) => {
    const { transaction, add, words, save, load } = open();
    add('a');
    save('one');
    if (isRestored) load('one');
    const work = () => {
      add(...Array.from({ length: 20_000 }, (__, place) => `word ${place}`));
      throw new Error('refused');
    };
    expect(() => transaction(work)).toThrow('refused');
    expect(words()).toEqual(['a']);
  });

  it('throws the original error, also when SQLite has rolled back already', () => {
    const { transaction, add, words, run } = open();
    add('a');
    const work = () => {
      add('b');
      run('INSERT OR ROLLBACK INTO words VALUES (?)', 'a');
    };
    expect(() => transaction(work)).toThrow('UNIQUE constraint failed');
    expect(words()).toEqual(['a']);
    transaction(() => add('c'));
    expect(words()).toEqual(['a', 'c']);
  });

  it('restores a snapshot any number of times, the newest of its name', () => {
    const { add, words, save, load, snapshots } = open();
    add('a');
    save('one');
    add('b');
    save('two');
    expect([load('one'), words()]).toEqual([true, ['a']]);
    add('c');
    expect([load('one'), words()]).toEqual([true, ['a']]);
    expect([load('two'), words()]).toEqual([true, ['a', 'b']]);
    save('one');
    add('d');
    expect([load('one'), words()]).toEqual([true, ['a', 'b']]);
    expect([load('three'), words()]).toEqual([false, ['a', 'b']]);
    expect(snapshots()).toEqual(['one', 'two']);
  });

  it('keeps the earlier snapshot when a new one of the same name fails', () => {
    const { transaction, add, words, save, load, root } = open();
    add('a');
    save('one');
    add('b');
    expect(() => transaction(() => save('one'))).toThrow('cannot VACUUM from within a transaction');
    expect(filesBelow(root)).toEqual([snapshotFile]);
    expect([load('one'), words()]).toEqual([true, ['a']]);
  });

  it.each([
    ['is gone', (file: string) => rmSync(file), 'unable to open database'],
    ['is damaged', (file: string) => writeFileSync(file, 'x'.repeat(8_192)), 'file is not a database'],
  ])('changes nothing when a snapshot %s', (_, harm, message) => {
    const { transaction, add, words, save, load, root } = open();
    add('a');
    save('one');
    harm(snapshotIn(root));
    add('b');
    expect(() => load('one')).toThrow(message);
    transaction(() => add('c'));
    expect(words()).toEqual(['a', 'b', 'c']);
    save('one');
    expect([load('one'), words()]).toEqual([true, ['a', 'b', 'c']]);
  });

  it('removes its folder when it is closed, also when closed twice', () => {
    const { add, save, close, root } = open();
    add('a');
    save('one');
    close();
    expect(readdirSync(root)).toEqual([]);
    expect(close).not.toThrow();
  });

  it('leaves snapshots and nothing else behind when its process is killed', async () => {
    const root = temporaryFolder();
    const program = `
      const { openDatabase } = await import(process.argv[1]);
      const { transaction, run, save, load } = openDatabase(${JSON.stringify(schema)});
      save('one');
      load('one');
      const add = (from) => {
        for (let place = from; place < from + 100_000; place += 1) run(${JSON.stringify(insertion)}, 'word ' + place);
      };
      transaction(() => add(0));
      transaction(() => {
        run('DELETE FROM words');
        add(0);
        process.kill(process.pid, 'SIGKILL');
      });
    `;
    const path = resolve('sandbox/state/state-database.ts');
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program, path], {
      env: { ...process.env, TMPDIR: root, SQLITE_TMPDIR: root },
    });
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(filesBelow(root)).toEqual([snapshotFile]);
  });
});
