import type { Config } from '../config/config.ts';
import { HubSpotError } from '../hubspot/hubspot-error.ts';
import { assertPortal } from '../hubspot/portal-account.ts';
import { assertKnownOrganization } from '../ledger/known-organization.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isNotFound, ProspectingError } from '../service/client/prospecting-error.ts';
import type { SystemClients } from '../worker/configured-clients.ts';
import { CommandError, type Terminal } from './terminal.ts';
import { withSentence } from '../base/text/normalize-text.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { toFailure } from '../worker/to-failure.ts';
import { withoutRetries } from '../base/failures/remedies-in-commands.ts';
import { pausingStatuses } from '../hubspot/account-limits.ts';
import { findAdvice, isOfHubSpot } from '../hubspot/address-advice.ts';

/** No order has this id. The answer 404 shows that the service is available and that the key may read orders. */
const probeOrderId = '00000000-0000-4000-8000-000000000000';

export type Side = 'service' | 'crm';
export const bothSides: readonly Side[] = ['service', 'crm'];

type BoundLedger = Pick<Ledger, 'orders' | 'portal'>;

export interface ConnectionCheck {
  readonly needed?: readonly Side[];
  /** Default null: not opened yet. */
  readonly ledger?: BoundLedger | null;
  readonly waitOut: WaitOutRefusals;
}

/** Checks before a start that the needed systems are available, accept our keys and are those of the ledger. @throws {CommandError} */
export async function checkConnections(
  config: Config,
  systems: SystemClients,
  { needed = bothSides, ledger = null, waitOut }: ConnectionCheck,
): Promise<void> {
  const { prospecting, hubspot } = systems;
  const problems = [
    needed.includes('service') ? await findServiceProblem(config, prospecting, waitOut) : null,
    needed.includes('crm') ? await findCrmProblem(config, hubspot, waitOut) : null,
  ].filter((problem) => problem !== null);
  if (problems.length > 0) throw new CommandError(`${problems.join('\n')}\nNothing was started.`);
  if (ledger !== null) await assertOwnLedger(systems, { needed, ledger, waitOut });
}

/** null: the service is available, and the key may read orders, and blacklists if there are exclusions. */
export async function findServiceProblem(
  { service, exclusions }: Config,
  prospecting: SystemClients['prospecting'],
  waitOut: WaitOutRefusals,
): Promise<string | null> {
  const toProblem = (error: unknown) => `the prospecting service at ${service.baseUrl}: ${describe(error)}`;
  const name = 'The prospecting service';
  try {
    await waitOut(name, () => prospecting.orders.get(probeOrderId));
  } catch (error) {
    if (!isNotFound(error)) return toProblem(error);
    // Any web server answers 404, but not with a JSON object.
    if (typeof error.answer !== 'object' || error.answer === null) return toProblem(error);
  }
  if (Object.keys(exclusions).length === 0) return null;
  return waitOut(name, () => prospecting.blacklists.list()).then(() => null, toProblem);
}

/**
 * Before anything is uploaded or written: orders of the ledger are unknown to another organization, and record ids mean nothing in another
 * portal. @throws {CommandError}
 */
export async function assertOwnLedger(
  { prospecting, hubspot }: SystemClients,
  { needed = bothSides, ledger, waitOut }: ConnectionCheck & { readonly ledger: BoundLedger },
): Promise<void> {
  try {
    if (needed.includes('service'))
      await waitOut('The prospecting service', () => assertKnownOrganization({ prospecting, ledger }));
    const id = needed.includes('crm') ? await ledger.portal.get() : null;
    if (id !== null) assertPortal(await waitOut('HubSpot', () => hubspot.account()), { id });
  } catch (error) {
    throw toCommandError(error, 'Nothing was started.');
  }
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
    return `HubSpot at ${baseUrl}: ${describe(error)}`;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof ProspectingError) && !(error instanceof HubSpotError)) throw error;
  const { kind, retryAfterSeconds } = error instanceof ProspectingError ? error.facts : error;
  const { message } = error;
  const advice = error instanceof HubSpotError ? findAdvice(error) : findServiceAdvice(error);
  if (advice !== null) return withSentence(message, advice);
  if (kind === 'http' && retryAfterSeconds !== undefined)
    return withSentence(message, `Try again in ${retryAfterSeconds} s`);
  const unreachable = kind === 'connection' || kind === 'timeout';
  return unreachable ? withSentence(message, 'Check the address and the network') : message;
}

function findServiceAdvice({ facts: { kind, status }, answer }: ProspectingError): string | null {
  if (kind === 'api_redirect') return 'Correct service.base_url';
  if ((status === 401 || status === 404) && isOfHubSpot(answer))
    return 'HubSpot has answered: correct service.base_url; it and hubspot.base_url may be exchanged';
  if (status === 401)
    return 'The key is not accepted: check service.api_key, and that service.base_url is the address of the service';
  return status === 404 ? 'The service is not at this address: check service.base_url' : null;
}

/** Repeats the call while the system is temporarily unavailable and time is left; otherwise fails as the call does. */
export type WaitOutRefusals = <T>(system: string, call: () => Promise<T>) => Promise<T>;

export interface WaitOutRefusalsSettings {
  readonly say: Terminal['say'];
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/** Limit of all pauses together. */
const totalPauseSeconds = 60;
/** Without Retry-After the pauses are 1, 2, 4, 8 and then 10 s. */
const maxBackoffSeconds = 10;

export function createWaitOutRefusals({ say, pause = sleep }: WaitOutRefusalsSettings): WaitOutRefusals {
  let leftSeconds = totalPauseSeconds;
  return async (system, call) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await call();
      } catch (error) {
        const seconds = toPauseSeconds(error, attempt);
        if (seconds === null || seconds > leftSeconds || !(error instanceof Error)) throw error;
        leftSeconds -= seconds;
        const refused = `${system} is not available at the moment: ${error.message}`;
        say(withSentence(refused, `Trying again in ${seconds} s.`), 'warn');
        await pause(seconds * 1_000);
      }
    }
  };
}

/** null: a minute of waiting does not help, or there was no response at all, because the address may be wrong. */
function toPauseSeconds(error: unknown, attempt: number): number | null {
  const refusal = toRefusal(error);
  if (refusal === null) return null;
  const backoff = Math.min(2 ** attempt, maxBackoffSeconds);
  return Math.max(1, Math.ceil(refusal.retryAfterSeconds ?? backoff));
}

function toRefusal(error: unknown): { readonly retryAfterSeconds: number | undefined } | null {
  if (error instanceof ProspectingError) return isTemporary(error.facts.status) ? retryAfter(error.facts) : null;
  if (error instanceof HubSpotError) {
    // The daily limit is reset at midnight.
    if (error.policyName === 'DAILY') return null;
    const isPause = error.kind === 'postponed' || pausingStatuses.includes(error.status ?? 0);
    return isPause || isTemporary(error.status) ? retryAfter(error) : null;
  }
  return null;
}

function isTemporary(status: number | undefined): boolean {
  return status === 429 || (status !== undefined && status >= 500);
}

function retryAfter({ retryAfterSeconds }: { readonly retryAfterSeconds?: number | undefined }) {
  return { retryAfterSeconds };
}

/** The failure that an activity would report, for a command that does the same work itself. */
export function toCommandError(error: unknown, sentence: string | null = null): unknown {
  if (error instanceof CommandError) return error;
  const failure = toFailure(error);
  if (!(failure instanceof ApplicationFailure)) return error;
  const message = withoutRetries(failure.message);
  return new CommandError(sentence === null ? message : withSentence(message, sentence));
}
