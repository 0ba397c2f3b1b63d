import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.join(__dirname, '../..');

/** What a file imports, and the rule that forbids it; null: it is allowed. */
const imports: readonly (readonly [file: string, imported: string, rule: string | null])[] = [
  ['workflows/reads-the-ledger.ts', '../src/ledger/ledger.ts', 'workflows-are-deterministic'],
  ['workflows/reads-a-file.ts', 'node:fs', 'workflows-and-response-shape-use-no-node-modules'],
  ['workflows/starts-a-process.ts', 'node:child_process', 'workflows-and-response-shape-use-no-node-modules'],
  ['src/response-shape/hashes.ts', 'node:crypto', 'workflows-and-response-shape-use-no-node-modules'],
  ['src/mapping/reads-a-file.ts', 'node:fs/promises', 'pure-folders-do-no-io'],
  ['src/reconcile/reads-the-ledger.ts', '../ledger/ledger.ts', 'pure-folders-do-no-io'],
  ['src/hubspot/knows-the-cli.ts', '../cli/terminal.ts', 'clients-know-no-users'],
  ['src/ledger/knows-activities.ts', '../../activities/order-activities.ts', 'clients-know-no-users'],
  ['src/http/knows-hubspot.ts', '../hubspot/client.ts', 'http-and-text-stand-alone'],
  ['src/response-shape/knows-hubspot.ts', '../mapping/identity.ts', 'response-shape-uses-the-contract'],
  ['sandbox/uses-the-client.ts', '../src/prospecting/client.ts', 'sandbox-shares-the-interface-only'],
  ['sandbox/service/dialect/uses-the-ledger.ts', '../../../src/ledger/ledger.ts', 'sandbox-shares-the-interface-only'],
  ['sandbox/hubspot/uses-the-mapping.ts', '../../src/ledger/identity.ts', 'sandbox-shares-the-interface-only'],
  ['conformance/uses-the-sandbox.ts', '../sandbox/clock.ts', 'conformance-judges-by-the-contract'],
  [
    'conformance/checks/uses-the-client.ts',
    '../../src/service/client/prospecting-client.ts',
    'conformance-judges-by-the-contract',
  ],
  ['activities/knows-the-runtime.ts', '../src/runtime/worker.ts', 'activities-are-below-the-worker'],
  ['activities/connects.ts', '../src/temporal/connect-temporal.ts', 'activities-are-below-the-worker'],
  ['src/runtime/knows-the-sandbox.ts', '../../sandbox/clock.ts', 'only-the-cli-uses-the-sandbox'],
  ['src/cli/calls-an-activity.ts', '../../activities/orders.ts', 'the-cli-uses-no-activities'],
  ['src/runtime/knows-the-terminal.ts', '../cli/terminal.ts', 'the-runtime-needs-no-terminal'],
  ['sandbox/uses-the-contract.ts', '../src/contract/index.ts', null],
  ['sandbox/signs.ts', '../src/webhook/signature.ts', null],
  ['sandbox/service/dialect/reads-the-version.ts', '../../../package.json', null],
  ['sandbox/service/dialect/writes-files.ts', '../../../src/spreadsheet/table.ts', null],
  ['sandbox/service/uses-the-other-sandbox.ts', '../hubspot/sandbox.ts', null],
  ['conformance/reads-names.ts', '../src/response-shape/shape.ts', null],
  ['conformance/checks/uses-the-contract.ts', '../../src/service/contract/operation.ts', null],
  ['conformance/checks/uses-the-probe.ts', '../probe/check.ts', null],
  ...foreignImports('sandbox-shares-the-interface-only', 'conformance/checks.ts', [
    'sandbox',
    'sandbox/service',
    'sandbox/service/store',
    'sandbox/service/dialect/deeper',
  ]),
  ...foreignImports('conformance-judges-by-the-contract', 'sandbox/clock.ts', [
    'conformance',
    'conformance/checks',
    'conformance/checks/deeper',
  ]),
  ['src/cli/starts-the-sandbox.ts', '../../sandbox/clock.ts', null],
];

/** Imports of every part of the product that a folder must not know, from each depth of the folder. */
function foreignImports(rule: string, other: string, folders: readonly string[]) {
  const foreign = [
    'src/prospecting/client.ts',
    'src/hubspot/client.ts',
    'src/ledger/ledger.ts',
    'src/cli/terminal.ts',
    'src/ledger/identity.ts',
    'src/config/run-plan.ts',
    'activities/dependencies.ts',
    other,
  ];
  return folders.flatMap((folder) =>
    foreign.map((imported, place) => [`${folder}/foreign-${place}.ts`, path.relative(folder, imported), rule] as const),
  );
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
      if (imported.startsWith('.')) await write(path.join(path.dirname(file), imported), stub);
      await write(file, `import * as imported from '${imported}';\nexport const all = imported;\n`);
    }
    await write('src/report/a.ts', "import type { B } from './b.ts';\nexport type A = B | 1;\n");
    await write('src/report/b.ts', "import type { A } from './a.ts';\nexport type B = A | 2;\n");
    found = await cruise(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(imports)('%s may import %s unless a rule forbids it: %s', (file, _, rule) => {
    const rules = found.filter((line) => line.includes(`${file} `)).map((line) => /error ([\w-]+):/.exec(line)?.[1]);
    expect(rules).toEqual(rule === null ? [] : [rule]);
  });

  it('forbids circles, of types too', () => {
    expect(found).toContainEqual(expect.stringMatching(/no-circles: src\/report\/[ab]\.ts/));
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
