/** What syncing exclusions would change now. Nothing is written but, where it is asked for, a file of the differences. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ActivityDependencies } from '../../activities/activity-dependencies.ts';
import { differenceColumns, previewExclusion, type ExclusionPreview } from '../../activities/exclusion-preview.ts';
import { openLedger, type Ledger } from '../ledger/ledger.ts';
import type { ExclusionPlan } from '../config/run-plan.ts';
import { writeCsv } from '../spreadsheet/csv-writer.ts';
import type { Row } from '../spreadsheet/table.ts';
import type { Config } from '../config/shape.ts';
import { createDependencies, createSystems } from '../runtime/configured-clients.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { toCommandError } from './command-error.ts';
import { checkConnections } from './connections.ts';
import { openExistingLedger } from './data-folder.ts';
import { toExclusionsDocument, toExclusionsLines } from './exclusions-report.ts';
import { findExclusion } from './exclusions-sync.ts';
import { createWaitOutRefusals } from './temporary-refusals.ts';
import { signalOf, type Terminal } from './terminal.ts';
import { toPrintable } from '../text/printable-text.ts';

export interface PreviewedExclusions {
  readonly previews: readonly ExclusionPreview[];
  readonly file: { readonly path: string; readonly rows: number } | null;
}

export async function preview(
  terminal: Terminal,
  options: GlobalOptions,
  name: string | undefined,
  { out }: { out?: string },
): Promise<PreviewedExclusions> {
  const config = await readConfiguration(options.config, terminal.env);
  const names = name === undefined ? Object.keys(config.exclusions) : [name];
  const plans = names.map((each) => findExclusion(config, each));
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openExistingLedger(terminal, config, options), (opened) => opened?.close());
  const systems = createSystems(config);
  await checkConnections(config, systems, { waitOut: createWaitOutRefusals(terminal) });
  try {
    return await previewExclusions(terminal, { config, systems, ledger }, plans, out);
  } catch (error) {
    throw toCommandError(error);
  }
}

interface Sources {
  readonly config: Config;
  readonly systems: Pick<ActivityDependencies, 'prospecting' | 'hubspot'>;
  /** null where there is none yet. */
  readonly ledger: Ledger | null;
}

/** `out`: path of a CSV file with every difference. */
export async function previewExclusions(
  terminal: Terminal,
  { config, systems, ledger }: Sources,
  plans: readonly ExclusionPlan[],
  out?: string,
): Promise<PreviewedExclusions> {
  await using cleanup = new AsyncDisposableStack();
  // For this user only (mkdtemp), and gone afterwards: the companies must not stay anywhere.
  const folder = cleanup.adopt(await mkdtemp(join(tmpdir(), 'prospect-sync-preview-')), (path) =>
    rm(path, { recursive: true, force: true }),
  );
  const scratch = cleanup.adopt(await openLedger({ dataDir: folder }), (opened) => opened.close());
  if (ledger !== null) await copyKnowledge(ledger, scratch, plans);
  // Awaited, so that the scratch ledger stays open.
  return await compare(terminal, createDependencies(config, scratch, systems), plans, out);
}

export function toPreviewDocument({ previews, file }: PreviewedExclusions) {
  return {
    exclusions: previews.map(({ present, isProposed, ...figures }) => ({
      ...toExclusionsDocument(figures),
      present,
      is_proposed: isProposed,
    })),
    file: file?.path ?? null,
  };
}

export function toPreviewText({ previews, file }: PreviewedExclusions): string {
  return [
    ...previews.flatMap((each) => [
      `${each.blacklistId === null ? 'a new blacklist' : `blacklist ${toPrintable(each.blacklistId)}, ${each.present} entries`}; would be:`,
      ...toExclusionsLines(each),
    ]),
    ...(file === null ? [] : [`  ${'file'.padEnd(10)} ${toPrintable(file.path)} (${file.rows} rows)`]),
    'nothing was changed',
  ].join('\n');
}

async function compare(
  terminal: Terminal,
  clients: ActivityDependencies,
  plans: readonly ExclusionPlan[],
  out: string | undefined,
): Promise<PreviewedExclusions> {
  const signal = signalOf(terminal);
  const previews: ExclusionPreview[] = [];
  const differences: (() => AsyncGenerator<Row[]>)[] = [];
  for (const plan of plans) {
    const reached = (count: number) => terminal.redraw(`${plan.name}: ${count}`);
    const one = await previewExclusion(clients, plan, { signal, reached });
    previews.push(one.preview);
    differences.push(one.differences);
  }
  terminal.redraw('');
  if (out === undefined) return { previews, file: null };
  const rows = (async function* () {
    for (const each of differences) yield* each();
  })();
  const file = await writeCsv({
    path: resolve(out),
    columns: differenceColumns,
    rows,
    signal,
    openFile: (path, flags) => open(path, flags, 0o600),
  });
  return { previews, file };
}

/** What the comparison asks the ledger: which blacklist it is, what sources held, which removals are approved. */
async function copyKnowledge(from: Ledger, to: Ledger, plans: readonly ExclusionPlan[]): Promise<void> {
  for (const { name, blacklist } of plans) {
    const known = await from.blacklists.get(blacklist);
    if (known !== undefined) await to.blacklists.save(known);
    const scan = await from.exclusionScans.get(name);
    if (scan !== undefined) await to.exclusionScans.save(scan);
  }
  for (const { approvedAt, removedAt: _removedAt, ...waiting } of await from.exclusionRemovals.waiting()) {
    await to.exclusionRemovals.propose(waiting);
    if (approvedAt !== null) await to.exclusionRemovals.approve(waiting.digest, approvedAt);
  }
}
