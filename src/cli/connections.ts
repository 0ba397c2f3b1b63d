import type { Clients } from '../../activities/clients.ts';
import type { Config } from '../config/shape.ts';
import { HubSpotError } from '../hubspot/error.ts';
import { ProspectingError } from '../prospecting/error.ts';
import { CommandError } from './terminal.ts';

/** No order has this id: asking for it shows that the service is there and that the key may read orders. */
const nobodysOrder = '00000000-0000-4000-8000-000000000000';

/** Both sides are reached and know our keys, before anything is started. */
export async function checkConnections(config: Config, { prospecting, hubspot }: Clients): Promise<void> {
  const problems: string[] = [];
  await prospecting.orders.get(nobodysOrder).catch((error: unknown) => {
    if (error instanceof ProspectingError && error.facts.status === 404) return;
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
  if (status === 404) return `${error.message}. The address leads to something else: check its base_url`;
  const unreachable = kind === 'connection' || kind === 'timeout';
  return unreachable ? `${error.message}. Check the address and the network` : error.message;
}
