import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { replayHistory } from '../../src/replay-history.ts';
import { bundleWorkflows } from '../../src/workflow-bundle.ts';

const folder = path.join(__dirname, 'histories');
const files = readdirSync(folder);

let workflowBundle: Awaited<ReturnType<typeof bundleWorkflows>>;
beforeAll(async () => {
  workflowBundle = await bundleWorkflows({ cacheFolder: null });
}, 30_000);

describe('replay', () => {
  it('covers every workflow and both kinds of order', () => {
    expect(files.toSorted()).toEqual([
      'ingestOrder.discovery.json',
      'ingestOrder.enrichment.json',
      'orderCompanies.discovery.json',
      'orderCompanies.enrichment.json',
      'reconcileOrder.discovery.json',
      'reconcileOrder.enrichment.json',
      'retryRows.enrichment.json',
      'runProspecting.discovery.json',
      'runProspecting.enrichment.json',
      'syncExclusions.discovery.json',
    ]);
  });

  it.each(files)('%s runs as it was recorded', async (file) => {
    const { workflowId, history } = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    const named = { workflowId, history: historyFromJSON(history) };
    await expect(replayHistory({ workflowBundle }, named)).resolves.toBeUndefined();
  });
});
