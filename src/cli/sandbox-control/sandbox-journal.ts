import { requestControl, onlyGiven, toColumns, type ControlFlags } from './control-request.ts';

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
  const query = { limit, ...onlyGiven({ portal_id: portal, organization_id: organization, method, path, status }) };
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
