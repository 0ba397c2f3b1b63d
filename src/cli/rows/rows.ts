/** What became of the rows of an order, from the ledger alone. */
import { outcomeNames, type OutcomeName } from '../../ledger/record-outcome.ts';
import { toPrintableJson } from '../../text/printable-text.ts';
import type { SlotOutcome } from '../../ledger/outcome-rows.ts';
import { readConfiguration, type GlobalOptions } from '../configuration.ts';
import { openAnnouncedLedger } from '../data-folder.ts';
import { toOrderId } from '../order-id.ts';
import { CommandError, exitCodes, type Terminal } from '../terminal.ts';
import { toRowDocument, toRowText } from './row-text.ts';

/** Prints rows as they are read: an order may have a million. */
export async function rows(
  terminal: Terminal,
  options: GlobalOptions,
  orderId: string,
  { outcome, reason = null }: { outcome: readonly string[]; reason?: string | null },
): Promise<void> {
  const filter = { outcomes: outcome.map(toOutcome), reason };
  const id = toOrderId(orderId);
  const config = await readConfiguration(options.config, terminal.env);
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  if ((await ledger.orders.get(id)) === undefined) throw unknownOrder(id);
  let shown = 0;
  if (options.json) terminal.print('[');
  for await (const page of ledger.outcomeRows.list(id, filter)) {
    for (const row of page) {
      terminal.print(options.json ? toLine(row, shown) : toRowText(row));
      shown += 1;
    }
  }
  if (options.json) terminal.print(']');
  else terminal.say(shown === 0 ? 'no such row' : `${shown} rows`);
}

export function unknownOrder(id: string): CommandError {
  return new CommandError(`order ${id} is not in the ledger: collect it with prospect-sync ingest ${id}`);
}

function toLine(row: SlotOutcome, index: number): string {
  return `${index === 0 ? ' ' : ','}${toPrintableJson(toRowDocument(row))}`;
}

function toOutcome(word: string): OutcomeName {
  const known = outcomeNames.find((outcome) => outcome === word);
  if (known !== undefined) return known;
  throw new CommandError(
    `--outcome must be one of ${outcomeNames.join(', ')}, found ${JSON.stringify(word)}`,
    exitCodes.usage,
  );
}
