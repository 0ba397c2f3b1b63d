import { createRunActivities } from '../../activities/run-activities.ts';
import type { ActivityDependencies } from '../../activities/activity-dependencies.ts';
import { toWorkerConfiguration } from '../../src/config/run-plan.ts';
import { parseConfig } from '../../src/config/load-config.ts';

const parsed = parseConfig(
  `service: {base_url: https://api.example.com, api_key: {env: KEY}}
hubspot: {token: {env: TOKEN}}
runs: {weekly: {kind: discovery, briefing_quantity: 3, profile: {profile_name: P, ideal_customer_profile: I, target_countries: [DE]}}}
`,
  { env: { KEY: 'k', TOKEN: 't' }, file: '/x/prospect-sync.yaml' },
);
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
const { config } = parsed;

const clients = { configuration: toWorkerConfiguration(config), ledger: { installation: 'ours' } };
const readRun = (runName: string, installation: string | null = null) =>
  createRunActivities(clients as unknown as ActivityDependencies).readRun({ runName, installation });

describe('readRun', () => {
  it('returns plan and digest from the configuration of the worker', async () => {
    const found = await readRun('weekly');
    expect(found).toMatchObject({
      digest: config.runs['weekly']?.digest,
      plan: { runName: 'weekly', kind: 'discovery' },
    });
  });

  it('ends a run that another installation has started on the same task queue', async () => {
    await expect(readRun('weekly', 'ours')).resolves.toMatchObject({ plan: { runName: 'weekly' } });
    await expect(readRun('weekly', 'theirs')).rejects.toMatchObject({
      type: 'ConfigurationDiffers',
      nonRetryable: true,
      message: expect.stringMatching(
        /worker \d+@\S+ belongs to installation ours, and installation theirs started run weekly. Nothing was ordered.*TEMPORAL_TASK_QUEUE/,
      ),
    });
  });

  it.each(['monthly', 'constructor'])('ends the run when no run is named %s', async (name) => {
    await expect(readRun(name)).rejects.toMatchObject({
      type: 'RunNotConfigured',
      nonRetryable: true,
      message: expect.stringMatching(
        new RegExp(`worker \\d+@\\S+ has no run named ${name}.*TEMPORAL_TASK_QUEUE.*prospect-sync apply`),
      ),
    });
  });

  it.each(['__proto__', '', 'Geheim'])('ends the run when %j is not a valid run name', async (name) => {
    const outcome = readRun(name);
    await expect(outcome).rejects.toMatchObject({
      type: 'InputRefused',
      nonRetryable: true,
      message: expect.stringContaining('runName'),
    });
    await expect(outcome).rejects.not.toMatchObject({ message: expect.stringContaining('Geheim') });
  });
});
