/**
 * Which room may use which. `npm run rooms` checks it; imports of types count as well.
 * @type {import('dependency-cruiser').IConfiguration}
 */

/** The arrows of the architecture, from a room to the rooms that it may use. */
const uses = {
  'src/base': [],
  'src/service': ['src/base'],
  'src/hubspot': ['src/base'],
  'src/ledger': ['src/base', 'src/service'],
  'src/delivery': ['src/base', 'src/hubspot', 'src/ledger', 'src/service'],
  'src/config': ['src/base', 'src/delivery', 'src/hubspot', 'src/ledger', 'src/service'],
  'src/proof': ['src/base', 'src/config', 'src/delivery', 'src/hubspot', 'src/ledger', 'src/service'],
  'src/companies': ['src/base', 'src/config', 'src/hubspot', 'src/ledger', 'src/proof', 'src/service'],
  'src/replies': ['src/base', 'src/config', 'src/delivery', 'src/hubspot', 'src/ledger', 'src/service'],
  'src/temporal': ['src/base', 'src/config'],
  activities: [
    'src/base',
    'src/companies',
    'src/config',
    'src/delivery',
    'src/hubspot',
    'src/ledger',
    'src/proof',
    'src/replies',
    'src/service',
  ],
  // Types, names and pure functions only: see workflows-are-deterministic.
  workflows: [
    'activities',
    'src/base',
    'src/config',
    'src/delivery',
    'src/ledger',
    'src/proof',
    'src/replies',
    'src/temporal',
  ],
  'src/worker': ['activities', 'workflows', 'src/(?!cli/)[^/]+'],
  // Pages show what the ledger knows. What they do is done by commands, which the CLI gives them.
  'src/console': ['src/(base|companies|config|delivery|hubspot|ledger|proof|service)'],
  // Commands call the functions that activities call, or start workflows.
  'src/cli': ['workflows', 'sandbox', 'conformance', 'src/[^/]+'],
  // A sandbox that shares code with the product repeats its mistakes.
  sandbox: [
    'src/base/(http|json|spreadsheet|text|host/make-folder\\.ts|failures/system-code\\.ts)',
    'src/service/contract',
    'src/replies/webhook-signature\\.ts',
  ],
  // Conformance takes help neither from the sandbox nor from a client; service/reading reads what the specification does not name.
  conformance: ['src/base/(http|json|text|failures/system-code\\.ts)', 'src/service/(contract|reading)'],
};

const ownRooms = '^(src/[^/]+|activities|workflows|sandbox|conformance)/';
const arrows = Object.entries(uses).map(([room, used]) => ({
  name: `${room.replace('src/', '')}-uses-its-rooms-only`,
  severity: 'error',
  from: { path: `^${room}/` },
  to: { path: ownRooms, pathNot: `^(${[room, ...used].join('|')})(/|$)` },
}));

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-circles-between-folders', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
    ...arrows,
    {
      name: 'workflows-are-deterministic',
      comment:
        'Temporal replays workflow code: it runs no I/O and no zod, and knows activities by their types only. The bundler of Temporal refuses what is imported on the way.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: {
        path: '^(activities/|src/(config|hubspot|ledger)/|src/base/spreadsheet/|node_modules/zod/)',
        pathNot: '^src/ledger/crm-outcomes\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pure-folders-do-no-io',
      comment: 'Calendars, contract, mapping, comparisons and the reading of answers are pure functions.',
      severity: 'error',
      from: { path: '^src/(config/calendar|service/(contract|reading)|delivery/mapping|proof/checks)/' },
      to: {
        path: '^(src/(hubspot|ledger|service/client|temporal)/|(node:)?(fs|http|https|net|process)(/|$))',
        pathNot: '^src/ledger/(identity|property-values|stored-slot)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'workflows-and-reading-use-no-node-modules',
      severity: 'error',
      from: { path: '^(workflows|src/service/reading)/' },
      to: { dependencyTypes: ['core'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['\\.json$'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
