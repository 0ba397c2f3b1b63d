/** The orders in which a company or contact occurs, and its outcome in each. */
import type { SlotOutcome, TraceQuery } from '../../ledger/outcome-rows.ts';
import { addressKey } from '../../mapping/identity.ts';
import { hostOf } from '../../mapping/website-domain.ts';
import { readConfiguration, type GlobalOptions } from '../configuration.ts';
import { openAnnouncedLedger } from '../data-folder.ts';
import type { Terminal } from '../terminal.ts';
import { toRowDocument, toRowText } from './row-text.ts';

export async function trace(terminal: Terminal, options: GlobalOptions, what: string): Promise<SlotOutcome[]> {
  const config = await readConfiguration(options.config, terminal.env);
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  const found = new Map<string, SlotOutcome>();
  for (const query of toTraceQueries(what)) {
    for (const row of await ledger.outcomeRows.trace(query)) {
      found.set(`${row.orderId} ${row.position} ${row.item}`, row);
    }
  }
  return [...found.values()];
}

export function toTraceDocument(rows: readonly SlotOutcome[]) {
  return rows.map(toRowDocument);
}

export function toTraceText(rows: readonly SlotOutcome[]): string {
  if (rows.length === 0) return 'not in the ledger';
  const byOrder = Map.groupBy(
    rows,
    ({ orderId, runName }) => `order ${orderId}${runName === null ? '' : ` of ${runName}`}`,
  );
  return [...byOrder]
    .flatMap(([order, orderRows]) => [order, ...orderRows.map((row) => `${row.at.slice(0, 19)}  ${toRowText(row)}`)])
    .join('\n');
}

/** The argument may be an email address, a domain, a HubSpot record id or a submitted external id. */
function toTraceQueries(what: string): TraceQuery[] {
  const word = what.trim();
  if (word.includes('@')) return [{ matchKey: addressKey(word) }];
  const domain = hostOf(word);
  return [
    ...(domain === null ? [] : [{ matchKey: domain }]),
    ...(/^\d+$/.test(word) ? [{ recordId: word }] : []),
    { externalId: word },
  ];
}
