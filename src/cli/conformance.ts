import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Need } from '../conformance/check.ts';
import { UnreachableError, type CallerOptions } from '../conformance/caller.ts';
import { KeyRefusedError, runConformance, type CheckResult } from '../conformance/run-conformance.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

export interface ConformanceFlags {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly apiKeyEnv?: string;
  readonly readOnly: boolean;
  readonly placeOrders: boolean;
}

/** 10,000 entries in one request are the slowest thing that is asked for. */
const requestSeconds = 60;

/** Holds a deployment against the specification. The key goes to the service and nowhere else. */
export async function conformance(
  terminal: Terminal,
  flags: ConformanceFlags,
): Promise<{ baseUrl: string; results: CheckResult[] }> {
  const baseUrl = toBaseUrl(flags.baseUrl);
  const apiKey = toApiKey(flags, terminal.env);
  const allowed = toAllowed(flags);
  const stop = new AbortController();
  void terminal.interrupted.then((signal) => {
    terminal.say('stopping: what was made is deleted first');
    stop.abort(new CommandError(`stopped by ${signal}`));
  });
  let left: readonly string[] = [];
  try {
    const results = await runConformance({
      baseUrl,
      apiKey,
      allowed,
      fetch,
      wait,
      requestSeconds,
      newId: randomUUID,
      signal: stop.signal,
      onResult({ id, findings }) {
        terminal.redraw(id);
        if (id === 'clean-up') left = findings;
      },
    });
    return { baseUrl, results };
  } catch (error) {
    for (const text of left) terminal.say(text);
    const isExpected = error instanceof UnreachableError || error instanceof KeyRefusedError;
    throw isExpected ? new CommandError(`${baseUrl}: ${error.message}`) : error;
  } finally {
    terminal.redraw('');
  }
}

const wait: CallerOptions['wait'] = async (milliseconds, signal) => {
  await sleep(milliseconds, undefined, { signal }).catch(() => signal?.throwIfAborted());
};

function toBaseUrl(text: string): string {
  const url = URL.parse(text);
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isAddress || url.username !== '' || url.password !== '') {
    throw new CommandError(
      '--base-url takes an http or https address without user, query and fragment',
      exitCodes.usage,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** A header takes printable characters only; what it refuses, its error message would repeat. */
function toApiKey({ apiKey, apiKeyEnv }: ConformanceFlags, env: Terminal['env']): string {
  if ((apiKey === undefined) === (apiKeyEnv === undefined)) {
    throw new CommandError('one of --api-key KEY and --api-key-env NAME is needed', exitCodes.usage);
  }
  const key = (apiKeyEnv === undefined ? apiKey : env[apiKeyEnv])?.trim();
  const source = apiKeyEnv === undefined ? '--api-key' : `the variable ${apiKeyEnv}`;
  if (!key) throw new CommandError(`${source} is empty or not set`, exitCodes.usage);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new CommandError(`${source} holds characters that no API key can have`, exitCodes.usage);
  }
  return key;
}

function toAllowed({ readOnly, placeOrders }: ConformanceFlags): Need {
  if (readOnly && placeOrders) {
    throw new CommandError('--read-only and --place-orders exclude each other', exitCodes.usage);
  }
  if (readOnly) return 'read';
  return placeOrders ? 'orders' : 'write';
}
