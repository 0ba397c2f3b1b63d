import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findLicenceProblems, noticesFile, writeThirdPartyNotices } from '../../tools/package-licences.ts';
import { createFolder } from '../temporal/dev-server/stand-ins.ts';

let root: string;
beforeEach(async () => {
  root = await createFolder();
});
afterEach(() => rm(root, { recursive: true }));

async function write(name: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(root, name)), { recursive: true });
  await writeFile(path.join(root, name), text);
}

/** Writes the lockfile, and a package.json with the licence of each package that is installed. */
async function install(packages: Record<string, object>, licences: Record<string, string> = {}): Promise<void> {
  const entries = Object.entries(packages).map(([name, entry]) => [
    `node_modules/${name}`,
    { version: '1.0.0', ...entry },
  ]);
  const own = { version: '2.0.0', license: 'Apache-2.0' };
  await write('package-lock.json', JSON.stringify({ packages: { '': own, ...Object.fromEntries(entries) } }));
  for (const [name, license] of Object.entries(licences))
    await write(`node_modules/${name}/package.json`, JSON.stringify({ license, author: { name: 'Ada' } }));
}

describe('findLicenceProblems', () => {
  it.each(['MIT', '(MIT OR GPL-3.0-or-later)', '(MIT AND Zlib)'])('allows a dependency under %s', async (licence) => {
    await install({ needed: {} }, { needed: licence });
    expect(findLicenceProblems(root)).toEqual([]);
  });

  it.each([
    'GPL-3.0-or-later',
    'MIT AND GPL-3.0-or-later',
    '(MIT OR Zlib) AND GPL-3.0-or-later',
    'SEE LICENSE IN LICENSE',
  ])('names a dependency under %s', async (licence) => {
    await install({ needed: {} }, { needed: licence });
    const problem = `node_modules/needed 1.0.0 has the licence ${licence}, which is not in the list`;
    expect(findLicenceProblems(root)).toEqual([expect.stringContaining(problem)]);
  });

  it('names a dependency without a licence, and takes that of one for another platform from the lockfile', async () => {
    await install({ needed: {}, 'other-platform': { license: 'GPL-2.0-only' }, absent: { license: 'ISC' } });
    await write('node_modules/needed/package.json', '{}');
    expect(findLicenceProblems(root)).toEqual([
      expect.stringMatching(/^node_modules\/needed 1\.0\.0 names no licence\. Compare it/),
      expect.stringMatching(/^node_modules\/other-platform 1\.0\.0 has the licence GPL-2\.0-only/),
    ]);
  });

  it('does not examine packages that only developers need', async () => {
    await install({ tool: { dev: true } }, { tool: 'GPL-3.0-or-later' });
    expect(findLicenceProblems(root)).toEqual([]);
  });

  it('finds nothing in this repository', () => {
    expect(findLicenceProblems(path.join(__dirname, '../..'))).toEqual([]);
  });
});

describe('writeThirdPartyNotices', () => {
  it('contains the licences of bundled packages and of those in the workflow bundles, and of no others', async () => {
    const bundled = { inBundle: true };
    const ownFolder = { inBundle: true, resolved: 'file:tools/own' };
    await install(
      { bundled, 'in-readme': bundled, silent: bundled, own: ownFolder, '@scope/compiled': {}, other: {} },
      { bundled: 'MIT', 'in-readme': 'MIT', silent: 'ISC', own: 'Apache-2.0', '@scope/compiled': 'MIT', other: 'MIT' },
    );
    await write('LICENSE', 'text of prospect-sync');
    await write('node_modules/bundled/LICENSE.md', 'text of bundled\r\n');
    await write('node_modules/in-readme/README.md', '# Name\n\nUse it.\n\n## License\n\ntext in the README\n');
    await write('node_modules/@scope/compiled/license', 'text of compiled');
    await write('node_modules/@scope/compiled/NOTICE', 'notice of compiled');
    const sources = ['node_modules/@scope/compiled/lib/index.ts', './workflows/index.js'];
    const map = Buffer.from(JSON.stringify({ sources })).toString('base64');
    await write(
      'dist/workflow-bundles/one.js',
      `1;\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${map}`,
    );
    writeThirdPartyNotices(root, path.join(root, 'dist'));
    const [, ...sections] = (await readFile(path.join(root, 'dist', noticesFile), 'utf8')).split(/-{80}\n/);
    expect(sections.map((section) => section.trim())).toEqual([
      '@scope/compiled 1.0.0\n\nnotice of compiled\n\ntext of compiled',
      'bundled 1.0.0\n\ntext of bundled',
      'in-readme 1.0.0\n\ntext in the README',
      'own 1.0.0\n\ntext of prospect-sync',
      'silent 1.0.0\n\nThe package contains no licence text. Its package.json names the licence ISC and the author Ada.',
    ]);
  });
});
