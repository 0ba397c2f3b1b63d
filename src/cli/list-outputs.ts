/** Lists the outputs that the service has of an order, and downloads their files. */
import path from 'node:path';
import type { ListedOutput } from '../service/contract/index.ts';
import type { OutputRow } from '../ledger/order-files.ts';
import { writeWholeFile } from '../base/spreadsheet/whole-file.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { createSystems } from '../worker/configured-clients.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { checkConnections, createWaitOutRefusals, toCommandError } from './connections.ts';
import { openAnnouncedLedger } from './data-folder.ts';
import { refuseErasedOrder, findOrderId } from './known-order.ts';
import { CommandError, exitCodes, signalOf, type Terminal } from './terminal.ts';

export interface OutputFlags {
  /** Folder for the files. */
  readonly download?: string;
  /** Outputs to download; empty: all that have a file. */
  readonly id: readonly string[];
}

interface OutputAtService extends Pick<ListedOutput, 'output_id' | 'status'> {
  readonly type: string | null;
  readonly language: string | null;
  readonly created_at: string | null;
  /** `own`: this installation requested it. `elsewhere`: another program, a person, or an earlier ledger. */
  readonly made: 'own' | 'elsewhere';
  /** Address of the spreadsheet. */
  readonly location: string | null;
  /** File of this download, else that of the run. */
  readonly file: string | null;
}

export async function listOutputs(
  terminal: Terminal,
  options: GlobalOptions,
  orderId: string,
  { download, id: ids }: OutputFlags,
): Promise<OutputAtService[]> {
  if (ids.length > 0 && download === undefined)
    throw new CommandError('--id needs --download FOLDER: it chooses what is downloaded', exitCodes.usage);
  const config = await readConfiguration(options.config, terminal.env);
  const id = await findOrderId(terminal, config, options, orderId);
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  if (download !== undefined) await refuseErasedOrder(ledger, id);
  const systems = createSystems(config);
  const waitOut = createWaitOutRefusals(terminal);
  await checkConnections(config, systems, { needed: ['service'], waitOut });
  const signal = signalOf(terminal);
  const { outputs } = systems.prospecting;
  try {
    const listed = await waitOut('The service', () => outputs.list(id, { signal }));
    const missing = ids.filter((each) => !listed.some(({ output_id }) => output_id === each));
    if (missing.length > 0)
      throw new CommandError(`Order ${id} has no output ${toPrintable(missing.join(', '))}. Nothing was downloaded`);
    const rows = new Map((await ledger.outputs.list(id)).map((row) => [row.outputId, row]));
    const shown: OutputAtService[] = [];
    for (const output of listed) {
      const isWanted = ids.length === 0 || ids.includes(output.output_id);
      const target = download === undefined || !isWanted ? null : findTarget(path.resolve(download), id, output);
      if (target !== null) {
        const { sha256 } = await writeWholeFile({ path: target.file, signal }, async (file) => {
          for await (const chunk of outputs.download(target.exportJobId, { signal })) await file.append(chunk);
        });
        await ledger.files.addFormer({ orderId: id, path: target.file, sha256 });
      }
      shown.push(toOutputAtService(output, rows.get(output.output_id), target?.file ?? null));
    }
    return shown;
  } catch (error) {
    throw error instanceof CommandError ? error : toCommandError(error);
  }
}

/** null: the output has no file. */
function findTarget(folder: string, orderId: string, output: ListedOutput) {
  const { output_id: outputId, output_type: type, status, export_job_id: exportJobId } = output;
  if (status !== 'COMPLETED' || exportJobId == null || (type !== 'csv' && type !== 'xlsx')) return null;
  const file = path.join(folder, `${orderId}.output-${encodeURIComponent(outputId).replaceAll('*', '%2A')}.${type}`);
  return { file, exportJobId };
}

function toOutputAtService(output: ListedOutput, row: OutputRow | undefined, file: string | null): OutputAtService {
  return {
    output_id: output.output_id,
    type: output.output_type ?? null,
    language: output.output_language ?? null,
    status: output.status,
    created_at: output.created_at ?? null,
    made: row?.origin === 'own' ? 'own' : 'elsewhere',
    location: output.location ?? null,
    file: file ?? row?.path ?? null,
  };
}

export function toListedOutputsText(listed: readonly OutputAtService[]): string {
  if (listed.length === 0) return 'no outputs at the service';
  return listed
    .map(({ output_id: id, type, language, status, created_at: at, made, location, file }) =>
      [id, type ?? 'unknown type', language ?? '', status, at?.slice(0, 19) ?? '', made, file ?? location ?? '']
        .map(toPrintable)
        .filter((word) => word !== '')
        .join('  '),
    )
    .join('\n');
}
