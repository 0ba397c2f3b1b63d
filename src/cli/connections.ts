import type { Config } from '../config/config.ts';
import { HubSpotError } from '../hubspot/hubspot-error.ts';
import { assertPortal } from '../hubspot/expected-portal.ts';
import { ProspectingError } from '../prospecting/prospecting-error.ts';
import type { SystemClients } from '../runtime/configured-clients.ts';
import type { WaitOutRefusals } from './temporary-refusals.ts';
import { CommandError } from './terminal.ts';
import { trimEndOf } from '../text/normalize-text.ts';

/** No order has this id: asking for it shows that the service is there and that the key may read orders. */
const probeOrderId = '00000000-0000-4000-8000-000000000000';

export type Side = 'service' | 'crm';
export const bothSides: readonly Side[] = ['service', 'crm'];

export interface ConnectionCheck {
  readonly needed?: readonly Side[];
  readonly waitOut: WaitOutRefusals;
}

/** The sides that are needed are reached and know our keys, before anything is started. Temporary refusals are waited out. */
export async function checkConnections(
  config: Config,
  { prospecting, hubspot }: SystemClients,
  { needed = bothSides, waitOut }: ConnectionCheck,
): Promise<void> {
  const problems = [
    needed.includes('service') ? await findServiceProblem(config, prospecting, waitOut) : null,
    needed.includes('crm') ? await findCrmProblem(config, hubspot, waitOut) : null,
  ].filter((problem) => problem !== null);
  if (problems.length > 0) throw new CommandError(`${problems.join('\n')}\nNothing was started.`);
}

/** null when the service is there and the key may read orders, and blacklists where there are exclusions. */
export async function findServiceProblem(
  { service, exclusions }: Config,
  prospecting: SystemClients['prospecting'],
  waitOut: WaitOutRefusals,
): Promise<string | null> {
  const said = (error: unknown) =>
    `the prospecting service at ${service.baseUrl}: ${describe(error, 'service.api_key')}`;
  const name = 'The prospecting service';
  try {
    await waitOut(name, () => prospecting.orders.get(probeOrderId));
  } catch (error) {
    if (!(error instanceof ProspectingError && error.facts.status === 404)) return said(error);
  }
  if (Object.keys(exclusions).length === 0) return null;
  return waitOut(name, () => prospecting.blacklists.list()).then(() => null, said);
}

async function findCrmProblem(
  { hubspot: { baseUrl, portal } }: Config,
  hubspot: SystemClients['hubspot'],
  waitOut: WaitOutRefusals,
) {
  try {
    const account = await waitOut('HubSpot', () => hubspot.account());
    assertPortal(account, { id: portal.id ?? undefined, type: portal.type ?? undefined });
    return null;
  } catch (error) {
    return `HubSpot at ${baseUrl}: ${describe(error, 'hubspot.token')}`;
  }
}

function describe(error: unknown, keySetting: string): string {
  if (!(error instanceof ProspectingError) && !(error instanceof HubSpotError)) throw error;
  const { kind, status, retryAfterSeconds } = error instanceof ProspectingError ? error.facts : error;
  const message = trimEndOf(error.message, '. \n\t');
  if (status === 401) return `${message}. It does not accept the key: check ${keySetting}`;
  if (kind === 'api_redirect') return `${message}. Correct its base_url`;
  if (status === 404) return `${message}. The address leads to something else: check its base_url`;
  if (kind === 'http' && retryAfterSeconds !== undefined)
    return `${message}. It asks for a pause of ${retryAfterSeconds} s: try again after it`;
  const unreachable = kind === 'connection' || kind === 'timeout';
  return unreachable ? `${message}. Check the address and the network` : error.message;
}
