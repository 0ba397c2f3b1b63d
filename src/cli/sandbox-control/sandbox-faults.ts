import type { FaultPreset } from '../../../sandbox/hubspot/fault-presets.ts';
import { requestControl, onlyGiven, toColumns, type ControlFlags } from './control-request.ts';

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
  const body = { path, times, ...onlyGiven(given) };
  return requestControl(flags, (control) => control.POST('/faults', { body }));
}

export async function listFaults(flags: FaultFlags) {
  return requestControl(flags, (control) =>
    control.GET('/faults', { params: { query: onlyGiven({ portal_id: flags.portal }) } }),
  );
}

export async function clearFaults(flags: FaultFlags): Promise<void> {
  await requestControl(flags, async (control) => {
    const { response, error } = await control.DELETE('/faults', {
      params: { query: onlyGiven({ portal_id: flags.portal }) },
    });
    return { response, error, data: null };
  });
}

type Rule = Awaited<ReturnType<typeof addFault>>;

export function toFaultsText(rules: readonly Rule[]): string {
  if (rules.length === 0) return 'no active rules';
  return toColumns(
    rules.map(({ fault_id, calls, left, times: _times, ...rule }) => [
      fault_id,
      `${left} left`,
      `${calls} matched`,
      JSON.stringify(rule),
    ]),
  );
}
