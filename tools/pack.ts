/**
 * Steps before and after `npm pack`. Node runs no TypeScript below node_modules, so the package contains compiled JavaScript in
 * dist/, with the folders of the repository, the workflow bundles, and the licences of the code of others. `clean` removes dist/ again.
 *   node tools/pack.ts build|clean
 */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeThirdPartyNotices } from './package-licences.ts';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');

const task = process.argv[2];
if (task !== 'build' && task !== 'clean') throw new Error('usage: node tools/pack.ts build|clean');
rmSync(dist, { recursive: true, force: true });
if (task === 'build') build();

function build(): void {
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  execFileSync(tsc, ['-p', 'tsconfig.package.json'], { cwd: root, stdio: ['ignore', 2, 2] });
  cpSync(path.join(root, 'tools/temporal'), path.join(dist, 'tools/temporal'), { recursive: true });
  execFileSync(process.execPath, [path.join(dist, 'src/temporal/build-workflow-bundles.js')], {
    stdio: ['ignore', 2, 2],
  });
  writeThirdPartyNotices(root, dist);
}
