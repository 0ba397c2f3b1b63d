/** `report`: the page of one order as a file. */
import { writeWholeFile } from '../base/spreadsheet/whole-file.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { renderReport } from '../console/report-file.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { openAnnouncedLedger } from './data-folder.ts';
import { findOrderId, unknownOrder } from './known-order.ts';
import { assertFreeTarget, type OverwriteFlags } from './target-file.ts';
import { signalOf, type Terminal } from './terminal.ts';

export interface ReportFlags extends OverwriteFlags {
  readonly html: string;
}

/** Printed by `report`. */
export interface WrittenReport {
  readonly order_id: string;
  readonly file: string;
  readonly bytes: number;
}

export async function writeReport(
  terminal: Terminal,
  options: GlobalOptions,
  order: string,
  { html: path, overwrite }: ReportFlags,
): Promise<WrittenReport> {
  await assertFreeTarget(path, { overwrite, format: 'html' }, options);
  const config = await readConfiguration(options.config, terminal.env);
  const id = await findOrderId(terminal, config, options, order);
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  const text = await renderReport(ledger, id, new Date());
  if (text === null) throw unknownOrder(id);
  const { bytes } = await writeWholeFile({ path, signal: signalOf(terminal) }, (file) => file.append(text));
  return { order_id: id, file: path, bytes };
}

export function toReportText({ order_id: orderId, file }: WrittenReport): string {
  return `report of order ${orderId}: ${toPrintable(file)}`;
}
