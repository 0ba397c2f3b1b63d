import { join } from 'node:path';
import { z } from 'zod';
import type { RowOrigin } from '../src/ledger/draft-store.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { slotColumns, toOwnCells, toSlotRows, toSummarySections } from '../src/mapping/slot-rows.ts';
import type { FileReport, Finding } from '../src/report/order-report.ts';
import type { SpreadsheetPlan } from '../src/config/run-plan.ts';
import { writeCsv } from '../src/spreadsheet/csv-writer.ts';
import {
  createContentDigest,
  toFileContent,
  type FileContent,
  type SpreadsheetLayout,
} from '../src/spreadsheet/file-content.ts';
import { writeXlsx } from '../src/spreadsheet/xlsx-writer.ts';
import { countDifferingRows, toComparedColumns } from '../src/spreadsheet/compare-rows.ts';
import { readTable } from '../src/spreadsheet/reader-thread.ts';
import type { Column, Row, SourceHeader } from '../src/spreadsheet/table.ts';
import { checked, deliverySchema, orderIdSchema } from './checked-input.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { planDelivery } from './configured-run.ts';
import { cancellationSignal, recordProgress } from './activity-heartbeat.ts';

const writeSpreadsheetSchema = deliverySchema.extend({ kind: z.enum(['csv', 'xlsx']) });

const rewriteSchema = z.object({ orderId: orderIdSchema });

export interface RewrittenSpreadsheets {
  readonly files: FileReport[];
  /** Files with an unknown layout. */
  readonly findings: Finding[];
}

interface SheetFile {
  readonly orderId: string;
  readonly kind: 'csv' | 'xlsx';
  readonly path: string;
  readonly layout: SpreadsheetLayout;
}

export function createSpreadsheetActivities({ ledger, now, configuration }: ActivityDependencies) {
  return {
    /** Writes one file of the whole order; a retried attempt replaces the file. null when the file is no longer configured. */
    writeSpreadsheet: checked(writeSpreadsheetSchema, async ({ kind, ...order }): Promise<FileReport | null> => {
      const { spreadsheets: plan } = await planDelivery({ configuration, ledger }, order);
      if (plan === null || !plan.kinds.includes(kind)) return null;
      const { orderId } = order;
      return write({ orderId, kind, path: join(plan.directory, `${orderId}.${kind}`), layout: toLayout(plan) });
    }),

    /** Rewrites the files of an order with their paths and layouts, after the ledger has changed. */
    rewriteSpreadsheets: checked(rewriteSchema, async ({ orderId }): Promise<RewrittenSpreadsheets> => {
      const order = await ledger.orders.get(orderId);
      // Files of earlier releases have no stored layout: the current configuration of the run is used.
      const configured = configuration.findRun(order?.runName ?? '')?.plan.delivery.spreadsheets ?? null;
      const files: FileReport[] = [];
      let left = 0;
      for (const { kind, path, contentJson } of await ledger.files.list(orderId)) {
        if (kind === 'leaks') continue;
        const layout = toFileContent(contentJson)?.layout ?? (configured === null ? null : toLayout(configured));
        if (layout === null) left += 1;
        else files.push(await write({ orderId, kind, path, layout }));
      }
      return { files, findings: left === 0 ? [] : [{ code: 'files_not_rewritten', count: left, positions: [] }] };
    }),
  };

  async function write({ orderId, kind, path, layout }: SheetFile): Promise<FileReport> {
    const columns = await readColumns(ledger, orderId, layout);
    const keys = columns.map(({ key }) => key);
    const content = createContentDigest(keys);
    const rows = content.watch(readRows(ledger, orderId, layout));
    const target = { path, signal: cancellationSignal(), onRows: recordProgress };
    const byStatus = await ledger.slots.countByStatus(orderId);
    const byReason = await ledger.slots.countByReason(orderId);
    const file =
      kind === 'csv'
        ? await writeCsv({ ...target, columns, rows })
        : await writeXlsx({
            ...target,
            sheet: { name: 'Results', columns, rows },
            summary: () => toSummarySections({ byStatus, byReason }),
          });
    await ledger.files.save({
      orderId,
      kind,
      path,
      rows: file.rows,
      bytes: file.bytes,
      sha256: file.sha256,
      writtenAt: now().toISOString(),
      contentJson: JSON.stringify({ layout, keys, sha256: content.hex() } satisfies FileContent),
    });
    return { path, kind, rows: file.rows };
  }
}

function toLayout({ directory: _, kinds: __, ...layout }: SpreadsheetPlan): SpreadsheetLayout {
  return layout;
}

/** Reads a written file again, and counts the rows that are not those of the ledger. */
export async function countDifferingFileRows(
  ledger: Ledger,
  orderId: string,
  { kind, path, layout }: Omit<SheetFile, 'orderId'>,
): Promise<number> {
  const compared = toComparedColumns(await readColumns(ledger, orderId, layout));
  const select = ({ headers }: SourceHeader) => headers.filter((header) => compared.has(header));
  const file = readTable({ kind, path }, { signal: cancellationSignal(), select });
  return countDifferingRows(file, readRows(ledger, orderId, layout), compared);
}

async function readColumns(ledger: Ledger, orderId: string, layout: SpreadsheetLayout): Promise<readonly Column[]> {
  const ownHeaders = (await ledger.drafts.ofOrder(orderId))?.headers ?? [];
  return slotColumns(layout.rows, { further: layout.columns, ownHeaders });
}

/** The digest of a file with this layout and these columns, computed from the ledger. */
export async function digestLedgerRows(
  ledger: Ledger,
  orderId: string,
  { layout, keys }: Pick<FileContent, 'layout' | 'keys'>,
): Promise<string> {
  const content = createContentDigest(keys);
  let rows = 0;
  for await (const batch of readRows(ledger, orderId, layout)) {
    cancellationSignal().throwIfAborted();
    content.add(batch);
    recordProgress((rows += batch.length));
  }
  return content.hex();
}

async function* readRows(
  ledger: Ledger,
  orderId: string,
  { rows: mode, columns: further = {} }: SpreadsheetLayout,
): AsyncGenerator<Row[]> {
  const draft = await ledger.drafts.ofOrder(orderId);
  const parse = await ledger.slots.parser(orderId);
  for await (const slots of ledger.slots.stream(orderId)) {
    const [first, last] = [slots[0], slots.at(-1)];
    if (first === undefined || last === undefined) return;
    const range = { from: first.position, to: last.position + 1 };
    const origins = draft === null ? new Map<number, RowOrigin>() : await ledger.drafts.origins(draft.draftId, range);
    const leaks = await ledger.leaks.read(orderId, range);
    const outcomes = await ledger.outcomes.read(orderId, range);
    const recordIds = new Map(outcomes.map(({ position, item, recordId }) => [`${position} ${item}`, recordId]));
    yield slots.flatMap((stored) => {
      const { position, slot } = parse(stored);
      const companyRecordId = recordIds.get(`${position} company`) ?? null;
      const contactRecordIds = (slot.company?.prospects ?? []).map(
        (_, index) => recordIds.get(`${position} contact:${index}`) ?? null,
      );
      const exclusion = leaks.get(position)?.verdict ?? null;
      const origin = origins.get(position);
      const own = origin === undefined ? {} : toOwnCells(origin);
      return toSlotRows(slot, { mode, further, exclusion, companyRecordId, contactRecordIds }).map((row) => ({
        ...own,
        ...row,
      }));
    });
  }
}
