/** Waits before a start while a system says "not now", so that a scheduled start is not lost to one such answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HubSpotError } from '../hubspot/hubspot-error.ts';
import { LedgerError } from '../ledger/ledger-error.ts';
import { ProspectingError } from '../prospecting/prospecting-error.ts';
import type { Terminal } from './terminal.ts';
import { trimEndOf } from '../text/normalize-text.ts';

/** Calls again while the answer is a temporary refusal and time is left; otherwise fails as the call does. */
export type WaitOutRefusals = <T>(system: string, call: () => Promise<T>) => Promise<T>;

export interface WaitOutRefusalsSettings {
  readonly say: Terminal['say'];
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/** All pauses together, whatever system asks for them. */
const longestSeconds = 60;
/** Where the answer does not say how long: 1, 2, 4, 8 and then 10 s. */
const longestOwnPauseSeconds = 10;

export function createWaitOutRefusals({ say, pause = sleep }: WaitOutRefusalsSettings): WaitOutRefusals {
  let leftSeconds = longestSeconds;
  return async (system, call) => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await call();
      } catch (error) {
        const seconds = toPauseSeconds(error, attempt);
        if (seconds === null || seconds > leftSeconds || !(error instanceof Error)) throw error;
        leftSeconds -= seconds;
        const message = trimEndOf(error.message, '. \n\t');
        say(`${system} is not available at the moment: ${message}. Trying again in ${seconds} s.`, 'warn');
        await pause(seconds * 1_000);
      }
    }
  };
}

/** null where waiting a minute does not help, or where nothing answered at all: the address may be wrong. */
function toPauseSeconds(error: unknown, attempt: number): number | null {
  const refusal = toRefusal(error);
  if (refusal === null) return null;
  const own = Math.min(2 ** attempt, longestOwnPauseSeconds);
  return Math.max(1, Math.ceil(refusal.retryAfterSeconds ?? own));
}

function toRefusal(error: unknown): { readonly retryAfterSeconds: number | undefined } | null {
  if (error instanceof ProspectingError) return isTemporary(error.facts.status) ? retryAfter(error.facts) : null;
  if (error instanceof HubSpotError) {
    // What is left of a day's calls comes back at midnight.
    if (error.policyName === 'DAILY') return null;
    return error.kind === 'held' || isTemporary(error.status) ? retryAfter(error) : null;
  }
  // PostgreSQL starts or stops (57), or has no connection left (53).
  const isPostgresBusy =
    error instanceof LedgerError && error.reason === 'unreachable' && /^5[37]/.test(error.code ?? '');
  return isPostgresBusy ? { retryAfterSeconds: undefined } : null;
}

function isTemporary(status: number | undefined): boolean {
  return status === 429 || (status !== undefined && status >= 500);
}

function retryAfter({ retryAfterSeconds }: { readonly retryAfterSeconds?: number | undefined }) {
  return { retryAfterSeconds };
}
