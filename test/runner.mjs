import circus from 'jest-circus/runner';

/**
 * Runs a test file as Jest does, but tells the process that prints of the file's result only: a message for each begin and end of a test
 * took an eighth of the processor's time.
 */
export default function runFile(globalConfig, config, environment, runtime, testPath) {
  return circus.default(globalConfig, config, environment, runtime, testPath);
}
