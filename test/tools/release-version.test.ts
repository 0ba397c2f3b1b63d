import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const { version } = JSON.parse(read('package.json'));
const files = globSync(['docker-compose.yml', 'deploy/kubernetes/*.yaml', 'README.md', 'docs/*.md'], { cwd: root });

describe('the version of package.json', () => {
  it('is the one of every image, tarball and example in the documents', () => {
    const found = files.flatMap((file) =>
      [...read(file).matchAll(/prospect-sync[-: ](\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?)/g)].map(([, named]) => ({
        file,
        named,
      })),
    );
    expect(found.filter(({ named }) => named !== version)).toEqual([]);
    expect(new Set(found.map(({ file }) => file))).toEqual(
      new Set([
        'docker-compose.yml',
        'deploy/kubernetes/receivers.yaml',
        'deploy/kubernetes/workers.yaml',
        'docs/certificate.md',
        'docs/deployment.md',
      ]),
    );
  });
});
