import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { checksFor } from '../../conformance/check-catalogue.ts';
import { isAllowed, type Effect } from '../../conformance/probe/check.ts';
import { NotChecked } from '../../conformance/probe/not-checked.ts';
import { UnreachableError, UnusableAnswerError, type CallerOptions } from '../../conformance/probe/caller.ts';
import type { CreatedResource } from '../../conformance/probe/created-resources.ts';
import type { Verdict } from '../../conformance/verdict.ts';
import {
  createReportTable,
  describeLeft,
  toReportDocument,
  toReportSummary,
  type Report,
} from '../../conformance/report.ts';
import {
  KeyRefusedError,
  OrderUnknownError,
  runConformance,
  ServiceAbsentError,
} from '../../conformance/run-conformance.ts';
import { isPlainHttpElsewhere } from '../base/http/foreign-requests.ts';
import { createPublicFetch } from '../base/http/public-fetch.ts';
import { toPrintableJson } from '../base/text/printable-text.ts';
import type { GlobalOptions } from './configuration.ts';
import { readNamedVariable } from './environment-option.ts';
import { CommandError, exitCodes, type ExitCode, type Terminal } from './terminal.ts';
import { trimEndOf } from '../base/text/normalize-text.ts';

export interface ConformanceFlags {
  readonly baseUrl: string;
  /** Plain http to another machine. */
  readonly allowHttp?: boolean;
  readonly apiKey?: string;
  readonly apiKeyEnv?: string;
  readonly order?: string;
  readonly resultsItems?: string;
  /** List every note, not only their number. */
  readonly notes?: boolean;
  readonly readOnly: boolean;
  readonly placeOrders: boolean;
}

/** The slowest request sends 10,000 entries. */
const requestSeconds = 60;

const warning =
  'a search profile and two orders (6 companies, 3 briefings) are created; nothing can delete them, and a real service may charge for them';

/** Checks a deployment against the specification, and prints each result at once. The key is sent only to the service. */
export async function conformance(
  terminal: Terminal,
  { json }: Pick<GlobalOptions, 'json'>,
  flags: ConformanceFlags,
): Promise<ExitCode> {
  const baseUrl = toBaseUrl(flags);
  const caller = {
    baseUrl,
    apiKey: toApiKey(flags, terminal.env),
    orderId: toOrderId(flags),
    allowed: toAllowed(flags),
  };
  const stop = new AbortController();
  void terminal.interrupted.then((signal) => {
    if (signal !== 'SIGPIPE') {
      terminal.say(flags.readOnly ? 'stopping' : 'stopping: created blacklists are deleted first');
    }
    const cause = signal === 'SIGPIPE' ? ': the output was closed' : ` by ${signal}`;
    stop.abort(new CommandError(`stopped${cause}`));
  });
  const leftBehind: CreatedResource[] = [];
  const verdicts: Verdict[] = [];
  try {
    const results = await runConformance({
      ...caller,
      fetch,
      fetchFile: createPublicFetch(),
      wait,
      requestSeconds,
      newId: randomUUID,
      signal: stop.signal,
      onLeftBehind: (made) => leftBehind.push(made),
      onVerdict: (verdict) => verdicts.push(verdict),
      resultsItems: flags.resultsItems,
      ...toProgress(terminal, { json, notes: flags.notes === true, ...caller }),
    });
    const report = { baseUrl, results, leftBehind, verdict: verdicts[0] ?? null };
    terminal.print(json ? toPrintableJson(toReportDocument(report), 2) : `\n${toReportSummary(report)}`);
    const isFine = results.every(({ result }) => result !== 'finding') && report.verdict?.works !== false;
    return isFine ? exitCodes.done : exitCodes.findings;
  } catch (error) {
    for (const made of leftBehind) terminal.say(describeLeft(made).trim());
    throw isExpected(error) ? new CommandError(`${baseUrl}: ${error.message}`) : error;
  } finally {
    terminal.redraw('');
  }
}

interface Progress {
  readonly json: boolean;
  /** List every note, not only their number. */
  readonly notes: boolean;
  readonly allowed: Effect;
  readonly orderId: string | undefined;
}

/** The header is printed with the first result, so that a wrong key or address prints only one message. */
function toProgress(terminal: Terminal, { json, notes, allowed, orderId }: Progress) {
  // Checks that need control over the server are the same for every deployment, and only counted below the table.
  const checks = checksFor(orderId).filter(
    (check) => isAllowed(check, allowed) && (notes || check.needs === undefined),
  );
  const ids = new Set(['clean-up', ...checks.map(({ id }) => id)]);
  const table = createReportTable(checks, { notes });
  let started = 0;
  return {
    onStart({ id }: { readonly id: string }) {
      if (!ids.has(id)) return;
      if (started === 0 && allowed === 'orders') terminal.say(warning);
      if (started === 0 && !json) terminal.print(table.header);
      started += 1;
      terminal.redraw(`${started} of ${checks.length}  ${id}`);
    },
    onResult(result: Report['results'][number]) {
      if (!json && result.result !== 'left out' && ids.has(result.id)) terminal.print(table.row(result));
      if (json && result.id === 'clean-up') for (const text of result.findings) terminal.say(text);
    },
  };
}

function isExpected(error: unknown): error is Error {
  return [
    UnreachableError,
    UnusableAnswerError,
    KeyRefusedError,
    ServiceAbsentError,
    OrderUnknownError,
    NotChecked,
  ].some((kind) => error instanceof kind);
}

const wait: CallerOptions['wait'] = async (milliseconds, signal) => {
  await sleep(milliseconds, undefined, { signal }).catch(() => signal?.throwIfAborted());
};

function toBaseUrl({ baseUrl: text, allowHttp = false }: ConformanceFlags): string {
  const url = URL.parse(text);
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isAddress || url.username !== '' || url.password !== '') {
    throw new CommandError(
      '--base-url must be an http or https address without user, query and fragment',
      exitCodes.usage,
    );
  }
  if (isPlainHttpElsewhere(url) && !allowHttp) {
    throw new CommandError(
      '--base-url is plain http to another machine, which exposes the key on the network. Use https, or add --allow-http if you trust the network in between',
      exitCodes.usage,
    );
  }
  if (/(?:^|\.)(?:hubapi|hubspot)\.com$/.test(url.hostname))
    throw new CommandError(
      '--base-url is an address of HubSpot; write that of the prospecting service',
      exitCodes.usage,
    );
  const baseUrl = trimEndOf(url.href, '/');
  if (baseUrl.endsWith('/api/v1')) {
    throw new CommandError('--base-url must not end with /api/v1', exitCodes.usage);
  }
  return baseUrl;
}

/** Checked here, because the error message of fetch for an invalid header would contain the key. */
function toApiKey({ apiKey, apiKeyEnv }: ConformanceFlags, env: Terminal['env']): string {
  if ((apiKey === undefined) === (apiKeyEnv === undefined)) {
    throw new CommandError('Either --api-key KEY or --api-key-env NAME is required', exitCodes.usage);
  }
  const key = (apiKeyEnv === undefined ? apiKey : readNamedVariable(env, '--api-key-env', apiKeyEnv))?.trim();
  const source = apiKeyEnv === undefined ? '--api-key' : `the variable ${apiKeyEnv}`;
  if (!key) throw new CommandError(`${source} is empty or not set`, exitCodes.usage);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new CommandError(`${source} contains invalid characters`, exitCodes.usage);
  }
  return key;
}

function toOrderId({ order }: ConformanceFlags): string | undefined {
  if (order === undefined || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(order)) return order;
  throw new CommandError('--order must be the id of an order, a UUID', exitCodes.usage);
}

function toAllowed({ readOnly, placeOrders }: ConformanceFlags): Effect {
  if (readOnly && placeOrders) {
    throw new CommandError('--read-only and --place-orders cannot be used together', exitCodes.usage);
  }
  if (readOnly) return 'read';
  return placeOrders ? 'orders' : 'write';
}
