import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.join(__dirname, '../..');

/** What a file imports, and the rules that forbid it. */
const imports: readonly (readonly [file: string, imported: string, rules: readonly string[]])[] = [
  ['workflows/reads-the-ledger.ts', 'src/ledger/ledger.ts', ['workflows-are-deterministic']],
  ['workflows/reads-names.ts', 'src/ledger/crm-outcomes.ts', []],
  ['workflows/reads-a-file.ts', 'node:fs', ['workflows-and-reading-use-no-node-modules']],
  ['workflows/starts-a-process.ts', 'node:child_process', ['workflows-and-reading-use-no-node-modules']],
  ['workflows/calls-hubspot.ts', 'src/hubspot/client.ts', ['workflows-are-deterministic', ofRoom('workflows')]],
  ['src/service/reading/hashes.ts', 'node:crypto', ['workflows-and-reading-use-no-node-modules']],
  ['src/delivery/mapping/reads-a-file.ts', 'node:fs/promises', ['pure-folders-do-no-io']],
  ['src/proof/checks/reads-the-ledger.ts', 'src/ledger/ledger.ts', ['pure-folders-do-no-io']],
  ['src/service/contract/calls.ts', 'src/service/client/client.ts', ['pure-folders-do-no-io']],
  ['sandbox/uses-the-contract.ts', 'src/service/contract/index.ts', []],
  ['sandbox/signs.ts', 'src/replies/webhook-signature.ts', []],
  ['sandbox/receives.ts', 'src/replies/receiver.ts', [ofRoom('sandbox')]],
  ['sandbox/service/dialect/reads-the-version.ts', 'package.json', []],
  ['sandbox/service/dialect/writes-files.ts', 'src/base/spreadsheet/table.ts', []],
  ['sandbox/service/uses-the-other-sandbox.ts', 'sandbox/hubspot/sandbox.ts', []],
  ['conformance/reads-names.ts', 'src/service/reading/shape.ts', []],
  ['conformance/checks/uses-the-contract.ts', 'src/service/contract/operation.ts', []],
  ['conformance/checks/uses-the-probe.ts', 'conformance/probe/check.ts', []],
  ['src/cli/starts-the-sandbox.ts', 'sandbox/clock.ts', []],
  ['src/worker/registers.ts', 'activities/orders.ts', []],
  ...foreignImports('src/base', ['src/service', 'src/ledger', 'src/cli', 'activities', 'workflows', 'sandbox']),
  ...foreignImports('src/service', ['src/hubspot', 'src/ledger', 'src/config', 'conformance']),
  ...foreignImports('src/hubspot', ['src/service', 'src/ledger', 'src/cli']),
  ...foreignImports('src/ledger', ['src/delivery', 'src/hubspot', 'activities']),
  ...foreignImports('src/delivery', ['src/config', 'src/proof', 'src/replies', 'src/companies']),
  ...foreignImports('src/config', ['src/companies', 'src/temporal', 'src/proof']),
  ...foreignImports('src/proof', ['src/companies', 'src/cli', 'src/worker']),
  ...foreignImports('src/companies', ['src/delivery', 'src/cli', 'src/replies']),
  ...foreignImports('src/replies', ['src/companies', 'src/worker', 'src/temporal']),
  ...foreignImports('src/temporal', ['src/worker', 'src/ledger', 'src/cli']),
  ...foreignImports('src/worker', ['src/cli', 'sandbox', 'conformance']),
  ...foreignImports('src/cli', ['activities']),
  ...foreignImports('activities', ['workflows', 'sandbox', 'conformance', 'src/cli', 'src/worker', 'src/temporal']),
  ...['sandbox', 'sandbox/service', 'sandbox/service/dialect/deeper'].flatMap((folder) =>
    foreignImports(folder, ['src/service/client', 'src/ledger', 'src/cli', 'activities', 'conformance']),
  ),
  ...['conformance', 'conformance/checks/deeper'].flatMap((folder) =>
    foreignImports(folder, ['src/service/client', 'src/ledger', 'src/base/host', 'activities', 'sandbox']),
  ),
];

function ofRoom(folder: string): string {
  const [, room = ''] = /^(?:src\/)?([^/]+)/.exec(folder) ?? [];
  return `${room}-uses-its-rooms-only`;
}

/** An import of each part of the product that a folder must not use. */
function foreignImports(folder: string, foreign: readonly string[]) {
  return foreign.map((room, place) => [`${folder}/foreign-${place}.ts`, `${room}/used.ts`, [ofRoom(folder)]] as const);
}

describe('.dependency-cruiser.cjs', () => {
  let folder: string;
  let found: string[];
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-dependencies-'));
    for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json'])
      await copyFile(path.join(root, name), path.join(folder, name));
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    const write = async (name: string, text: string) => {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), text);
    };
    for (const [file, imported] of imports) {
      const stub = imported.endsWith('.json') ? '{}' : 'export const used = 1;\n';
      const isOfNode = imported.startsWith('node:');
      if (!isOfNode) await write(imported, stub);
      const specifier = isOfNode ? imported : path.relative(path.dirname(file), imported).replace(/^(?!\.)/, './');
      await write(file, `import * as imported from '${specifier}';\nexport const all = imported;\n`);
    }
    await write('src/proof/a.ts', "import type { B } from './b.ts';\nexport type A = B | 1;\n");
    await write('src/proof/b.ts', "import type { A } from './a.ts';\nexport type B = A | 2;\n");
    found = await cruise(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(imports)('%s may import %s unless a rule forbids it: %j', (file, _, rules) => {
    const broken = found
      .filter((line) => line.includes(`: ${file} `))
      .map((line) => /error ([\w-]+):/.exec(line)?.[1])
      .filter((rule) => rule?.startsWith('no-circles') !== true);
    expect(new Set(broken)).toEqual(new Set(rules));
  });

  it('forbids circles, of types too', () => {
    expect(found).toContainEqual(expect.stringMatching(/no-circles: src\/proof\/[ab]\.ts/));
  });
});

/** The lines that name a violation. */
async function cruise(cwd: string): Promise<string[]> {
  const cli = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, 'src', 'sandbox', 'conformance', 'workflows', 'activities', '--output-type', 'err'],
    { cwd },
  ).catch((error: { stdout: string }) => error);
  return stdout.split('\n').filter((line) => /^\s*error/.test(line));
}
