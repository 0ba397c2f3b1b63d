/** What a sync of an exclusion would do now. Changes nothing at the service or in the CRM; the ledger is a scratch one. */
import { entryInputSchema, type Entry, type EntryInput } from '../contract/index.ts';
import type { ExclusionsReport } from '../report/order-report.ts';
import type { ExclusionPlan } from '../config/run-plan.ts';
import type { Row } from '../spreadsheet/table.ts';
import type { ActivityDependencies } from '../../activities/activity-dependencies.ts';
import { assertNotEmptied, findBlacklist, readPresent } from './exclusion-blacklist.ts';
import type { Steps } from './hubspot-sources.ts';
import { holdRemovals, removalPages } from './removal-set.ts';
import { driedUp, scanSources } from './scan-sources.ts';

/** `added` and `removed` are what would be; `blacklistId` is null where a blacklist would be made. */
export interface ExclusionPreview extends Omit<ExclusionsReport, 'blacklistId'> {
  readonly blacklistId: string | null;
  readonly present: number;
  /** Whether a sync has proposed exactly what would wait: only that can be approved. */
  readonly isProposed: boolean;
}

interface Preview {
  readonly preview: ExclusionPreview;
  /** Every difference, with the company's own words. */
  readonly differences: () => AsyncGenerator<Row[]>;
}

const listedAtOnce = 1_000;

export async function previewExclusion(
  clients: ActivityDependencies,
  exclusion: ExclusionPlan,
  steps: Steps,
): Promise<Preview> {
  const { ledger, now } = clients;
  const syncId = `preview/${exclusion.name}`;
  const { scan, ...read } = await scanSources(clients, { syncId, exclusion, since: null }, steps);
  const blacklist = await findBlacklist(clients, exclusion, steps.signal);
  const blacklistId = blacklist?.id ?? null;
  const present = blacklistId === null ? 0 : await readPresent(clients, { syncId, blacklistId, kind: 'full' }, steps);
  assertNotEmptied(exclusion, { wanted: read.wanted, present });
  const dry = Object.keys(await driedUp(clients, exclusion, scan));
  const step = { syncId, blacklistId: blacklistId ?? '', exclusion, before: present, driedUp: dry };
  const proposed = await ledger.exclusionRemovals.waiting();
  const { pending } = await holdRemovals(ledger, step, now());
  let added = 0;
  for await (const page of additionPages(clients, syncId)) added += page.length;
  let removed = 0;
  for await (const page of removalPages(ledger, syncId)) {
    removed += page.rows.length - (pending === null ? 0 : page.released.length);
  }
  const preview = {
    name: exclusion.name,
    blacklistId,
    scan: 'full',
    present,
    added,
    removed,
    pending,
    isProposed: proposed.some(({ digest }) => digest === pending?.digest),
    ...read,
  } as const;
  return { preview, differences: () => differencesOf(clients, { syncId, preview }, steps) };
}

async function* additionPages(
  { ledger }: Pick<ActivityDependencies, 'ledger'>,
  syncId: string,
): AsyncGenerator<EntryInput[]> {
  let after = '';
  for (;;) {
    const rows = await ledger.exclusions.additions(syncId, { limit: listedAtOnce, after });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ json }) => entryInputSchema.parse(JSON.parse(json)));
    after = last.hash;
  }
}

async function* differencesOf(
  clients: ActivityDependencies,
  { syncId, preview }: { syncId: string; preview: ExclusionPreview },
  { signal }: Steps,
): AsyncGenerator<Row[]> {
  const { name, blacklistId, pending } = preview;
  for await (const entries of additionPages(clients, syncId)) {
    yield entries.map((entry) => toRow(name, 'add', entry));
  }
  if (blacklistId === null) return;
  const going = new Map<string, string>();
  for await (const { rows, released } of removalPages(clients.ledger, syncId)) {
    const letThrough = new Set(released.map(({ entryId }) => entryId));
    for (const { entryId } of rows) {
      const kind = pending === null ? 'remove' : 'remove, waits for approval';
      going.set(entryId, letThrough.has(entryId) ? kind : 'remove, stays excluded by another entry');
    }
  }
  if (going.size === 0) return;
  // The ledger holds no words of entries that are present: they are read once more.
  for await (const entries of clients.prospecting.blacklists.entries(blacklistId, { signal })) {
    const rows = entries.flatMap((entry) => {
      const change = going.get(entry.id);
      return change === undefined ? [] : [toRow(name, change, entry)];
    });
    if (rows.length > 0) yield rows;
  }
}

function toRow(exclusion: string, change: string, entry: EntryInput | Entry): Row {
  const { company_name, website_url, city, country, external_id, reason } = entry;
  const id = 'id' in entry ? entry.id : null;
  return { exclusion, change, id, company_name, website_url, city, country, external_id, reason };
}

export const differenceColumns = [
  { key: 'exclusion', header: 'exclusion', kind: 'text' },
  { key: 'change', header: 'change', kind: 'text' },
  { key: 'id', header: 'entry_id', kind: 'text' },
  { key: 'company_name', header: 'company_name', kind: 'text' },
  { key: 'website_url', header: 'website_url', kind: 'text' },
  { key: 'city', header: 'city', kind: 'text' },
  { key: 'country', header: 'country', kind: 'text' },
  { key: 'external_id', header: 'external_id', kind: 'text' },
  { key: 'reason', header: 'reason', kind: 'text' },
] as const;
