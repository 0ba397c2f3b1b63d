import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'npx-'));
  await mkdir(path.join(folder, 'node_modules/.bin'), { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"name":"installation","version":"1.0.0","private":true}');
  await symlink(root, path.join(folder, 'node_modules/prospect-sync'));
  await symlink('../prospect-sync/tools/prospect-sync.mjs', path.join(folder, 'node_modules/.bin/prospect-sync'));
});

afterEach(() => rm(folder, { recursive: true }));

describe('npx prospect-sync', () => {
  it('ends the command when a signal reaches only npx', async () => {
    const ports = ['--port', '0', '--hubspot-port', '0', '--control-port', '0'];
    const npx = spawn('npx', ['--offline', 'prospect-sync', 'sandbox', ...ports], {
      cwd: folder,
      // A group of its own, so that nothing of it outlives a failed test.
      detached: true,
      env: { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}` },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [ready] = await once(npx.stdout, 'data');
      expect(String(ready)).toContain('hubspot');
      npx.kill('SIGTERM');
      // All processes that could write to it have ended.
      await once(npx, 'close');
    } finally {
      if (npx.pid !== undefined) endGroup(npx.pid);
    }
  });
});

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
