// Runs every activity in the order of the workflows, for a discovery and an enrichment, and checks the requests to the service.
import { join } from 'node:path';
import type { RunPlan } from '../../src/config/run-plan.ts';
import { exclusionPlan, exclusionSource } from '../helpers/exclusion-plan.ts';
import { crmPlan } from '../helpers/worker-configuration.ts';
import { createActivityHarness, plan, type ActivityHarness } from './activity-harness.ts';

async function runWhole(harness: ActivityHarness, whole: RunPlan) {
  const { perform, pass } = harness;
  const run = harness.configureRun(whole);
  const blacklistIds: string[] = [];
  for (const { name } of whole.exclusions) {
    const exclusion = { name };
    const syncId = `exclusions/${name}`;
    const { scan } = await perform('readExclusions', { syncId, exclusion, full: false });
    const { kind } = scan;
    const { blacklistId, present } = await perform('openBlacklist', { syncId, exclusion, kind });
    const { added } = await perform('addExclusions', { syncId, blacklistId, kind });
    const step = { syncId, blacklistId, exclusion };
    const weighed = await perform('weighRemovals', { ...step, scan, added, before: present });
    await perform('removeExclusions', { ...step, ...weighed });
    await perform('rememberScan', { exclusion, blacklistId, scan, isHeld: false });
    blacklistIds.push(blacklistId);
  }
  const { creationId } = await perform('requestProfile', { run });
  pass(2);
  await perform('awaitProfile', { run, creationId });
  const runKey = `run/${whole.runName}#1`;
  if (whole.kind === 'enrichment') await perform('draftOrder', { run, runKey });
  const frozen = await perform('freezeBlacklists', { runKey, blacklistIds });
  const { orderId } = await perform('placeOrder', { run, runKey });
  await perform('attachBlacklists', { orderId, frozen });
  pass(4);
  const { total } = await perform('awaitPublication', { orderId });
  await perform('collectResults', { orderId, from: 0, to: total });
  const slots = await perform('summarizeSlots', { orderId });
  const { leaks } = await perform('checkLeaks', { orderId });
  expect(leaks).toEqual(whole.kind === 'discovery' ? { leak: 0, late: 0, weak: 0 } : null);
  await perform('prepareCrm', {});
  const range = { from: 0, to: total, onlyUnfinished: false };
  await perform('projectToCrm', { orderId, projectionId: runKey, ...range });
  for (const kind of whole.delivery.spreadsheets?.kinds ?? [])
    expect(await perform('writeSpreadsheet', { orderId, kind })).toMatchObject({ kind });
  const { crm } = await perform('openOrder', { orderId });
  const proof = await perform('reconcileRange', { orderId, from: 0, to: total, crm });
  return { ...(await perform('concludeReconciliation', { orderId, proofs: [proof] })), ...slots, total };
}

describe('the activities of a discovery run and an enrichment run', () => {
  it('account for every slot, and never read the legacy deliveries listing', async () => {
    const harness = await createActivityHarness();
    const { folder } = harness;
    const exclusionsCsv = harness.file('exclusions.csv', ['company_name,website_url', 'Former partner,former.example']);
    const [id] = await harness.createRecords('companies', [{ name: 'Acme', lifecyclestage: 'customer' }]);
    const spreadsheets = { directory: join(folder, 'out'), kinds: ['csv', 'xlsx'], rows: 'prospect' } as const;
    const exclusion = exclusionPlan({
      source: exclusionSource({ lifecycleStages: ['customer'], csv: exclusionsCsv }),
    });
    const discovery = await runWhole(
      harness,
      plan({
        briefingQuantity: 230,
        exclusions: [exclusion],
        delivery: { crm: crmPlan, spreadsheets, evidence: folder, externalIdsAreRecordIds: false },
      }),
    );
    expect(discovery).toMatchObject({ total: 230, reconciled: 230, findings: [], unknown: {} });

    const csv = harness.file('companies.csv', [
      'company_name,website_url,external_id',
      `Acme,acme.example,${id}`,
      'Moved,x.website-moved.example,',
      'Again,acme.example,',
    ]);
    const enrichment = await runWhole(
      harness,
      plan({
        runName: 'companies',
        kind: 'enrichment',
        briefingQuantity: null,
        companies: { lifecycleStages: [], csv },
        delivery: { crm: crmPlan, spreadsheets, evidence: folder, externalIdsAreRecordIds: true },
      }),
    );
    expect(enrichment).toMatchObject({
      total: 3,
      reconciled: 3,
      findings: [],
      byStatus: { ENRICHED: 1, PARTIAL: 1, DUPLICATE: 1 },
    });

    const asked = harness.asked();
    const routes = new Set(asked.map((request) => request.replace(/\?.*$/, '').replaceAll(/[0-9a-f-]{36}/g, '{id}')));
    expect([...routes].sort()).toEqual([
      'GET /api/v1/blacklists',
      'GET /api/v1/blacklists/{id}/entries',
      'GET /api/v1/orders/{id}',
      'GET /api/v1/orders/{id}/results',
      'GET /api/v1/search-profile-creations/{id}',
      'POST /api/v1/blacklists',
      'POST /api/v1/blacklists/{id}/entries',
      'POST /api/v1/orders',
      'POST /api/v1/search-profile-creations',
    ]);
    expect(asked.filter((request) => request.includes('/api/v1/deliveries'))).toEqual([]);
  }, 20_000);
});
