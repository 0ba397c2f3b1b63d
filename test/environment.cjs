const vm = require('node:vm');
const NodeEnvironment = require('jest-environment-node').default;

/** Processes that wait for a command (test/helpers/run-command.ts). They stay for the next test file of this process. */
const idleCommandHosts = [];

/**
 * Jest looks every global up (`Object`, `Array`, `Error`) through a proxy, which takes ten times as long as an ordinary global
 * object and doubles the time of tests that compute.
 */
module.exports = class extends NodeEnvironment {
  constructor(...parameters) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...parameters);
    } finally {
      vm.createContext = createContext;
    }
    this.global.idleCommandHosts = idleCommandHosts;
  }
};
