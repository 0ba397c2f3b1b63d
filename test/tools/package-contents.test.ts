import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findInstalledFileProblems, findPackedFileProblems } from '../../tools/package-contents.ts';
import { createFolder } from '../temporal/dev-server/stand-ins.ts';

const documents = ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md'];
const needed = [
  'package.json',
  ...documents,
  'dist/THIRD-PARTY-NOTICES.txt',
  'dist/tools/temporal/go.mod',
  'docs/images/shown.png',
];
const publishConfig = { tag: 'next', provenance: true };

let root: string;
beforeEach(async () => {
  root = await createFolder();
  for (const name of documents) await write(name, '');
  await write('README.md', '![A picture](docs/images/shown.png)');
  await write(
    'docs/cli.md',
    '[licence](../LICENSE), [images](images/), [page](https://acme.example/page), [above](#above)',
  );
});
afterEach(() => rm(root, { recursive: true }));

async function write(name: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(root, name)), { recursive: true });
  await writeFile(path.join(root, name), text);
}

describe('findPackedFileProblems', () => {
  it('names files that are not for users', () => {
    const unexpected = [
      '.env',
      'dist/test/cli/run.test.js',
      'dist/src/cli/main.d.ts',
      'dist/src/cli/main.js.map',
      'tools/pack.ts',
    ];
    const expected = [...needed, 'dist/src/cli/main.js', 'tools/prospect-sync.mjs', 'docs/cli.md'];
    expect(findPackedFileProblems(root, [...expected, ...unexpected])).toEqual(
      unexpected.map((file) => `the package contains the unexpected file ${file}`),
    );
  });

  it('names missing licences, documents, and targets of links and images', async () => {
    await write('docs/cli.md', '[a clause](../conformance/clauses/orders.ts#L1)');
    expect(findPackedFileProblems(root, ['README.md', 'docs/cli.md'])).toEqual(
      [...needed.filter((file) => file !== 'README.md'), 'conformance/clauses/orders.ts'].map(
        (file) => `the package lacks ${file}`,
      ),
    );
  });
});

describe('findInstalledFileProblems', () => {
  it('names code and source maps with the folder in which they were built', async () => {
    await write('package.json', JSON.stringify({ publishConfig }));
    await write('dist/THIRD-PARTY-NOTICES.txt', '');
    const map = Buffer.from(JSON.stringify({ sources: ['/build/src/index.ts'] })).toString('base64');
    await write('dist/bundle.js', `1;\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${map}`);
    await write('dist/code.js', "open('/build/file');");
    await write('dist/good.js', "open('/other/file');");
    expect(findInstalledFileProblems('/build', root).toSorted()).toEqual([
      'the package contains /build in dist/bundle.js',
      'the package contains /build in dist/code.js',
    ]);
  });

  it('names bundled packages without a notice, and a version that would become latest', async () => {
    await write('package.json', JSON.stringify({ publishConfig: { provenance: true } }));
    await write('dist/THIRD-PARTY-NOTICES.txt', 'named 1.0.0');
    for (const name of ['named', 'unnamed'])
      await write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0' }));
    expect(findInstalledFileProblems('/build', root)).toEqual([
      'the package contains unnamed 1.0.0, which THIRD-PARTY-NOTICES.txt does not name',
      'publishConfig in package.json needs the tag next, and provenance',
    ]);
  });
});
