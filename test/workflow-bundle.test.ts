import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
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

    await writeFile(path.join(folder, kept), 'the kept one');
    await expect(bundleWorkflows({ cacheFolder: folder })).resolves.toEqual({ code: 'the kept one' });
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
