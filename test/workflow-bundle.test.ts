import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleWorkflows } from '../src/workflow-bundle.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-bundle-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('bundleWorkflows', () => {
  it('keeps a bundle for the next start, and removes those that are old', async () => {
    const old = path.join(folder, 'workflows-old.js');
    const other = path.join(folder, 'temporal-1.8.2');
    const longAgo = new Date(Date.now() - 31 * 86_400_000);
    for (const file of [old, other]) {
      await writeFile(file, '');
      await utimes(file, longAgo, longAgo);
    }
    const { code } = await bundleWorkflows({ cacheFolder: folder });
    expect(code).toContain('runProspecting');
    const [kept = '', ...rest] = (await readdir(folder)).toSorted().toReversed();
    expect(rest).toEqual(['temporal-1.8.2']);

    const another = 'the kept one';
    const digest = createHash('sha256').update(another).digest('hex');
    await writeFile(path.join(folder, kept), `${digest}\n${another}`);
    await expect(bundleWorkflows({ cacheFolder: folder })).resolves.toEqual({ code: another });
  });

  it.each([
    ['emptied', () => Buffer.alloc(0)],
    ['truncated', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1_000)],
    ['of an earlier form', (bytes: Buffer) => bytes.subarray(bytes.indexOf('\n') + 1)],
  ])('bundles anew when the kept one is %s, and keeps that', async (_, spoil) => {
    const { code } = await bundleWorkflows({ cacheFolder: folder });
    const [name = ''] = await readdir(folder);
    const whole = await readFile(path.join(folder, name));
    await writeFile(path.join(folder, name), spoil(whole));
    const again = await bundleWorkflows({ cacheFolder: folder });
    expect(again.code === code).toBe(true);
    expect(whole.equals(await readFile(path.join(folder, name)))).toBe(true);
    await expect(readdir(folder)).resolves.toEqual([name]);
  });

  it('keeps one for each failure converter, since it is part of the bundle', async () => {
    const failureConverterPath = path.join(__dirname, '../src/codec/failure-converter.ts');
    await bundleWorkflows({ cacheFolder: folder });
    await bundleWorkflows({ cacheFolder: folder, failureConverterPath });
    await expect(readdir(folder)).resolves.toHaveLength(2);
  });

  it('works where nothing can be kept', async () => {
    const file = path.join(folder, 'a-file');
    await writeFile(file, '');
    const { code } = await bundleWorkflows({ cacheFolder: path.join(file, 'below') });
    expect(code).toContain('runProspecting');
  });
});
