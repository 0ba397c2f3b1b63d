/** Runs one check of the catalogue together with the checks that create what it reads. */
import { catalogue } from '../../conformance/check-catalogue.ts';
import { need, type Check } from '../../conformance/probe/check.ts';
import type { CheckResult } from '../../conformance/run-conformance.ts';
import { operations } from '../../src/service/contract/index.ts';
import { run, type createDeployment } from './conformance-harness.ts';

/** In place of `entries.most`: enough for six pages and for one more than can be removed at once. */
const fewEntries: Check = {
  id: 'entries.few',
  clause: '',
  title: '',
  effect: 'write',
  async run(probe, state) {
    const { id } = need(state.testBlacklist, 'a blacklist');
    const entries = Array.from({ length: 1_100 }, (_, index) => ({ company_name: `Few ${index}` }));
    const body = { entries };
    const created = await probe.ask(operations.addEntries, 201, { params: { blacklist_id: id }, body });
    state.entryIds = created.map((entry) => entry.id);
  },
};

/** Which checks create what other checks read. */
const prerequisites: readonly (readonly [ids: RegExp, prerequisiteIds: RegExp])[] = [
  [/^(?:blacklists\.patch|entries\.(?:most|pag|remove))/, /^blacklists\.create$/],
  [/^entries\.(?:pag|remove)/, /^entries\.most$/],
  [/^(?:profiles|assignments|orders|results|outputs|downloads|deliveries)/, /^profiles\.create$/],
  [/^(?:assignments|orders|results|outputs|downloads|deliveries)/, /^profiles\.poll$/],
  [/^(?:orders|results|outputs|downloads|deliveries\.web)/, /^orders\.enrichment(?:-published)?$/],
  [/^(?:orders\.unknown|orders\.discovery|results\.discovery)/, /^orders\.discovery(?:-published)?$/],
  [/^(?:results\.enrichment|downloads|deliveries\.web)/, /^results\.enrichment-paging$/],
  [/^results\.discovery/, /^results\.discovery-paging$/],
  [/^(?:outputs|downloads)/, /^outputs\.create-/],
  [/^downloads/, /^outputs\.\w+-completed$/],
];

/** The check and its prerequisites. A check with control over the server creates all that it needs. */
function withPrerequisites(check: Check): Check[] {
  if (check.needs !== undefined) return [check];
  const needed = prerequisites
    .filter(([ids]) => ids.test(check.id) && !/\.(?:unknown|malformed)-(?!blacklist)/.test(check.id))
    .map(([, prerequisiteIds]) => prerequisiteIds);
  const checks = catalogue.filter((other) => other === check || needed.some((ids) => ids.test(other.id)));
  return checks.map((other) => (other.id === 'entries.most' && other !== check ? fewEntries : other));
}

/** The result of one check. `fetchOfCheck` sends what the check itself sends, without its prerequisites and the clean-up. */
export async function runCheck(
  check: Check,
  deployment: ReturnType<typeof createDeployment>,
  fetchOfCheck = deployment.fetch,
): Promise<CheckResult> {
  let isRunning = false;
  const observed: Check = {
    ...check,
    async run(...parameters) {
      isRunning = true;
      await check.run?.(...parameters).finally(() => {
        isRunning = false;
      });
    },
  };
  const results = await run(
    { ...deployment, fetch: (request) => (isRunning ? fetchOfCheck : deployment.fetch)(request) },
    {
      checks: withPrerequisites(check).map((other) => (other === check ? observed : other)),
      ...(check.needs === undefined ? {} : { server: deployment.server }),
    },
  );
  const result = results.find(({ id }) => id === check.id);
  if (!result) throw new Error(`${check.id} did not run`);
  return result;
}
