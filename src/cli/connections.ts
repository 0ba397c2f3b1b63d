import type { Clients } from '../../activities/clients.ts';
import type { Config } from '../config/shape.ts';
import { HubSpotError } from '../hubspot/error.ts';
import { ProspectingError } from '../prospecting/error.ts';
import { CommandError } from './terminal.ts';

/** Both sides are reached and know our keys, before anything is started. */
export async function checkConnections(config: Config, { prospecting, hubspot }: Clients): Promise<void> {
  const problems: string[] = [];
  await prospecting.blacklists.list().catch((error: unknown) => {
    problems.push(`the prospecting service at ${config.service.baseUrl}: ${describe(error, 'service.api_key')}`);
  });
  await hubspot.account().catch((error: unknown) => {
    problems.push(`HubSpot at ${config.hubspot.baseUrl}: ${describe(error, 'hubspot.token')}`);
  });
  if (problems.length > 0) throw new CommandError(`${problems.join('\n')}\nNothing was started.`);
}

function describe(error: unknown, keySetting: string): string {
  if (!(error instanceof ProspectingError) && !(error instanceof HubSpotError)) throw error;
  const { kind, status } = error instanceof ProspectingError ? error.facts : error;
  if (status === 401) return `${error.message}. It does not accept the key: check ${keySetting}`;
  const unreachable = kind === 'connection' || kind === 'timeout';
  return unreachable ? `${error.message}. Check the address and the network` : error.message;
}
