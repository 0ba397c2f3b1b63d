import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createFolder } from '../temporal/dev-server/stand-ins.ts';

const root = path.join(__dirname, '../..');

function check(file: string) {
  const args = ['--disable-warning=ExperimentalWarning', 'tools/check-lockfile.ts', file];
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
}

describe('tools/check-lockfile.ts', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await createFolder();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('accepts the lockfile of this clone', () => {
    expect(check('package-lock.json')).toMatchObject({ status: 0, stderr: '' });
  });

  it('reports each entry without a digest, or with a host of its own', async () => {
    const integrity = `sha512-${'A'.repeat(86)}==`;
    const packages = {
      '': { name: 'own' },
      'tools/node': { name: 'own-folder' },
      'node_modules/node': { resolved: 'tools/node', link: true },
      'node_modules/copied': { resolved: 'file:tools/node' },
      'node_modules/good': { integrity },
      'node_modules/optional': { version: '1.0.0', optional: true },
      'node_modules/weak': { integrity: 'sha1-aaaa' },
      'node_modules/hosted': { integrity, resolved: 'http://registry.example/hosted.tgz' },
      '../outside': {},
      'node_modules/outside': { resolved: '../outside', link: true },
      'node_modules/outside-copy': { resolved: 'file:../outside' },
      'node_modules/a/node_modules/from-git': { resolved: 'git+ssh://git@example/x.git#1' },
    };
    const file = path.join(folder, 'package-lock.json');
    await writeFile(file, JSON.stringify({ lockfileVersion: 3, packages }));
    const { status, stdout, stderr } = check(file);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trim().split('\n').slice(0, -1)).toEqual([
      'node_modules/optional: no SHA-512 digest',
      'node_modules/weak: no SHA-512 digest',
      'node_modules/hosted: names where it comes from: http://registry.example/hosted.tgz',
      '../outside: no SHA-512 digest',
      'node_modules/outside: no SHA-512 digest',
      'node_modules/outside: names where it comes from: ../outside',
      'node_modules/outside-copy: no SHA-512 digest',
      'node_modules/outside-copy: names where it comes from: file:../outside',
      'node_modules/a/node_modules/from-git: no SHA-512 digest',
      'node_modules/a/node_modules/from-git: names where it comes from: git+ssh://git@example/x.git#1',
    ]);
  });
});
