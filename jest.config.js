import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';

// For the threads and processes of tests, which read TypeScript: half of the time of a short one.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, 'node_modules/.cache/compiled');

// Its workers add what they miss; test/skipped-reporter.cjs reads it at the end.
process.env.PROSPECT_SYNC_SKIPPED ??= path.join(tmpdir(), `prospect-sync-skipped-${process.pid}`);

const part = process.env.PROSPECT_SYNC_TESTS;
/** On Temporal's server with PostgreSQL: `npm run test:cluster`. Those without `.cluster` run on the dev server too. */
const clusterTests = [
  'cluster/*.cluster',
  'ui/filters.all',
  'temporal/schedules/{schedules,backfill-schedule,apply-schedules}',
];

/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/test/environment.cjs',
  runtime: '<rootDir>/test/runtime.mjs',
  testRunner: '<rootDir>/test/runner.mjs',
  testMatch: (part === 'cluster' ? clusterTests : ['**/*']).map((files) => `<rootDir>/test/${files}.test.ts`),
  // Clusters, containers and browsers: `npm run test:all`.
  testPathIgnorePatterns: { all: ['\\.cluster\\.test'], cluster: [] }[part] ?? ['\\.(?:all|cluster)\\.test\\.ts$'],
  reporters: ['default', '<rootDir>/test/skipped-reporter.cjs'],
  transform: {
    '^.+\\.(t|j|mj)s$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  // Compiled code is run from here: the folder for temporary files, jest's own choice, is open to other users.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  // Jest leaves a core to itself, which on two cores halves everything; many tests wait for other processes anyway. With two workers a
  // core, each test takes a seventh more of the processor.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // No test needs an earlier one of its file. The printed seed repeats an order: `--seed=N`.
  randomize: true,
  testSequencer: '<rootDir>/test/sequencer.cjs',
  workerIdleMemoryLimit: '1GB',
  // No test measures time, and machines are busy: this only ends what hangs.
  testTimeout: 300_000,
};
