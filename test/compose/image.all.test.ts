import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRun } from '../../src/worker/start-workflows.ts';
import { startSandbox } from '../helpers/command.ts';
import { addRun } from '../helpers/project-runs.ts';
import { startReadOnlyWorker, whyNothingReadOnly } from '../helpers/read-only-worker.ts';
import { startTemporal } from '../helpers/temporal-server.ts';
import { buildImage } from './image-folder.ts';
import { describeIf } from '../helpers/describe-if.ts';

const reason = whyNothingReadOnly();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-image-'));
});
afterAll(() => rm(folder, { recursive: true }));

describeIf(reason === null, { needs: `a read-only file system (${reason})` })('the image', () => {
  it('works on a read-only file system, with a temporary folder where nothing can be executed', async () => {
    const project = path.join(folder, 'project');
    const program = buildImage(path.join(folder, 'app'));
    await using cleanup = new AsyncDisposableStack();
    const sandbox = cleanup.adopt(await startSandbox(project), (opened) => opened.stop());
    const temporal = cleanup.adopt(await startTemporal(), (opened) => opened.stop());
    const env = { ...sandbox.env, TEMPORAL_ADDRESS: temporal.address };
    const plan = await addRun({ folder: project, env }, 'read-only', { briefing_quantity: 20 });
    const worker = await startReadOnlyWorker({
      program,
      args: ['worker', '--config', path.join(project, 'prospect-sync.yaml'), '--data-dir', path.join(project, 'data')],
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
