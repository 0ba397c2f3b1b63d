import { join } from 'node:path';
import type { RowOrigin } from '../src/ledger/drafts.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { slotColumns, toOwnCells, toSlotRows, toSummarySections } from '../src/mapping/slot-rows.ts';
import type { FileReport } from '../src/order-report.ts';
import type { SpreadsheetPlan } from '../src/run-plan.ts';
import { writeCsv } from '../src/spreadsheet/csv-writer.ts';
import { writeXlsx } from '../src/spreadsheet/xlsx-writer.ts';
import type { Row } from '../src/spreadsheet/table.ts';
import type { Clients } from './clients.ts';
import { cancellation, reached } from './progress.ts';

export interface WriteSpreadsheet {
  readonly orderId: string;
  readonly kind: 'csv' | 'xlsx';
  readonly plan: SpreadsheetPlan;
}

export function createSpreadsheetActivities({ ledger, now }: Clients) {
  return {
    /** Writes one file of the whole order; a repeated attempt writes it anew under the same name. */
    async writeSpreadsheet({ orderId, kind, plan }: WriteSpreadsheet): Promise<FileReport> {
      const path = join(plan.directory, `${orderId}.${kind}`);
      const draft = await ledger.drafts.ofOrder(orderId);
      const columns = slotColumns(plan.rows, { further: plan.columns, ownHeaders: draft?.headers ?? [] });
      const rows = readRows(ledger, orderId, { plan, draftId: draft?.draftId ?? null });
      const target = { path, signal: cancellation(), onRows: reached };
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
      });
      return { path, kind, rows: file.rows };
    },
  };
}

async function* readRows(
  ledger: Ledger,
  orderId: string,
  { plan, draftId }: { plan: SpreadsheetPlan; draftId: string | null },
): AsyncGenerator<Row[]> {
  const { rows: mode, columns: further = {} } = plan;
  const readSlot = await ledger.shapes.slotReader(orderId);
  for await (const slots of ledger.slots.stream(orderId)) {
    const [first, last] = [slots[0], slots.at(-1)];
    if (first === undefined || last === undefined) return;
    const range = { from: first.position, to: last.position + 1 };
    const origins = draftId === null ? new Map<number, RowOrigin>() : await ledger.drafts.origins(draftId, range);
    const leaks = await ledger.leaks.read(orderId, range);
    const outcomes = await ledger.outcomes.read(orderId, 'hubspot', range);
    const recordIds = new Map(outcomes.map(({ position, item, recordId }) => [`${position} ${item}`, recordId]));
    yield slots.flatMap(({ position, json }) => {
      const slot = readSlot(json);
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
