/**
 * Which folder may depend on which. `npm run dependencies` checks it; imports of types count as well.
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-circles-between-folders', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
    {
      name: 'workflows-are-deterministic',
      comment:
        'Temporal replays workflow code: it runs no I/O and no zod, and knows activities by their types only. The bundler of Temporal refuses what is imported on the way.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: {
        path: '^(activities/|sandbox/|src/(cli|config|hubspot|ledger|prospecting|runtime|spreadsheet|sql)/|node_modules/zod/)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'workflows-and-response-shape-use-no-node-modules',
      severity: 'error',
      from: { path: '^(workflows|src/service/reading)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'pure-folders-do-no-io',
      comment: 'Calendars, contract, mapping, reconciliation and the reading of answers are pure functions.',
      severity: 'error',
      from: { path: '^src/(calendar|contract|mapping|reconcile|response-shape)/' },
      to: {
        path: '^(activities/|workflows/|sandbox/|conformance/|src/(cli|hubspot|ledger|prospecting|runtime|temporal)/|(node:)?(fs|http|https|net|process)(/|$))',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'clients-know-no-users',
      comment: 'Clients, the ledger and the spreadsheets do not know who uses them.',
      severity: 'error',
      from: { path: '^src/(prospecting|hubspot|ledger|spreadsheet|sql)/' },
      to: { path: '^(activities/|workflows/|sandbox/|conformance/|src/(cli|runtime|temporal)/)' },
    },
    {
      name: 'http-and-text-stand-alone',
      severity: 'error',
      from: { path: '^src/(http|json|text)/' },
      to: { path: '^(activities|workflows|sandbox|conformance|src)/', pathNot: '^src/(http|json|text)/' },
    },
    {
      name: 'response-shape-uses-the-contract',
      comment: 'The reader of answers knows the contract, the rules for domains and the limits of foreign texts.',
      severity: 'error',
      from: { path: '^src/service/reading/' },
      to: {
        path: '^(activities|workflows|sandbox|conformance|src)/',
        pathNot: '^src/(response-shape|contract|text|json|mapping/website-domain\\.ts)',
      },
    },
    {
      name: 'sandbox-shares-the-interface-only',
      comment: 'A sandbox that shares code with the product repeats its mistakes.',
      severity: 'error',
      from: { path: '^sandbox/' },
      to: {
        path: '^(activities|workflows|conformance|src)/',
        pathNot: '^src/(contract|http|json|text|webhook|spreadsheet)/',
      },
    },
    {
      name: 'conformance-judges-by-the-contract',
      comment:
        'Conformance takes help neither from the sandbox nor from a client; src/service/reading reads what the specification does not name.',
      severity: 'error',
      from: { path: '^conformance/' },
      to: {
        path: '^(activities|workflows|sandbox|src)/',
        pathNot: '^src/(contract|http|json|text|response-shape)/',
      },
    },
    {
      name: 'activities-are-below-the-worker',
      severity: 'error',
      from: { path: '^activities/' },
      to: { path: '^(workflows/|sandbox/|conformance/|src/(cli|runtime|temporal)/)' },
    },
    {
      name: 'the-cli-uses-no-activities',
      comment: 'Commands call the functions that activities call, or start workflows.',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: { path: '^activities/' },
    },
    {
      name: 'the-runtime-needs-no-terminal',
      comment: 'Web processes and webhook receivers use the runtime as the CLI does.',
      severity: 'error',
      from: { path: '^src/(codec|config|failures|host|report|runtime|schedules|telemetry|temporal)/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'only-the-cli-uses-the-sandbox',
      severity: 'error',
      from: { path: '^(src|workflows|activities)/', pathNot: '^src/cli/' },
      to: { path: '^(sandbox|conformance)/' },
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
