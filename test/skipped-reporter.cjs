const { existsSync, readFileSync, rmSync } = require('node:fs');

/** Ends the output with the counts of all tests, and with what the machine needs so that none is skipped. */
module.exports = class {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites }) {
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    const counts = `${numPassedTests} passed, ${failed} failed, ${numPendingTests} skipped`;
    // Jest prints its own summary after all reporters.
    process.once('exit', () => process.stderr.write(`\n${counts}\nSkipped: ${describeSkipped(numPendingTests)}\n`));
  }
};

function describeSkipped(count) {
  const list = process.env.PROSPECT_SYNC_SKIPPED;
  const lines = existsSync(list) ? new Set(readFileSync(list, 'utf8').trim().split('\n')) : new Set();
  rmSync(list, { force: true });
  if (lines.size === 0) return `${count} tests`;
  const missing = [...lines].map((line) => JSON.parse(line));
  const packages = new Set(missing.flatMap(({ debianPackage }) => debianPackage ?? []));
  const remedy = packages.size === 0 ? '' : `. Install them: apt-get install ${[...packages].join(' ')}`;
  return `${count} tests, because the machine lacks: ${missing.map(({ needs }) => needs).join('; ')}${remedy}`;
}
