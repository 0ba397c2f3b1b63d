/** Writes the website texts of the companies of an order as Markdown files. */
import path from 'node:path';
import { findProspectSearch } from '../delivery/files/fetch-websites.ts';
import { writeWebsites, type WebsitesReport } from '../delivery/files/website-files.ts';
import { createSystems } from '../worker/configured-clients.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { checkConnections, createWaitOutRefusals, toCommandError } from './connections.ts';
import { openAnnouncedLedger } from './data-folder.ts';
import { refuseErasedOrder, readCollected, findOrderId } from './known-order.ts';
import { CommandError, signalOf, type Terminal } from './terminal.ts';
import { listFirst } from '../base/text/named-rows.ts';

const positionsShown = 10;

export async function websites(
  terminal: Terminal,
  options: GlobalOptions,
  orderId: string,
  { out }: { readonly out?: string },
): Promise<WebsitesReport> {
  const config = await readConfiguration(options.config, terminal.env);
  const id = await findOrderId(terminal, config, options, orderId);
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  const order = await readCollected(ledger, id);
  await refuseErasedOrder(ledger, id);
  const systems = createSystems(config);
  await checkConnections(config, systems, { needed: ['service'], waitOut: createWaitOutRefusals(terminal) });
  const signal = signalOf(terminal);
  const { prospecting } = systems;
  try {
    const prospectSearchId = await findProspectSearch(prospecting, { ...order, orderId: id }, signal);
    if (prospectSearchId === null)
      throw new CommandError(`The service does not say which profile order ${id} has. Nothing was fetched`);
    const { spreadsheets } = config.runs[order.runName ?? ''] ?? {};
    const directory =
      out === undefined
        ? path.join(spreadsheets?.directory ?? path.join(path.dirname(config.file), 'out'), `${id}-websites`)
        : path.resolve(out);
    // An exceeded rate limit is waited out for each company anew.
    const paced = {
      deliveries: {
        website: (...call: Parameters<typeof prospecting.deliveries.website>) =>
          createWaitOutRefusals(terminal)('The service', () => prospecting.deliveries.website(...call)),
      },
    };
    const dependencies = { prospecting: paced, ledger, now: () => new Date(), signal };
    return await writeWebsites(dependencies, { orderId: id, total: order.total, prospectSearchId, directory });
  } catch (error) {
    throw toCommandError(error);
  }
}

export function toWebsitesDocument({ directory, files, fetched, without }: WebsitesReport) {
  return { directory, files, fetched, without };
}

export function toWebsitesText({ directory, files, fetched, without }: WebsitesReport): string {
  const rows = without.map((position) => String(position + 1));
  return [
    `${files} files in ${toPrintable(directory)} (${fetched} fetched)`,
    ...(without.length === 0
      ? []
      : [`The service has no text for ${without.length} companies: rows ${listFirst(rows, positionsShown)}`]),
  ].join('\n');
}
