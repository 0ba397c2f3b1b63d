import { catalogue } from '../../conformance/check-catalogue.ts';
import { deleteTestBlacklists } from '../../conformance/checks/test-blacklists.ts';
import { clauseTable } from '../../conformance/clauses/clause-table.ts';
import type { CheckResult } from '../../conformance/run-conformance.ts';
import { closeDeployments, createDeployment, run } from '../conformance/conformance-harness.ts';

const results = new Map<string, CheckResult>();
beforeAll(async () => {
  const deployment = createDeployment();
  for (const result of await run(deployment, { server: deployment.server })) results.set(result.id, result);
});
afterAll(closeDeployments);

const checks = [...catalogue, deleteTestBlacklists(new Set())].filter((check) => check.run !== null);

describe.each(Object.keys(clauseTable))('%s', (section) => {
  for (const [name, coverage] of Object.entries(clauseTable[section] ?? {})) {
    for (const { id, title } of checks.filter((check) => Array.isArray(coverage) && coverage.includes(check.id))) {
      it(`${name}: ${title} (${id})`, () => {
        expect(results.get(id)).toMatchObject({ result: 'passed', findings: [], notes: [] });
      });
    }
  }
});
