/** `changes`: what an order changed in records that HubSpot had already, from the ledger alone. */
import type { ChangedRecord } from '../ledger/value-change-store.ts';
import { writeCsv } from '../base/spreadsheet/csv-writer.ts';
import type { Column, Row } from '../base/spreadsheet/table.ts';
import { shorten } from '../base/text/bound-text.ts';
import { toPrintable, toPrintableJson } from '../base/text/printable-text.ts';
import { singularOf } from '../hubspot/hubspot-record.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { openAnnouncedLedger } from './data-folder.ts';
import { readCollected, refuseErasedOrder, findOrderId } from './known-order.ts';
import { assertFreeTarget, type TargetFlags } from './target-file.ts';
import { signalOf, type Terminal } from './terminal.ts';

const columns: readonly Column[] = [
  { key: 'object', header: 'Object', kind: 'text' },
  { key: 'record_id', header: 'HubSpot Record Id', kind: 'text' },
  { key: 'property', header: 'Property', kind: 'text' },
  { key: 'before', header: 'Before', kind: 'text' },
  { key: 'after', header: 'After', kind: 'text' },
  { key: 'at', header: 'Written At', kind: 'text' },
];

const longestShown = 80;

/** Prints the values as they are read: an order may have changed a million. `out`: path of a CSV file instead. */
export async function changes(
  terminal: Terminal,
  options: GlobalOptions,
  orderId: string,
  { out, overwrite }: TargetFlags,
): Promise<void> {
  if (out !== undefined) await assertFreeTarget(out, { overwrite, format: 'csv' }, options);
  const config = await readConfiguration(options.config, terminal.env);
  const id = await findOrderId(terminal, config, options, orderId);
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  await readCollected(ledger, id);
  await refuseErasedOrder(ledger, id);
  const counts = new Map<string, number>();
  let records = 0;
  const rows = (async function* () {
    for await (const page of ledger.valueChanges.list(id)) {
      const found = page.flatMap(toRows);
      records += page.length;
      for (const { object, property } of found) {
        const name = `${object}.${property}`;
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      yield found;
    }
  })();
  if (out === undefined) await print(terminal, options, rows);
  else await writeCsv({ path: out, columns, rows, signal: signalOf(terminal) });
  const values = [...counts.values()].reduce((sum, count) => sum + count, 0);
  for (const [name, count] of [...counts].sort(([, a], [, b]) => b - a))
    terminal.say(`${String(count).padStart(7)}  ${toPrintable(name)}`);
  terminal.say(
    `${values} values of ${records} records that HubSpot had already. New records, and the properties of prospect-sync itself, are not listed: see prospect-sync rows ${id} --outcome created`,
  );
  if (out !== undefined) terminal.say(`The values are in ${toPrintable(out)}`);
}

async function print(
  terminal: Terminal,
  { json }: GlobalOptions,
  pages: AsyncIterable<readonly ChangedValue[]>,
): Promise<void> {
  let shown = 0;
  if (json) terminal.print('[');
  for await (const page of pages) {
    for (const row of page) {
      terminal.print(json ? `${shown === 0 ? ' ' : ','}${toPrintableJson(row)}` : toPrintable(toText(row)));
      shown += 1;
    }
  }
  if (json) terminal.print(']');
}

type ChangedValue = Row &
  Record<'record_id' | 'property' | 'before' | 'after' | 'at', string> &
  Pick<ChangedRecord, 'object'>;

function toRows({ object, recordId, at, changes: values }: ChangedRecord): ChangedValue[] {
  return Object.entries(values).map(([property, { before, after }]) => ({
    object,
    record_id: recordId,
    property,
    before,
    after,
    at,
  }));
}

function toText({ object, record_id: id, property, before, after }: ChangedValue): string {
  const shown = (value: string) => (value === '' ? 'nothing' : JSON.stringify(shorten(value, longestShown)));
  return `${singularOf[object]} ${id}  ${property}: ${shown(before)} -> ${shown(after)}`;
}
