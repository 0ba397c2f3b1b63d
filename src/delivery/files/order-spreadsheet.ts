/** The CSV and XLSX files of an order, as the ledger gives them. */
import { rm } from 'node:fs/promises';
import type { RowOrigin } from '../../ledger/draft-store.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { keepEdited } from './edited-copies.ts';
import { excludedColumns, excludedKeys, readExcludedRows } from './excluded-sheet.ts';
import { withRecordLinks } from './slot-columns.ts';
import { withWebsite } from '../mapping/crm-properties.ts';
import { websitePath } from '../mapping/source-paths.ts';
import { readOrderSummary, toSummarySections } from './order-summary.ts';
import { sayIn } from './sheet-language.ts';
import { slotColumns, toOwnCells, toSlotRows } from './slot-rows.ts';
import { writeCsv } from '../../base/spreadsheet/csv-writer.ts';
import { createContentDigest, type SpreadsheetLayout } from '../../base/spreadsheet/file-content.ts';
import type { Column, Row } from '../../base/spreadsheet/table.ts';
import { writeXlsx } from '../../base/spreadsheet/xlsx-writer.ts';

export interface SheetFile {
  readonly orderId: string;
  readonly kind: 'csv' | 'xlsx';
  readonly path: string;
  readonly layout: SpreadsheetLayout;
}

export interface FileReport {
  readonly path: string;
  /** `leaks`: evidence of returned companies that a blacklist names. */
  readonly kind: 'csv' | 'xlsx' | 'leaks';
  readonly rows: number;
  /** Where the file is now that was replaced although prospect-sync has not written it like this. */
  readonly kept?: string;
  /** Of the kept file: false if the ledger has no file of the order at this path, so that nobody may have edited it. */
  readonly edited?: boolean;
}

export interface SpreadsheetContext {
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Called with the number of rows so far. */
  readonly onRows: (rows: number) => void;
}

/** Replaces the file, keeping one that a person has edited under another name, and stores its digests in the ledger. The file is without data that was erased while it was written. */
export function writeOrderSpreadsheet(
  ledger: Ledger,
  file: SheetFile,
  context: SpreadsheetContext,
): Promise<FileReport> {
  return ledger.erasures.untilUnchanged(file.orderId, () => writeOnce(ledger, file, context));
}

async function writeOnce(
  ledger: Ledger,
  { orderId, kind, path, layout }: SheetFile,
  { now, signal, onRows }: SpreadsheetContext,
): Promise<FileReport> {
  const columns = await readSheetColumns(ledger, orderId, layout);
  const keys = columns.map(({ key }) => key);
  const content = createContentDigest(keys);
  const rows = content.watch(readResultRows(ledger, orderId, layout));
  const { excluded: _former, ...settings } = layout;
  const hasExcluded = kind === 'xlsx' && (await ledger.excludedRows.count(orderId)) > 0;
  const excludedRows = content.watch(readExcludedRows(ledger, orderId, layout.language), excludedKeys);
  const say = sayIn(layout.language);
  const excludedHeaders = excludedColumns.map((column) => ({ ...column, header: say(column.header) }));
  const excluded = hasExcluded ? { name: say('Excluded'), columns: excludedHeaders, rows: excludedRows } : null;
  const target = { path, signal, onRows };
  const summary = await readOrderSummary(ledger, orderId);
  const kept = await keepEdited(ledger, { orderId, kind, path }, now());
  const file =
    kind === 'csv'
      ? await writeCsv({ ...target, columns, rows, form: layout.csv })
      : await writeXlsx({
          ...target,
          secondSheet: excluded,
          sheet: { name: say('Results'), columns: await linkRecords(ledger, columns), rows },
          summaryName: say('Summary'),
          summary: () => toSummarySections(summary, layout.language),
        });
  await ledger.files.save({
    orderId,
    kind,
    path,
    rows: file.rows,
    bytes: file.bytes,
    sha256: file.sha256,
    writtenAt: now().toISOString(),
    content: { layout: { ...settings, ...(hasExcluded ? { excluded: true } : {}) }, keys, sha256: content.hex() },
  });
  if (kept?.sha256 === file.sha256) await rm(kept.path, { force: true });
  else if (kept !== null) return { path, kind, rows: file.rows, kept: kept.path, edited: kept.isKnown };
  return { path, kind, rows: file.rows };
}

export async function readSheetColumns(
  ledger: Ledger,
  orderId: string,
  layout: SpreadsheetLayout,
): Promise<readonly Column[]> {
  const ownHeaders = (await ledger.drafts.ofOrder(orderId))?.headers ?? [];
  return slotColumns(layout.rows, { further: layout.columns, ownHeaders, language: layout.language });
}

/** The portal is known once something was written to HubSpot. */
async function linkRecords(ledger: Ledger, columns: readonly Column[]): Promise<readonly Column[]> {
  const portalId = await ledger.portal.get();
  return portalId === null ? columns : columns.map((column) => withRecordLinks(column, portalId));
}

/** The rows of a file with this layout, without those of the sheet of excluded rows. */
export async function* readResultRows(
  ledger: Ledger,
  orderId: string,
  { rows: mode, columns: further = {} }: SpreadsheetLayout,
): AsyncGenerator<Row[]> {
  const draft = await ledger.drafts.ofOrder(orderId);
  const order = await ledger.orderRequests.source(orderId);
  const parse = await ledger.slots.parser(orderId);
  const hasWebsites = Object.values(further).includes(websitePath);
  for await (const slots of ledger.slots.stream(orderId)) {
    const [first, last] = [slots[0], slots.at(-1)];
    if (first === undefined || last === undefined) return;
    const range = { from: first.position, to: last.position + 1 };
    const origins = draft === null ? new Map<number, RowOrigin>() : await ledger.drafts.origins(draft.draftId, range);
    const leaks = await ledger.leaks.read(orderId, range);
    const outcomes = await ledger.outcomes.read(orderId, range);
    const texts = hasWebsites ? await ledger.websites.texts(orderId, range) : new Map<number, string>();
    const recordIds = new Map(outcomes.map(({ position, item, recordId }) => [`${position} ${item}`, recordId]));
    yield slots.flatMap((stored) => {
      const { position, slot: published } = parse(stored);
      const slot = withWebsite(published, texts.get(position));
      const companyRecordId = recordIds.get(`${position} company`) ?? null;
      const contactRecordIds = (slot.company?.prospects ?? []).map(
        (_, index) => recordIds.get(`${position} contact:${index}`) ?? null,
      );
      const exclusion = leaks.get(position)?.verdict ?? null;
      const origin = origins.get(position);
      const own = origin === undefined ? {} : toOwnCells(origin);
      return toSlotRows(slot, { mode, further, order, exclusion, companyRecordId, contactRecordIds }).map((row) => ({
        ...own,
        ...row,
      }));
    });
  }
}
