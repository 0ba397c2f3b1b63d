/** The content of Google Sheets outputs. No spreadsheet exists: its rows are computed on demand. */
import type { Column } from '../../src/base/spreadsheet/table.ts';
import { toOutputRow } from './output-rows.ts';
import { outputState } from './output-state.ts';
import type { Publications } from '../results/publications.ts';
import type { Organization } from '../state/organization.ts';
import type { StoredOrder, StoredOutput } from '../state/stored-records.ts';

export interface Sheet {
  readonly header: readonly string[];
  /** In the order of the header; an empty cell is null. */
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
  /** Without the header. */
  readonly total: number;
}

interface SheetDependencies extends Pick<Publications, 'publishedSet'> {
  readonly columnsOf: (order: StoredOrder) => readonly Column[];
}

interface SheetRange {
  readonly spreadsheetId: string;
  readonly now: number;
  readonly limit: number;
  readonly offset: number;
}

export function recordSheetOutput({ sheets }: Organization, { id, orderId, spreadsheetId }: StoredOutput): void {
  if (spreadsheetId === null) return;
  sheets.set(spreadsheetId, [...(sheets.get(spreadsheetId) ?? []), { orderId, outputId: id }]);
}

/** The content of the newest COMPLETED output of that spreadsheet; null if there is none. */
export function readSheet(
  organization: Organization,
  { publishedSet, columnsOf }: SheetDependencies,
  { spreadsheetId, now, limit, offset }: SheetRange,
): Sheet | null {
  const written = organization.sheets
    .get(spreadsheetId)
    ?.map(({ orderId, outputId }) => organization.outputs(orderId).get(outputId))
    .findLast((output) => output && outputState(organization, output, now).status === 'COMPLETED');
  const order = written && organization.orders.get(written.orderId);
  const set = order && publishedSet(organization, order);
  if (!set) return null;
  const columns = columnsOf(order);
  const length = Math.max(0, Math.min(limit, set.total - offset));
  const rows = Array.from({ length }, (_, place) => toOutputRow(set.slotAt(offset + place)));
  return {
    header: columns.map(({ header }) => header),
    rows: rows.map((row) => columns.map(({ key }) => row[key] ?? null)),
    total: set.total,
  };
}
