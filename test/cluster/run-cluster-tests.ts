// `npm run test:cluster`: the tests on Temporal's server of docker-compose.yml with PostgreSQL, where this machine has what they need.
import path from 'node:path';
import { buildArgv, runCLI } from 'jest';
import { findGo } from '../../src/temporal/dev-server/build-temporal.ts';
import { causeOf } from '../../src/temporal/temporal-unavailable-error.ts';
import { needsPsql } from '../helpers/describe-if.ts';
import { findPsql } from '../helpers/postgres.ts';
import { buildServerPrograms, findServerPrograms } from '../helpers/server-programs.ts';

const say = (text: string) => process.stderr.write(`${text}\n`);
const isBuilt = (await findServerPrograms(process.env)) !== null;
const missing = [
  ...(findPsql() === null ? [`${needsPsql.needs} is required (apt-get install ${needsPsql.debianPackage})`] : []),
  ...(isBuilt
    ? []
    : await findGo(process.env).then(
        () => [],
        (error: unknown) => [`${causeOf(error)} (https://go.dev/dl/)`],
      )),
];
if (missing.length > 0) say(`test:cluster was not run: ${missing.join('; ')}`);
else {
  if (!isBuilt) await buildServerPrograms(process.env, say);
  process.env['PROSPECT_SYNC_TESTS'] = 'cluster';
  const argv = await buildArgv(['--runInBand', ...process.argv.slice(2)]);
  const { results } = await runCLI(argv, [path.join(import.meta.dirname, '../..')]);
  // All files use one cluster; a start takes longer than most of them.
  await (await globalThis.temporalOnPostgres)?.end();
  say(`test:cluster took ${Math.round(performance.now() / 1000)} s`);
  process.exitCode = results.success ? 0 : 1;
}
