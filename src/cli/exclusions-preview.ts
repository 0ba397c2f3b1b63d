/** Previews what a sync of exclusions would change. Writes nothing except, on request, a file of the differences. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ExclusionDependencies } from '../exclusions/scan-plan.ts';
import { differenceColumns, previewExclusion, type ExclusionPreview } from '../exclusions/preview-exclusion.ts';
import { openLedger, type Ledger } from '../ledger/ledger.ts';
import type { ExclusionPlan } from '../config/run-plan.ts';
import { writeCsv } from '../spreadsheet/csv-writer.ts';
import type { Row } from '../spreadsheet/table.ts';
import { createSystems } from '../runtime/configured-clients.ts';
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
  const plans = names.map((exclusion) => findExclusion(config, exclusion));
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openExistingLedger(terminal, config, options), (opened) => opened?.close());
  const systems = createSystems(config);
  await checkConnections(config, systems, { waitOut: createWaitOutRefusals(terminal) });
  try {
    return await previewExclusions(terminal, { systems, ledger }, plans, out);
  } catch (error) {
    throw toCommandError(error);
  }
}

interface PreviewDependencies {
  readonly systems: Pick<ExclusionDependencies, 'prospecting' | 'hubspot'>;
  /** null when there is none yet. */
  readonly ledger: Ledger | null;
}

/** `out`: path of a CSV file for the differences. */
export async function previewExclusions(
  terminal: Terminal,
  { systems, ledger }: PreviewDependencies,
  plans: readonly ExclusionPlan[],
  out?: string,
): Promise<PreviewedExclusions> {
  await using cleanup = new AsyncDisposableStack();
  // mkdtemp makes the folder private; it is deleted afterwards, with the companies in it.
  const folder = cleanup.adopt(await mkdtemp(join(tmpdir(), 'prospect-sync-preview-')), (path) =>
    rm(path, { recursive: true, force: true }),
  );
  const scratch = cleanup.adopt(await openLedger({ dataDir: folder }), (opened) => opened.close());
  if (ledger !== null) await copyExclusionState(ledger, scratch, plans);
  // Awaited here: the scratch ledger is closed on return.
  return await previewEach(terminal, { ...systems, ledger: scratch, now: () => new Date() }, plans, out);
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
    ...previews.flatMap((preview) => [
      `${describeBlacklist(preview)}; a sync would do this:`,
      ...toExclusionsLines(preview),
    ]),
    ...(file === null ? [] : [`  ${'file'.padEnd(10)} ${toPrintable(file.path)} (${file.rows} rows)`]),
    'Nothing was changed.',
  ].join('\n');
}

function describeBlacklist({ blacklistId, present }: ExclusionPreview): string {
  return blacklistId === null ? 'a new blacklist' : `blacklist ${toPrintable(blacklistId)}, ${present} entries`;
}

async function previewEach(
  terminal: Terminal,
  dependencies: ExclusionDependencies,
  plans: readonly ExclusionPlan[],
  out: string | undefined,
): Promise<PreviewedExclusions> {
  const signal = signalOf(terminal);
  const previews: ExclusionPreview[] = [];
  const differences: (() => AsyncGenerator<Row[]>)[] = [];
  for (const plan of plans) {
    const recordProgress = (count: number) => terminal.redraw(`${plan.name}: ${count}`);
    const previewed = await previewExclusion(dependencies, plan, { signal, recordProgress });
    previews.push(previewed.preview);
    differences.push(previewed.differences);
  }
  terminal.redraw('');
  if (out === undefined) return { previews, file: null };
  const rows = (async function* () {
    for (const readRows of differences) yield* readRows();
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

/** Copies the known blacklist, the last scan and the pending removals of each exclusion. */
async function copyExclusionState(from: Ledger, to: Ledger, plans: readonly ExclusionPlan[]): Promise<void> {
  for (const { name, blacklist } of plans) {
    const known = await from.blacklists.get(blacklist);
    if (known !== undefined) await to.blacklists.save(known);
    const scan = await from.exclusionScans.get(name);
    if (scan !== undefined) await to.exclusionScans.save(scan);
  }
  for (const { approvedAt, removedAt: _removedAt, ...proposed } of await from.exclusionRemovals.listPending()) {
    await to.exclusionRemovals.propose(proposed);
    if (approvedAt !== null) await to.exclusionRemovals.approve(proposed.digest, approvedAt);
  }
}
