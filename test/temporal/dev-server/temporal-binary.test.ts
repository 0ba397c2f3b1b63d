import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { cliVersion, findOnPath, readVersion } from '../../../src/temporal/dev-server/temporal-binary.ts';
import { createFolder, temporalScript, writeScript } from './stand-ins.ts';

describe('cliVersion', () => {
  it('is the version that the Go module builds', async () => {
    const goModule = await readFile(path.join(__dirname, '../../../tools/temporal/go.mod'), 'utf8');
    expect(goModule).toContain(`require github.com/temporalio/cli v${cliVersion}\n`);
  });
});

describe('readVersion and findOnPath', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await createFolder();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('find an executable in the first folder that has it', async () => {
    await writeScript(path.join(folder, 'one', 'other'), 'exit 0');
    const file = await writeScript(path.join(folder, 'two', 'temporal'), temporalScript('1.5.1'));
    const env = {
      PATH: ['relative', '.', '', path.join(folder, 'one'), path.join(folder, 'two')].join(path.delimiter),
    };
    expect(await findOnPath('temporal', env)).toBe(file);
    expect(await readVersion(file, env)).toBe('1.5.1');
    expect(await findOnPath('temporal', { PATH: path.join(folder, 'one') })).toBeNull();
    expect(await findOnPath('temporal', {})).toBeNull();
  });

  it('reject another program', async () => {
    const file = await writeScript(path.join(folder, 'temporal'), 'echo temporal logic checker 3');
    await expect(readVersion(file, {})).rejects.toThrow('does not answer like the Temporal CLI');
  });
});
