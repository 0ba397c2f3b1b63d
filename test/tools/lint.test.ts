import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createFolder } from '../dev-server/stand-ins.ts';

const root = path.join(__dirname, '../..');

describe('.oxlintrc.json', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await createFolder();
    await copyFile(path.join(root, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Lints a tree of files, given by path and what they import, in a process of its own. */
  async function lint(files: Readonly<Record<string, readonly string[]>>): Promise<string[]> {
    for (const [name, imports] of Object.entries(files)) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      const lines = imports.map((imported, at) => `import type { T${at} } from '${imported}';`);
      const names = ['string', ...imports.map((_, at) => `T${at}`)];
      await writeFile(file, `${lines.join('\n')}\nexport type All = ${names.join(' | ')};\n`);
    }
    const args = [path.join(root, 'node_modules/oxlint/bin/oxlint'), '--format=json'];
    const child = spawn(process.execPath, args, { cwd: folder });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    await once(child, 'close');
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; message: string }[] };
    return diagnostics.map(({ code, message }) => `${code} ${/^'[^']+'/.exec(message)?.[0] ?? ''}`.trim());
  }

  it.each([
    ['src/sandbox/a.ts', '../'],
    ['src/sandbox/service/a.ts', '../../'],
    ['src/sandbox/service/store/a.ts', '../../../'],
    ['src/sandbox/service/store/deeper/a.ts', '../../../../'],
    ['src/conformance/a.ts', '../'],
    ['src/conformance/checks/a.ts', '../../'],
    ['src/conformance/checks/deeper/a.ts', '../../../'],
  ])('keeps %s from every other room of the product', async (file, up) => {
    const rooms = [
      'prospecting/client.ts',
      'hubspot/client.ts',
      'ledger/ledger.ts',
      'cli/terminal.ts',
      'mapping/identity.ts',
    ];
    const shared = file.includes('sandbox') ? 'conformance/check.ts' : 'sandbox/clock.ts';
    const imports = [...rooms, shared, 'run-plan.ts', '../activities/clients.ts'].map((room) => `${up}${room}`);
    const found = await lint({ [file]: imports });
    expect(found).toEqual(imports.map((imported) => `eslint(no-restricted-imports) '${imported}'`));
  });

  it('lets the stand-ins import what they share with the product, and their own', async () => {
    const shared = ['contract/index.ts', 'contract/limits.ts', 'webhook/signature.ts', 'spreadsheet/table.ts'];
    const found = await lint({
      'src/sandbox/a.ts': [...shared.map((room) => `../${room}`), './hubspot/sandbox.ts', './clock.ts'],
      'src/sandbox/service/a.ts': [
        ...shared.map((room) => `../../${room}`),
        '../hubspot/sandbox.ts',
        '../../../package.json',
      ],
      'src/sandbox/service/store/a.ts': [...shared.map((room) => `../../../${room}`), '../../hubspot/a.ts', '../b.ts'],
      'src/conformance/a.ts': ['../contract/index.ts', './checks/orders.ts'],
      'src/conformance/checks/a.ts': ['../../contract/operation.ts', '../check.ts', './orders.ts'],
    });
    expect(found).toEqual([]);
  });

  it('finds a circle of types in conformance', async () => {
    const found = await lint({ 'src/conformance/a.ts': ['./b.ts'], 'src/conformance/b.ts': ['./a.ts'] });
    expect(found).toContain('import(no-cycle)');
  });
});
