// The image without an engine: a folder that is filled, and a worker that is started there, as the Dockerfile says.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRun } from '../../src/worker/start-workflows.ts';
import { startSandbox } from '../helpers/command.ts';
import { addRun } from '../helpers/project-runs.ts';
import { startReadOnlyWorker, whyNothingReadOnly } from '../helpers/read-only-worker.ts';
import { startTemporal } from '../helpers/temporal-server.ts';
import { root } from '../helpers/compose-file.ts';
import { describeIf } from '../helpers/describe-if.ts';

const reason = whyNothingReadOnly();
const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-image-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The folder /app of the image, with this clone's packages. */
function buildImage(app: string): void {
  mkdirSync(app);
  symlinkSync(path.join(root, 'node_modules'), path.join(app, 'node_modules'));
  for (const [, copied = ''] of dockerfile.matchAll(/^COPY (?!--from)(.+)$/gm)) {
    const names = copied.split(' ');
    const target = path.join(app, names.pop() ?? '');
    const isFolder = names.length > 1 || copied.endsWith('/');
    for (const name of names)
      cpSync(path.join(root, name), isFolder ? path.join(target, path.basename(name)) : target, { recursive: true });
  }
  const [, compile = ''] = /^RUN (node .+)$/m.exec(dockerfile) ?? [];
  execFileSync('/bin/sh', ['-euc', compile], { cwd: app, stdio: 'pipe' });
}

describeIf(reason === null, { needs: `a read-only file system (${reason})` })('the image', () => {
  it('works on a read-only file system, with a temporary folder where nothing can be executed', async () => {
    const app = path.join(folder, 'app');
    const project = path.join(folder, 'project');
    buildImage(app);
    await using cleanup = new AsyncDisposableStack();
    const sandbox = cleanup.adopt(await startSandbox(project), (opened) => opened.stop());
    const temporal = cleanup.adopt(await startTemporal(), (opened) => opened.stop());
    const [, program = ''] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/prospect-sync/.exec(dockerfile) ?? [];
    const env = { ...sandbox.env, TEMPORAL_ADDRESS: temporal.address };
    const plan = await addRun({ folder: project, env }, 'read-only', { briefing_quantity: 20 });
    const worker = await startReadOnlyWorker({
      program: path.join(app, program),
      args: ['--config', path.join(project, 'prospect-sync.yaml'), '--data-dir', path.join(project, 'data')],
      folder,
      writable: project,
      env: { ...process.env, ...env },
    });
    cleanup.adopt(worker, (opened) => opened.stop());
    const { handle } = await startRun(temporal.client, plan, { label: '2026-11-23' });
    expect((await handle.result()).order).toMatchObject({ slots: 20, reconciled: 20, findings: [] });
    await worker.stop();
    expect(worker.said()).toContain('compiler: not loaded');
  });
});
