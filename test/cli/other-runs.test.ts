import { announceOtherRuns } from '../../src/cli/with-runtime.ts';
import { runAttribute } from '../../src/temporal/search-attributes.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';
import { until } from '../helpers/until.ts';

let temporal: TemporalTestServer;
beforeAll(async () => {
  temporal = await startTemporal();
});
afterAll(() => temporal?.stop());

/** Nobody works on it. */
async function start(runName: string, taskQueue: string, label: number): Promise<void> {
  await temporal.client.workflow.start('runProspecting', {
    workflowId: `run/${runName}/${taskQueue}-${label}`,
    taskQueue,
    args: [],
    typedSearchAttributes: [{ key: runAttribute, value: runName }],
  });
}
async function announced(queue: string, ownRun: string | null): Promise<string[]> {
  const lines: string[] = [];
  await announceOtherRuns({ say: (line) => void lines.push(line) }, { client: temporal.client, queue }, ownRun);
  return lines;
}
const untilListed = (queue: string, count: number) =>
  until(async () => (await temporal.client.workflow.count(`TaskQueue = "${queue}"`)).count === count);

describe('announceOtherRuns', () => {
  it('names runs in progress of the task queue, but not that of the command', async () => {
    await start('own', 'shared', 1);
    await start('weekly', 'shared', 1);
    await start('foreign', 'elsewhere', 1);
    await untilListed('shared', 2);
    await untilListed('elsewhere', 1);
    expect(await announced('shared', 'own')).toEqual([
      'Other runs in progress: while this command works, its worker continues run/weekly/shared-1, and they may place orders. To stop one, run: prospect-sync cancel NAME',
    ]);
    expect(await announced('elsewhere', 'foreign')).toEqual([]);
    const [all] = await announced('shared', null);
    expect(all).toContain('run/own/shared-1');
  });

  it('names five at most', async () => {
    for (let label = 1; label <= 6; label += 1) await start('many', 'long', label);
    await untilListed('long', 6);
    const [line = ''] = await announced('long', null);
    expect(line.match(/run\/many\//g)).toHaveLength(5);
    expect(line).toContain(' and more,');
  });
});
