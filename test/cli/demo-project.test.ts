import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDemoProject } from '../../src/cli/demo-project.ts';
import { serveSandbox } from '../../sandbox/serve-sandbox.ts';

describe('createDemoProject', () => {
  it('keeps a configuration that was changed, and writes the files of the new sandbox', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-demo-project-'));
    const served = await serveSandbox({ seed: 1 });
    const first = await createDemoProject(folder, served, 1);
    expect(first.isKept).toBe(false);
    await writeFile(first.config, '# mine\n');
    await rm(path.join(folder, 'companies.csv'));
    const second = await createDemoProject(folder, served, 1);
    expect(second).toMatchObject({ config: first.config, isKept: true });
    expect(await readFile(first.config, 'utf8')).toBe('# mine\n');
    expect(await readFile(path.join(folder, 'companies.csv'), 'utf8')).toContain('company_name');
    await served.close();
    await rm(folder, { recursive: true });
  });
});
