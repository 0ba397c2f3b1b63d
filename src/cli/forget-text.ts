/** Texts of the command `forget`. */
import type { ForgetPreview } from '../delivery/erasure/forget.ts';
import type { HubSpotConfig } from '../config/hubspot-settings.ts';
import type { ErasedRows } from '../ledger/erasures.ts';
import type { FoundCrmRecord } from '../ledger/erasure-context.ts';
import { toRecordLink } from '../hubspot/record-link.ts';
import { createConfiguredHubSpot } from '../worker/configured-clients.ts';

/** `url`: null when HubSpot did not name its portal. */
export type LinkedFoundRecord = FoundCrmRecord & { readonly url: string | null };

const longestWaitMs = 10_000;

/** Reads the portal id from HubSpot only if it is not configured. */
export async function linkRecords(
  config: HubSpotConfig,
  records: readonly FoundCrmRecord[],
): Promise<LinkedFoundRecord[]> {
  if (records.length === 0) return [];
  const { id } = config.portal;
  const account =
    id === null
      ? await createConfiguredHubSpot(config)
          .account(AbortSignal.timeout(longestWaitMs))
          .catch(() => null)
      : { portalId: id };
  return records.map((record) => ({ ...record, url: account === null ? null : toRecordLink(account, record) }));
}

/** False: no place holds the person or company. A place that failed may hold it. */
export function isFound({ orders, tables, files, records, isInSuppressions, failed }: ForgetPreview): boolean {
  const isListed = isInSuppressions || tables.some(({ rows }) => rows > 0);
  return isListed || orders + files.length + records.length + failed.length > 0;
}

export function toFoundText(preview: ForgetPreview): string {
  const { orders, tables, files, isInSuppressions, forgottenAt } = preview;
  if (isFound(preview))
    return [
      `Found: ${count(orders, 'order')} and ${count(files.length, 'file')} of prospect-sync, with`,
      ...toTableLines(tables),
      ...(isInSuppressions ? [keptSuppression] : []),
    ].join('\n');
  return forgottenAt === null
    ? 'Nothing found: no table and no file of prospect-sync names this address or domain.'
    : `Nothing found: it was forgotten on ${forgottenAt.slice(0, 10)}.`;
}

/** What a user can do who gave no `--future` and cannot be asked. */
export function toUnknownRemedy(preview: ForgetPreview): string[] {
  return preview.forgottenAt === null && !isFound(preview)
    ? ['Check the spelling. To leave it out of later results anyway, add --future; this cannot be undone.']
    : [];
}

const keptSuppression =
  '      1  suppressions.key\n         the domain in the suppression list. Kept: the entry, which orders need to leave the company out';

/** HubSpot itself is not changed: the user deletes these records there. */
export function toRecordLines(records: readonly LinkedFoundRecord[]): string[] {
  if (records.length === 0) return [];
  return [
    `HubSpot is not changed. ${count(records.length, 'record')} there may hold the person or company. Delete them in HubSpot:`,
    ...records.map(({ object, id, url }) => `  ${object.padEnd(9)}  ${id}${url === null ? '' : `  ${url}`}`),
  ];
}

/** Lists places with rows. */
export function toTableLines(tables: readonly ErasedRows[]): string[] {
  return tables
    .filter(({ rows }) => rows > 0)
    .map(
      ({ place, rows, holds, remains }) => `${String(rows).padStart(7)}  ${place}\n         ${holds}. Kept: ${remains}`,
    );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
