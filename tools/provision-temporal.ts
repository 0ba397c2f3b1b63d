// Downloads or builds the Temporal CLI before the tests, because many test files need it at once.
import { openCacheFolder } from '../src/base/host/cache-folder.ts';
import { locateTemporal } from '../src/temporal/dev-server/locate-temporal.ts';
import { TemporalUnavailableError } from '../src/temporal/temporal-unavailable-error.ts';

const { problem } = openCacheFolder(process.env);
if (problem !== null) console.error(problem);
try {
  await locateTemporal({ env: process.env, say: (text) => console.error(text) });
} catch (error) {
  if (!(error instanceof TemporalUnavailableError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
