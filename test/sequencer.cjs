const Sequencer = require('@jest/test-sequencer').default;

/** Tests that start processes and wait for them. Begun last, each would keep one core waiting at the end. */
const slowFolders = /\/test\/(?:cli|cluster|compose|fuzz|schedules|workflows)\//;

module.exports = class extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => (slowFolders.test(path) ? 0 : 1);
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
};
