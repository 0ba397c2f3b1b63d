import circus from 'jest-circus/runner';

/**
 * Runs a test file as Jest does. The process that prints gets the result of the file, and no message at the begin and end of each test: these
 * messages took an eighth of the processor's time.
 */
export default function runFile(globalConfig, config, environment, runtime, testPath) {
  return circus.default(globalConfig, config, environment, runtime, testPath);
}
