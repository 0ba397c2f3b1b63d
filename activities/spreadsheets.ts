import { join } from 'node:path';
import type { Ledger } from '../src/ledger/ledger.ts';
import { slotColumns, toSlotRows, toSummarySections } from '../src/mapping/slot-rows.ts';
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
      const columns = slotColumns(plan.rows, plan.columns);
      const rows = readRows(ledger, orderId, plan);
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
  { rows: mode, columns: further = {} }: SpreadsheetPlan,
): AsyncGenerator<Row[]> {
  const readSlot = await ledger.shapes.slotReader(orderId);
  for await (const slots of ledger.slots.stream(orderId)) {
    const [first, last] = [slots[0], slots.at(-1)];
    if (first === undefined || last === undefined) return;
    const range = { from: first.position, to: last.position + 1 };
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
      return toSlotRows(slot, { mode, further, exclusion, companyRecordId, contactRecordIds });
    });
  }
}
