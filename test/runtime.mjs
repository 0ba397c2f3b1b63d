import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { configureGlobal } from 'fast-check';
import JestRuntime from 'jest-runtime';

// Properties that state no number of runs (test/helpers/sample.ts): 100 is fast-check's own.
configureGlobal({ numRuns: process.env.PROSPECT_SYNC_TESTS === 'all' ? 100 : 20 });

const require = createRequire(import.meta.url);
const tests = import.meta.dirname + path.sep;

/**
 * Test files and their helpers are loaded as Jest does, anew for each file. What they test and all packages are loaded as Node does, once
 * for all test files of a process: Jest's own way took a third of the processor's time.
 */
export default class Runtime extends JestRuntime {
  constructor(...parameters) {
    super(...parameters);
    const { executor } = this;
    executor.compile = (source, filename) => compileFunction(source, executor.injectedModuleParameters, { filename });
  }

  requireModuleOrMock(from, name) {
    const file = from.startsWith(tests) && !isBuiltin(name) && name !== '@jest/globals' ? findFile(from, name) : tests;
    return file.startsWith(tests) ? super.requireModuleOrMock(from, name) : require(file);
  }
}

/** As an import finds it: packages that have two forms are loaded in the one that the program gets. */
function findFile(from, name) {
  return name.startsWith('.') ? path.resolve(path.dirname(from), name) : fileURLToPath(import.meta.resolve(name));
}
