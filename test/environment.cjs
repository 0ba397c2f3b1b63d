const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Processes that wait for a command (test/helpers/run-command.ts). They stay for the next test file of this process. */
globalThis.idleCommandHosts ??= [];

/** Tests share the globals of their process with the program, whose modules are loaded once for all test files (runtime.mjs). */
module.exports = class {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  console = globalThis.console;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Jest requires one. The runtime compiles without it. */
  getVmContext() {
    return {};
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    globalThis.console = this.console;
  }
};
