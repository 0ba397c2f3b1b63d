const Sequencer = require('@jest/test-sequencer').default;

/** Tests that start processes and wait for them, or are long for the size of their files. */
const waitingFolders = /\/test\/(?:cli|cluster|compose|fuzz|specification|temporal|ui|worker|workflows)\//;
/** Of the others, which compute: the rest fills the end, when a waiting test would leave a core idle. */
const sharedPart = 0.8;

/** Between two tests that wait come some that compute, so that the cores are busy from the beginning to the end. */
module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const waiting = sorted.filter(({ path }) => waitingFolders.test(path));
    const computing = sorted.filter(({ path }) => !waitingFolders.test(path));
    const between = Math.floor((computing.length * sharedPart) / Math.max(1, waiting.length));
    const mixed = waiting.flatMap((test, index) => [test, ...computing.slice(index * between, (index + 1) * between)]);
    return [...mixed, ...computing.slice(waiting.length * between)];
  }
};
