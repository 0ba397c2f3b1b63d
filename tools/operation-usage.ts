/**
 * Who uses each operation of the service, for docs/service-coverage.md; fields are in field-usage.ts, rules in rule-usage.ts. The rest of
 * that page is derived from the code. service-coverage.ts refuses a missing or stale entry, and a name in backticks that does not exist.
 */
export interface OperationUsage {
  /** Commands and settings that cause the request, or `not used: <reason>`. */
  readonly use: string;
  readonly test: string;
}

const exclusions = 'test/activities/exclusion-activities.test.ts';
const outputs = 'test/activities/output-activities.test.ts';

export const operationUsage: Readonly<Record<string, OperationUsage>> = {
  createBlacklist: {
    use: '`prospect-sync exclusions sync`, `prospect-sync run`: `exclusions.NAME.blacklist`',
    test: exclusions,
  },
  listBlacklists: {
    use: '`prospect-sync exclusions list`, `prospect-sync exclusions sync`, `prospect-sync doctor`',
    test: exclusions,
  },
  getBlacklist: {
    use: 'not used: `listBlacklists` returns every blacklist with the same fields',
    test: 'test/sandbox/service/blacklists.test.ts',
  },
  updateBlacklist: {
    use: '`prospect-sync exclusions sync`: after a change of `exclusions.NAME.blacklist` or `exclusions.NAME.description`',
    test: exclusions,
  },
  deleteBlacklist: { use: '`prospect-sync exclusions delete`', test: 'test/cli/exclusions.test.ts' },
  addEntries: { use: '`prospect-sync exclusions sync`, `prospect-sync run`', test: exclusions },
  listEntries: {
    use: '`prospect-sync exclusions sync`, `prospect-sync exclusions preview`, and the leak check of a run',
    test: 'test/service/client/blacklist-client.test.ts',
  },
  removeEntries: {
    use: '`prospect-sync exclusions sync`, `prospect-sync exclusions approve`: `exclusions.NAME.removals`',
    test: 'test/activities/exclusion-removals.test.ts',
  },
  listAssignedBlacklists: {
    use: '`prospect-sync exclusions list`, and before an assignment',
    test: 'test/cli/exclusions.test.ts',
  },
  assignBlacklists: { use: '`exclusions.NAME.attach`', test: 'test/cli/exclusions.test.ts' },
  createProfile: {
    use: '`prospect-sync run`: `runs.NAME.profile`',
    test: 'test/activities/profile-activities.test.ts',
  },
  getProfileCreation: {
    use: '`prospect-sync run`: `polling.profile`',
    test: 'test/activities/profile-activities.test.ts',
  },
  createOrder: {
    use: '`prospect-sync run`, `prospect-sync schedule trigger`: `runs`',
    test: 'test/activities/place-order-once.test.ts',
  },
  listOrders: {
    use: '`prospect-sync run`: finds an order whose answer was lost, and orders of other clients before a purchase',
    test: 'test/activities/place-order-once.test.ts',
  },
  getOrder: {
    use: '`prospect-sync run`, `prospect-sync ingest`, `prospect-sync reconcile`: `polling.order_first`, `polling.order_max`',
    test: 'test/activities/order-activities.test.ts',
  },
  listResults: {
    use: '`prospect-sync run`, `prospect-sync ingest`, `prospect-sync reconcile`, `prospect-sync service learn`',
    test: 'test/activities/result-activities.test.ts',
  },
  createExport: { use: '`runs.NAME.service_outputs[].endpoint`', test: 'test/activities/adopted-outputs.test.ts' },
  createOutput: { use: '`runs.NAME.service_outputs`', test: outputs },
  listOutputs: {
    use: '`prospect-sync outputs`, and before an output is requested',
    test: 'test/activities/adopted-outputs.test.ts',
  },
  getOutput: {
    use: '`prospect-sync run`, `prospect-sync reconcile`: `polling.output_first`, `polling.output_max`, `polling.output_give_up`',
    test: outputs,
  },
  downloadExport: {
    use: '`prospect-sync run`, `prospect-sync outputs`',
    test: 'test/service/client/output-client.test.ts',
  },
  listDeliveredCompanies: {
    use: '`prospect-sync ingest`, with `--legacy` only',
    test: 'test/cli/ingest-legacy.test.ts',
  },
  getWebsiteMarkdown: {
    use: '`prospect-sync websites`; `prospect-sync run`, `prospect-sync ingest`: `company.website_markdown` in `mapping` or `runs.NAME.spreadsheets.columns`',
    test: 'test/activities/website-texts.test.ts',
  },
};
