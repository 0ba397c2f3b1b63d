import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createFolder } from '../temporal/dev-server/stand-ins.ts';
import { describeIf } from '../helpers/describe-if.ts';

const tools = path.join(__dirname, '../../tools');
const oldNode = findOldNode();

describeIf(oldNode !== null, { needs: 'Node older than 22.16 on PATH' })(
  'tools/prospect-sync.mjs, on an old Node',
  () => {
    let root: string;
    beforeEach(async () => {
      root = await createFolder();
      await mkdir(path.join(root, 'tools'));
      for (const name of ['prospect-sync.mjs', 'async-disposable-stack.mjs']) {
        await copyFile(path.join(tools, name), path.join(root, 'tools', name));
      }
    });
    afterEach(() => rm(root, { recursive: true }));

    const start = () => spawnSync(oldNode?.file ?? '', ['tools/prospect-sync.mjs'], { cwd: root, encoding: 'utf8' });

    it('names the required Node version in the package', () => {
      const stderr = `prospect-sync needs Node 22.16 or newer; this is ${oldNode?.version}\n`;
      expect(start()).toMatchObject({ status: 1, stdout: '', stderr });
    });

    it('explains the setup in a clone, and in one that is set up which Node is needed', async () => {
      await mkdir(path.join(root, 'src/cli'), { recursive: true });
      await copyFile(path.join(tools, '../src/cli/main.ts'), path.join(root, 'src/cli/main.ts'));
      expect(start()).toMatchObject({ status: 1, stderr: expect.stringMatching(/^prospect-sync is not set up yet/) });
      await mkdir(path.join(root, 'node_modules'));
      const stderr = `prospect-sync needs Node 24 or newer in its clone; this is ${oldNode?.version}. npm ci has`;
      expect(start()).toMatchObject({ status: 1, stderr: expect.stringContaining(stderr) });
      expect(start().stderr).toContain('start it in its folder with npx prospect-sync, or put its node_modules/.bin');
    });
  },
);

/** The machine's own, as a rule: npm puts the clone's before it. */
function findOldNode(): { file: string; version: string } | null {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/bin', '/usr/local/bin'];
  for (const folder of new Set(folders)) {
    const file = path.join(folder, 'node');
    const version = (spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? '').trim();
    const [, major, minor] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
    if (major !== undefined && (Number(major) < 22 || (major === '22' && Number(minor) < 16))) return { file, version };
  }
  process.stderr.write('skipped: no Node older than 22.16 found\n');
  return null;
}
