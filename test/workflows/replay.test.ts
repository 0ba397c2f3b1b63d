import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { historyFromJSON, type History } from '@temporalio/common/lib/proto-utils.js';
import type { InjectedSinks } from '@temporalio/worker';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import packageJson from '../../package.json' with { type: 'json' };
import { replayHistory, bundleWorkflows } from '../../src/temporal/workflow-bundle.ts';
import type { ScheduledActivity, ScheduledSinks } from '../helpers/scheduled-activities.ts';
import { sampleOf } from '../helpers/sample.ts';

const folder = path.join(__dirname, 'histories');
/** One folder a release: workflows that an earlier release began still have to end. */
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));

let workflowBundle: Awaited<ReturnType<typeof bundleWorkflows>>;
beforeAll(async () => {
  const interceptorModules = [require.resolve('../helpers/scheduled-activities.ts')];
  workflowBundle = await bundleWorkflows({ interceptorModules, cacheFolder: null });
});

// A replay leaves a hook that doubles the time of every promise of this process, also in later files.
afterAll(() => globalHandlers.uninstall());

/** What the activities of a history were asked to do. */
function recordedIn({ events }: History): ScheduledActivity[] {
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => {
    if (!scheduled) return [];
    const args = (scheduled.input?.payloads ?? []).map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()));
    return [{ activity: scheduled.activityType?.name ?? '', args }];
  });
}

describe('replay', () => {
  it('covers every workflow, both kinds of order and each path of a run', () => {
    expect(readdirSync(path.join(folder, packageJson.version)).toSorted()).toEqual([
      'handleReply.failed.json',
      'handleReply.processed.json',
      'ingestOrder.discovery.json',
      'ingestOrder.enrichment.json',
      'ingestOrder.failed.json',
      'ingestOrder.lists.json',
      'ingestOrder.outputs.json',
      'ingestOrder.woken.json',
      'orderCompanies.attached.json',
      'orderCompanies.discovery.json',
      'orderCompanies.enrichment.json',
      'orderCompanies.shared.json',
      'reconcileOrder.discovery.json',
      'reconcileOrder.enrichment.json',
      'reconcileOrder.repaired.json',
      'reconcileOrder.sampled.json',
      'retryRows.enrichment.json',
      'runProspecting.discovery.json',
      'runProspecting.enrichment.json',
      'runProspecting.failed.json',
      'runProspecting.lists.json',
      'runProspecting.reset.json',
      'runProspecting.scheduled.json',
      'runProspecting.waited.json',
      'syncExclusions.discovery.json',
    ]);
    const activities = files.flatMap((file) =>
      recordedIn(historyFromJSON(JSON.parse(readFileSync(path.join(folder, file), 'utf8')).history)),
    );
    expect(activities.map(({ activity }) => activity)).toEqual(
      expect.arrayContaining([
        'requestOutput',
        'awaitOutput',
        'fetchOutput',
        'addToLists',
        'createCompanyItems',
        'fetchWebsites',
        'readRun',
        'awaitTurn',
        'awaitResult',
        'awaitSync',
      ]),
    );
  });

  it.each(sampleOf(files, 12))('%s replays as recorded', async (file) => {
    const { workflowId, history: json } = JSON.parse(readFileSync(path.join(folder, file), 'utf8'));
    const history = historyFromJSON(json);
    const told: ScheduledActivity[] = [];
    const sinks: InjectedSinks<ScheduledSinks> = {
      scheduled: { tell: { fn: (_, scheduled) => void told.push(scheduled), callDuringReplay: true } },
    };
    await expect(replayHistory({ workflowBundle, sinks }, { workflowId, history })).resolves.toBeUndefined();
    // Temporal compares the kinds of activities only. What came to their inputs since the recording is no other way.
    expect(JSON.parse(JSON.stringify(told))).toMatchObject(recordedIn(history));
  });
});
