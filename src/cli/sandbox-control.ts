/** Controls a running sandbox through its control plane: clock, faults and journal. */
import { createControlClient, type ControlClient } from '../../sandbox/control/control-client.ts';
import { CommandError, exitCodes } from './terminal.ts';
import { parseDuration } from '../../sandbox/control/control-clock.ts';
import type { FaultPreset } from '../../sandbox/hubspot/fault-presets.ts';

export interface ControlFlags {
  /** URL of the control plane. */
  readonly controlUrl: string;
}

interface ControlResponse<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** @throws {CommandError} when the control plane is not available or rejects the request */
export async function requestControl<T>(
  { controlUrl }: ControlFlags,
  request: (control: ControlClient) => Promise<ControlResponse<T>>,
): Promise<T> {
  if (!URL.canParse(controlUrl)) {
    throw new CommandError(
      `--control-url must be a URL such as http://127.0.0.1:4030, found ${controlUrl}`,
      exitCodes.usage,
    );
  }
  const { data, error, response } = await request(createControlClient({ baseUrl: controlUrl })).catch(
    (failed: unknown) => {
      if (!(failed instanceof TypeError)) throw failed;
      throw new CommandError(
        `The sandbox is not available at ${controlUrl}. Start it with: prospect-sync sandbox. If its control plane has another URL, add --control-url`,
      );
    },
  );
  if (response.ok && data !== undefined) return data;
  if (isServiceError(error)) {
    throw new CommandError(
      `${controlUrl} is the sandbox service, not its control plane. Use the "control" URL that the sandbox printed`,
    );
  }
  throw new CommandError(`The sandbox rejected the request: ${toErrorText(error) ?? `status ${response.status}`}`);
}

/** Only errors of the service have a resource type. */
function isServiceError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'resource_type' in error;
}

function toErrorText(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('message' in error)) return null;
  const problems = 'problems' in error && Array.isArray(error.problems) ? ` ${error.problems.join('; ')}` : '';
  return `${String(error.message)}${problems}`;
}

type DefinedFlags<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The flags that are set. */
function definedFlags<T extends object>(flags: T): DefinedFlags<T> {
  const given: DefinedFlags<T> = {};
  for (const key in flags) {
    const value = flags[key];
    if (value !== undefined) Object.assign(given, { [key]: value });
  }
  return given;
}

/** Aligned columns; the last one is not padded. */
function toColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, place) => Math.max(most[place] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, place) => cell.padEnd(widths[place] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

interface ClockChange {
  readonly mode?: 'real' | 'frozen';
  readonly advance?: string;
}

/** Returns the time of the sandbox clock. With a change, it applies the change and waits until all due work is done. */
export async function clock(flags: ControlFlags, change?: ClockChange) {
  return requestControl(flags, (control) =>
    change === undefined ? control.GET('/clock') : control.POST('/clock', { body: change }),
  );
}

export function toClockText({ mode, now }: { mode: string; now: string }): string {
  return `${now} (${mode === 'real' ? 'running' : 'frozen'})`;
}

/** `12h`, `1d12h`, `90s`, or ISO 8601 (`PT12H`), as ISO 8601. */
export function toDuration(text: string): string {
  const [whole, days = '', rest = ''] = /^(\d+d)?((?:\d+h)?(?:\d+m)?(?:\d+(?:\.\d+)?s)?)$/i.exec(text) ?? [];
  const duration = whole ? `P${days}${rest === '' ? '' : `T${rest}`}`.toUpperCase() : text;
  if (parseDuration(duration) !== null) return duration;
  throw new CommandError(`The duration must be of the form 12h, 1d12h, 90s or PT12H, found ${text}`, exitCodes.usage);
}

export interface FaultFlags extends ControlFlags {
  readonly portal?: number;
}

/** The control plane has defaults for absent flags. */
export interface NewFaultFlags extends FaultFlags {
  readonly method?: string;
  readonly organization?: string;
  readonly call?: number;
  readonly times: number;
  readonly preset?: FaultPreset;
  readonly status?: number;
  readonly html?: true;
  readonly retryAfter?: number;
  readonly commit?: true;
  readonly reset?: true;
  readonly truncate?: true;
  readonly contentType?: string;
  readonly delay?: number;
  readonly drip?: number;
}

export async function addFault(path: string, flags: NewFaultFlags) {
  const { method, call, times, preset, status, html, commit, reset, truncate } = flags;
  const given = {
    portal_id: flags.portal,
    organization_id: flags.organization,
    headers: flags.retryAfter === undefined ? undefined : { 'retry-after': String(flags.retryAfter) },
    content_type: flags.contentType,
    delay_ms: flags.delay,
    drip_ms: flags.drip,
    method,
    call,
    preset,
    status,
    html,
    commit,
    reset,
    truncate,
  };
  const body = { path, times, ...definedFlags(given) };
  return requestControl(flags, (control) => control.POST('/faults', { body }));
}

export async function listFaults(flags: FaultFlags) {
  return requestControl(flags, (control) =>
    control.GET('/faults', { params: { query: definedFlags({ portal_id: flags.portal }) } }),
  );
}

export async function clearFaults(flags: FaultFlags): Promise<void> {
  await requestControl(flags, async (control) => {
    const { response, error } = await control.DELETE('/faults', {
      params: { query: definedFlags({ portal_id: flags.portal }) },
    });
    return { response, error, data: null };
  });
}

type Rule = Awaited<ReturnType<typeof addFault>>;

export function toFaultsText(rules: readonly Rule[]): string {
  if (rules.length === 0) return 'no active fault injection rules';
  return toColumns(
    rules.map(({ fault_id, calls, left, times: _times, ...rule }) => [
      fault_id,
      `${left} left`,
      `${calls} matched`,
      JSON.stringify(rule),
    ]),
  );
}

export interface JournalFlags extends ControlFlags {
  readonly portal?: number;
  readonly organization?: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly limit: number;
}

export async function journal(flags: JournalFlags) {
  const { portal, organization, method, path, status, limit } = flags;
  const query = { limit, ...definedFlags({ portal_id: portal, organization_id: organization, method, path, status }) };
  return requestControl(flags, (control) => control.GET('/journal', { params: { query } }));
}

type Entry = Awaited<ReturnType<typeof journal>>['entries'][number];

export function toJournalText({ entries }: { readonly entries: readonly Entry[] }): string {
  if (entries.length === 0) return 'no requests';
  return toColumns(
    entries.map(({ at, method, path, status, code, fault_id, meant = [] }) => [
      at,
      status === 0 ? 'dropped' : String(status),
      method,
      path,
      [code, fault_id, ...(meant.length > 0 ? [`meant ${meant.join(' or ')}?`] : [])]
        .filter((word) => word !== null)
        .join(' '),
    ]),
  );
}
