import { createRunActivities } from '../../activities/runs.ts';
import type { Clients } from '../../activities/clients.ts';
import { createRunLookup } from '../../src/run-plan.ts';
import { parseConfig } from '../../src/config.ts';

const parsed = parseConfig(
  `service: {base_url: https://api.example.com, api_key: {env: KEY}}
hubspot: {token: {env: KEY}}
runs: {weekly: {kind: discovery, briefing_quantity: 3, profile: {profile_name: P, ideal_customer_profile: I, target_countries: [DE]}}}
`,
  { env: { KEY: 'k' }, file: '/x/prospect-sync.yaml' },
);
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
const { config } = parsed;

const readRun = (runName: string, clients: Partial<Clients>) =>
  createRunActivities(clients as Clients).readRun({ runName });

describe('readRun', () => {
  it('finds plan and digest in the configuration of the worker', async () => {
    const found = await readRun('weekly', { findRun: createRunLookup(config) });
    expect(found).toMatchObject({
      digest: config.runs['weekly']?.digest,
      plan: { runName: 'weekly', kind: 'discovery' },
    });
  });

  it.each(['monthly', 'constructor', '__proto__'])('ends the run when there is no run %s', async (name) => {
    await expect(readRun(name, { findRun: createRunLookup(config) })).rejects.toMatchObject({
      type: 'RunNotConfigured',
      nonRetryable: true,
      message: expect.stringMatching(new RegExp(`no run named ${name}.*prospect-sync apply`)),
    });
  });

  it('ends the run when the worker has no configuration', async () => {
    await expect(readRun('weekly', {})).rejects.toMatchObject({ type: 'NoConfiguration', nonRetryable: true });
  });
});
