import { join } from 'node:path';
import { z } from 'zod';
import { writeOrderSpreadsheet } from '../src/delivery/files/order-spreadsheet.ts';
import type { FileReport } from '../src/delivery/files/order-spreadsheet.ts';
import { toOrderFileName } from '../src/delivery/mapping/list-names.ts';
import type { SpreadsheetPlan } from '../src/config/run-plan.ts';
import type { SpreadsheetLayout } from '../src/base/spreadsheet/file-content.ts';
import { checked, deliverySchema, orderIdSchema } from './checked-input.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { planDelivery } from './configured-run.ts';
import { cancellationSignal, recordProgress } from './activity-heartbeat.ts';

const writeSpreadsheetSchema = deliverySchema.extend({ kind: z.enum(['csv', 'xlsx']) });

const rewriteSchema = z.object({ orderId: orderIdSchema });

export interface RewrittenSpreadsheets {
  readonly files: FileReport[];
}

export function createSpreadsheetActivities({ ledger, now, configuration }: ActivityDependencies) {
  const context = () => ({ now, signal: cancellationSignal(), onRows: recordProgress });
  return {
    /** Writes one file of the whole order; a retried attempt replaces the file. null when the file is no longer configured. */
    writeSpreadsheet: checked(writeSpreadsheetSchema, async ({ kind, ...order }): Promise<FileReport | null> => {
      const { spreadsheets: plan } = planDelivery({ configuration }, order);
      if (plan === null || !plan.kinds.includes(kind)) return null;
      const { orderId } = order;
      const source = await ledger.orderRequests.source(orderId);
      const name = plan.fileName === undefined ? orderId : toOrderFileName(plan.fileName, source);
      return writeOrderSpreadsheet(
        ledger,
        { orderId, kind, path: join(plan.directory, `${name}.${kind}`), layout: toLayout(plan, kind) },
        context(),
      );
    }),

    /** Rewrites the files of an order with their paths and layouts, after the ledger has changed. */
    rewriteSpreadsheets: checked(rewriteSchema, async ({ orderId }): Promise<RewrittenSpreadsheets> => {
      const files: FileReport[] = [];
      for (const { kind, path, content } of await ledger.files.list(orderId)) {
        if (kind === 'leaks' || content === null) continue;
        const { layout } = content;
        files.push(await writeOrderSpreadsheet(ledger, { orderId, kind, path, layout }, context()));
      }
      return { files };
    }),
  };
}

function toLayout({ rows, columns, csv, language }: SpreadsheetPlan, kind: 'csv' | 'xlsx'): SpreadsheetLayout {
  return {
    rows,
    ...(columns && { columns }),
    ...(language && { language }),
    ...(csv && kind === 'csv' ? { csv } : {}),
  };
}
