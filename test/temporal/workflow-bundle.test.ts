import { createHash } from 'node:crypto';
import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sampleOf, itOfAll } from '../helpers/sample.ts';
import { buildBundles, bundleWorkflows } from '../../src/temporal/workflow-bundle.ts';

/** Holds a bundle. Compiling takes a second: a test that needs a stored bundle copies this one. */
let storedFolder: string;
let code: string;
beforeAll(async () => {
  storedFolder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-bundle-'));
  ({ code } = await bundleWorkflows({ cacheFolder: storedFolder }));
});
afterAll(() => rm(storedFolder, { recursive: true }));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-bundle-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('bundleWorkflows', () => {
  it('keeps a bundle for the next start, and deletes old ones', async () => {
    const old = path.join(folder, 'workflows-old.js');
    const other = path.join(folder, 'temporal-1.8.2');
    const longAgo = new Date(Date.now() - 31 * 86_400_000);
    for (const file of [old, other]) {
      await writeFile(file, '');
      await utimes(file, longAgo, longAgo);
    }
    const bundle = await bundleWorkflows({ cacheFolder: folder });
    expect(bundle.code).toContain('runProspecting');
    const [kept = '', ...rest] = (await readdir(folder)).toSorted().toReversed();
    expect(rest).toEqual(['temporal-1.8.2']);

    const another = 'the kept one';
    const digest = createHash('sha256').update(another).digest('hex');
    await writeFile(path.join(folder, kept), `${digest}\n${another}`);
    await expect(bundleWorkflows({ cacheFolder: folder })).resolves.toEqual({
      code: `const heartbeatTimeoutMs = 30000; ${another}`,
    });
  });

  const spoilt: readonly [string, (bytes: Buffer) => Buffer][] = [
    ['truncated', (bytes) => bytes.subarray(0, bytes.length - 1_000)],
    ['emptied', () => Buffer.alloc(0)],
    ['without its digest', (bytes) => bytes.subarray(bytes.indexOf('\n') + 1)],
  ];
  it.each(sampleOf(spoilt, 1))(
    'bundles again when the stored bundle is %s, and stores the new one',
    async (_, spoil) => {
      await cp(storedFolder, folder, { recursive: true });
      const [name = ''] = await readdir(folder);
      const whole = await readFile(path.join(folder, name));
      await writeFile(path.join(folder, name), spoil(whole));
      const again = await bundleWorkflows({ cacheFolder: folder });
      expect(again.code === code).toBe(true);
      expect(whole.equals(await readFile(path.join(folder, name)))).toBe(true);
      await expect(readdir(folder)).resolves.toEqual([name]);
    },
  );

  const plantings: readonly [string, (file: string) => Promise<void>][] = [
    ['can be written by others', (file) => chmod(file, 0o666)],
    ['is a link', (file) => rename(file, `${file}.real`).then(() => symlink(`${file}.real`, file))],
  ];
  itOfAll.each(sampleOf(plantings, 1))('bundles again when the stored bundle %s', async (_, plant) => {
    await cp(storedFolder, folder, { recursive: true });
    const [name = ''] = await readdir(folder);
    const file = path.join(folder, name);
    const planted = 'what another user wrote';
    await writeFile(file, `${createHash('sha256').update(planted).digest('hex')}\n${planted}`);
    await plant(file);
    const again = await bundleWorkflows({ cacheFolder: folder });
    expect(again.code === code).toBe(true);
    expect((await lstat(file)).mode & 0o777).toBe(0o600);
  });

  itOfAll('stores a bundle for each failure converter, which is part of the bundle', async () => {
    await cp(storedFolder, folder, { recursive: true });
    const failureConverterPath = path.join(__dirname, '../../src/temporal/codec/failure-converter.ts');
    await bundleWorkflows({ cacheFolder: folder, failureConverterPath });
    await expect(readdir(folder)).resolves.toHaveLength(2);
  });

  itOfAll('returns a bundle when it cannot store it', async () => {
    const file = path.join(folder, 'a-file');
    await writeFile(file, '');
    const bundle = await bundleWorkflows({ cacheFolder: path.join(file, 'below') });
    expect(bundle.code).toContain('runProspecting');
  });

  itOfAll('uses the shipped bundle only for the same content and sources, without compiling', async () => {
    const failureConverterPath = path.join(__dirname, '../../src/temporal/codec/failure-converter.ts');
    const shippedFolder = path.join(folder, 'shipped');
    const cacheFolder = path.join(folder, 'cache');
    await buildBundles(shippedFolder, [{ failureConverterPath }]);
    await cp(storedFolder, shippedFolder, { recursive: true });
    const names = await readdir(shippedFolder);
    expect(names).toHaveLength(2);
    for (const name of names) await mark(path.join(shippedFolder, name));
    const plain = await bundleWorkflows({ cacheFolder, shippedFolder });
    const encrypted = await bundleWorkflows({ cacheFolder, shippedFolder, failureConverterPath });
    expect([plain.code, encrypted.code].map((code) => code.includes('// shipped'))).toEqual([true, true]);
    expect(plain.code).not.toBe(encrypted.code);
    await expect(readdir(cacheFolder)).rejects.toThrow('ENOENT');

    // As if the program had been changed since they were built.
    for (const name of names)
      await rename(path.join(shippedFolder, name), path.join(shippedFolder, `workflows-${'0'.repeat(64)}.js`));
    const bundle = await bundleWorkflows({ cacheFolder, shippedFolder });
    expect(bundle.code.includes('runProspecting')).toBe(true);
    expect(bundle.code.includes('// shipped')).toBe(false);
  });

  it('contains no path of the machine on which it was built', () => {
    const sourceMap = Buffer.from(code.slice(code.lastIndexOf('base64,') + 'base64,'.length), 'base64').toString();
    expect(sourceMap.includes('/workflows/run-prospecting.ts"')).toBe(true);
    expect((code + sourceMap).includes(path.join(__dirname, '../..'))).toBe(false);
  });
});

/** A bundle that can be told from one that was compiled now. */
async function mark(file: string): Promise<void> {
  const built = await readFile(file, 'utf8');
  const code = `// shipped\n${built.slice(built.indexOf('\n') + 1)}`;
  await writeFile(file, `${createHash('sha256').update(code).digest('hex')}\n${code}`);
}
