import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createControlClient } from '../../sandbox/control/control-client.ts';
import { createProspectingClient } from '../../src/service/client/prospecting-client.ts';
import type { ExampleProject } from './example-project.ts';
import { runCommand } from './run-command.ts';

/** A copy of the example project with its own organization and ledger, on the same sandbox, portal and Temporal server. */
export async function createSeparateProject({ folder: original, env, control, service }: ExampleProject, name: string) {
  const folder = path.join(original, name);
  await mkdir(folder);
  for (const file of ['prospect-sync.yaml', 'exclusions.csv', 'companies.csv'])
    await cp(path.join(original, file), path.join(folder, file));
  const client = createControlClient({ baseUrl: control.url });
  const { data } = await client.POST('/organizations', { body: { name } });
  if (data === undefined) throw new Error(`the sandbox did not create the organization ${name}`);
  const { organization_id: organizationId, api_key: apiKey } = data;
  const place = { cwd: folder, env: { ...env, PROSPECTING_API_KEY: apiKey } };
  return {
    folder,
    organizationId,
    control: client,
    service: createProspectingClient({ baseUrl: service.url, apiKey: () => apiKey }),
    command: (...args: string[]) => runCommand(args, place),
    /** Runs a command like `command`; `onStderr` receives its stderr while it runs. */
    watchCommand: (onStderr: (text: string) => void, ...args: string[]) => runCommand(args, { ...place, onStderr }),
  };
}
export type SeparateProject = Awaited<ReturnType<typeof createSeparateProject>>;
