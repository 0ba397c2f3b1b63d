import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const tool = path.join(__dirname, '../../tools/check-links.ts');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-links-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function check(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  const arguments_ = ['--disable-warning=ExperimentalWarning', tool, folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, arguments_, { encoding: 'utf8' });
  return { status, stdout, problems: stderr.split('\n').filter((line) => line !== '') };
}

describe('tools/check-links.ts', () => {
  it('accepts files, headings, repeated headings and addresses', async () => {
    const { status, stdout, problems } = await check({
      'README.md':
        '# A\n[one](docs/a.md#find-the-cause) [two](docs/a.md#x-1) [own](#a) [far](https://a.example/x.md)\n`[no](link.md)`\n',
      'docs/a.md': '## Find the `cause`?\n## X\n## X\n[back](../README.md)\n```\n# [no](heading.md)\n```\n',
    });
    expect(problems).toEqual([]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '2 documents, 4 relative links, all valid\n' });
  });

  it('reports the marks of an unresolved merge', async () => {
    const { status, problems } = await check({ 'README.md': '# A\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> other\n' });
    expect([status, problems]).toEqual([1, ['README.md: line 2 is the mark of an unresolved merge']]);
  });

  it('reports missing files, missing headings, and documents that no page links to', async () => {
    const { status, problems } = await check({
      'README.md': '[a](docs/b.md) [b](docs/a.md#nothing)\n',
      'docs/a.md': '# A\n',
      'docs/lonely.md': '# B\n',
    });
    expect(status).toBe(1);
    expect(problems).toEqual([
      'README.md: docs/b.md does not exist',
      'README.md: docs/a.md#nothing is not a heading of docs/a.md',
      'docs/lonely.md: no document that README.md leads to links to it',
    ]);
  });
});
