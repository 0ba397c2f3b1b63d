import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createFolder } from '../temporal/dev-server/stand-ins.ts';
import { itOfAll } from '../helpers/sample.ts';

const tool = path.join(__dirname, '../../tools/check-patterns.ts');

describe('tools/check-patterns.ts', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await createFolder();
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function examine(files: Readonly<Record<string, readonly string[]>>) {
    for (const [name, lines] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), `${lines.join('\n')}\n`);
    }
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', tool, folder]);
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, stdout, stderr };
  }

  itOfAll('reports location, pattern, complexity and attack string of each super-linear pattern', async () => {
    const { code, stdout, stderr } = await examine({
      'src/a.ts': ['const trailing = /[.]+$/;', 'const safe = /^a+b$/;', "export const made = new RegExp('a+$');"],
      'activities/b.ts': ['export const nested = /^(?:[_-][a-z_]*)*$/i;', 'export const again = [/[.]+$/];'],
      'workflows/c.ts': [String.raw`export const withLook = /(?<!q)\s+$/u;`],
      'tools/d.mjs': ['export const ahead = /^(?=a)(?:[ab]|b)+$/;'],
      'test/e.ts': ['export const nobodys = /a+$/;'],
    });
    expect(code).toBe(1);
    expect(stdout).toBe('5 patterns examined, 5 at fault\n');
    const lines = stderr.trim().split('\n').toSorted();
    expect(lines).toEqual([
      expect.stringMatching(/^activities\/b.ts:1: \/\^\(\?:\[_-]\[a-z_]\*\)\*\$\/i: exponential, attacked by '.+$/),
      expect.stringMatching(
        /^activities\/b.ts:2, src\/a.ts:1: \/\[\.]\+\$\/: 2nd degree polynomial, attacked by '\..+$/,
      ),
      'src/a.ts:3: new RegExp cannot be examined. Write a literal',
      expect.stringMatching(/^tools\/d.mjs:1: .* exponential \(fuzz\), attacked by /),
      expect.stringMatching(/^workflows\/c.ts:1: .* 2nd degree polynomial \(fuzz\), attacked by /),
    ]);
  });

  it('passes when every pattern is linear', async () => {
    const { code, stdout } = await examine({ 'src/a.ts': ['export const safe = /^a+b$/;'] });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '1 patterns examined, 0 at fault\n' });
  });
});
