import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createHubSpotSandbox } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createServiceSandbox } from '../../sandbox/service/service-sandbox.ts';
import { serveFetch } from './serve-fetch.ts';
import { startTemporal, type TemporalTestServer } from './temporal-server.ts';

/** The run `weekly` orders 120 companies. */
export const workerConfiguration = `
service: {base_url: {env: SERVICE_URL}, api_key: {env: API_KEY}}
hubspot: {base_url: {env: HUBSPOT_URL}, token: {env: HUBSPOT_TOKEN}}
polling: {profile: 20ms, order_first: 50ms, order_max: 50ms}
runs:
  weekly:
    kind: discovery
    briefing_quantity: 120
    profile: {profile_name: a, ideal_customer_profile: b, target_countries: [DE]}
`;

type Fetch = (request: Request) => Promise<Response>;

interface WorkerProject {
  temporal: TemporalTestServer;
  folder: string;
  env: Record<string, string>;
  /** Stands before the service; a test may replace it. */
  through: (fetch: Fetch) => Fetch;
}

/** One Temporal server for the file. Each test has its own folder with a configuration, and its own sandboxes. */
export function useWorkerProject(): WorkerProject {
  const project = {} as WorkerProject;
  let closeAll: () => void;
  beforeAll(async () => {
    project.temporal = await startTemporal();
  });
  afterAll(() => project.temporal.stop());
  beforeEach(async () => {
    project.folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-worker-'));
    const service = createServiceSandbox({
      progression: { profiles: { after_seconds: 0.02 }, orders: { after_seconds: 0.05 } },
    });
    const hubspot = createHubSpotSandbox({});
    project.through = (fetch) => fetch;
    const servedService = await serveFetch((request) => project.through(service.fetch)(request));
    const servedHubSpot = await serveFetch(hubspot.fetch);
    closeAll = () => [servedService, servedHubSpot].forEach(({ close }) => close());
    project.env = {
      TEMPORAL_ADDRESS: project.temporal.address,
      SERVICE_URL: servedService.url,
      HUBSPOT_URL: servedHubSpot.url,
      API_KEY: service.createOrganization({ name: 'test' }).apiKey,
      HUBSPOT_TOKEN: hubspot.createPortal({ name: 'test' }).token,
    };
    await writeFile(path.join(project.folder, 'prospect-sync.yaml'), workerConfiguration);
  });
  afterEach(async () => {
    closeAll();
    await rm(project.folder, { recursive: true, force: true });
  });
  return project;
}
