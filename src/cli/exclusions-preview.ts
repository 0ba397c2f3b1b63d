/** What a sync would change, and the entries that it would add and remove. Changes nothing. */
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import type { ExclusionPlan } from '../config/run-plan.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { indent, toExclusionsLines } from './print-exclusions.ts';
import { assertFreeTarget, type TargetFlags } from './target-file.ts';
import { CommandError, type Terminal, signalOf } from './terminal.ts';
import { describeSystemError } from '../base/failures/system-code.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { toShownRows, type ShownRow } from '../companies/sources/shown-rows.ts';
import type { EntryInput } from '../service/contract/index.ts';
import { findExcludedRows, type ExclusionEntries } from '../companies/exclusions/exclude-rows.ts';
import type { DraftRow, ExcludedRow } from '../ledger/draft-store.ts';
import type { ExclusionDependencies } from '../companies/exclusions/scan-plan.ts';
import {
  differenceColumns,
  previewExclusion,
  type ExclusionPreview,
} from '../companies/exclusions/preview-exclusion.ts';
import { writeCsv } from '../base/spreadsheet/csv-writer.ts';
import type { Row } from '../base/spreadsheet/table.ts';
import { createSystems } from '../worker/configured-clients.ts';
import { toCommandError, checkConnections, createWaitOutRefusals } from './connections.ts';
import { openExistingLedger } from './data-folder.ts';
import { findExclusion } from './exclusions-sync.ts';

export interface PreviewedExclusions {
  readonly previews: readonly ExclusionPreview[];
  readonly file: { readonly path: string; readonly rows: number } | null;
  /** Some of the entries that a sync would add, as text, by exclusion. */
  readonly shown: ReadonlyMap<string, readonly string[]>;
  /** Which of the given rows the exclusions would match after a sync, by their position. */
  readonly excluded: ReadonlyMap<number, ExcludedRow>;
}

interface PreviewOptions {
  /** Path of a CSV file for the differences. */
  readonly out?: string | undefined;
  /** Whether some of the entries to add are shown. */
  readonly showsEntries?: boolean;
  /** Rows of an enrichment, to be compared with the exclusions. */
  readonly rows?: readonly DraftRow[];
}

/** Changes nothing. `out`: path of a CSV file for the differences. */
export async function preview(
  terminal: Terminal,
  options: GlobalOptions,
  name: string | undefined,
  { out, overwrite }: TargetFlags,
): Promise<PreviewedExclusions> {
  if (out !== undefined) await assertFreeTarget(out, { overwrite, format: 'csv' }, options);
  const config = await readConfiguration(options.config, terminal.env);
  const names = name === undefined ? Object.keys(config.exclusions) : [name];
  const plans = names.map((exclusion) => findExclusion(config, exclusion));
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openExistingLedger(terminal, config, options), (opened) => opened?.close());
  const systems = createSystems(config);
  await checkConnections(config, systems, { ledger, waitOut: createWaitOutRefusals(terminal) });
  try {
    return await previewExclusions(terminal, { systems, ledger }, plans, { out, showsEntries: true });
  } catch (error) {
    throw toCommandError(error);
  }
}

interface PreviewDependencies {
  readonly systems: Pick<ExclusionDependencies, 'prospecting' | 'hubspot'>;
  /** null: there is none yet. */
  readonly ledger: Ledger | null;
}

export async function previewExclusions(
  terminal: Terminal,
  { systems, ledger }: PreviewDependencies,
  plans: readonly ExclusionPlan[],
  options: PreviewOptions = {},
): Promise<PreviewedExclusions> {
  await using cleanup = new AsyncDisposableStack();
  // mkdtemp makes the folder private; it is deleted afterwards, with the companies in it.
  const folder = cleanup.adopt(await makeTemporaryFolder(), (path) => rm(path, { recursive: true, force: true }));
  const scratch = cleanup.adopt(await openLedger({ dataDir: folder }), (opened) => opened.close());
  // Otherwise the preview could choose another blacklist than the sync.
  const { installation } = ledger ?? scratch;
  const dependencies = {
    ...systems,
    ledger: { ...scratch, installation },
    deliveries: ledger ?? scratch,
    now: () => new Date(),
  };
  if (ledger !== null) await copyExclusionState(ledger, scratch, plans);
  // Awaited here: the scratch ledger is closed on return.
  return await previewEach(terminal, dependencies, plans, options);
}

export function toPreviewText({ previews, shown, file }: PreviewedExclusions): string {
  return [
    ...previews.flatMap((preview) => [
      `${describeBlacklist(preview)}${preview.existing ? ':' : '; a sync would do this:'}`,
      ...toExclusionsLines(preview),
      ...(shown.get(preview.name) ?? []).map(indent),
    ]),
    ...(file === null ? [] : [`  ${'file'.padEnd(10)} ${toPrintable(file.path)} (${file.rows} rows)`]),
    'Nothing was changed.',
  ].join('\n');
}

function describeBlacklist({ blacklistId, present, existing }: ExclusionPreview): string {
  if (existing) return `blacklist ${toPrintable(blacklistId ?? '')} exists, and is never changed`;
  return blacklistId === null ? 'a new blacklist' : `blacklist ${toPrintable(blacklistId)}, ${present} entries`;
}

async function previewEach(
  terminal: Terminal,
  dependencies: ExclusionDependencies,
  plans: readonly ExclusionPlan[],
  { out, showsEntries = false, rows = [] }: PreviewOptions,
): Promise<PreviewedExclusions> {
  const signal = signalOf(terminal);
  const previews: ExclusionPreview[] = [];
  const shown = new Map<string, readonly string[]>();
  const differences: (() => AsyncGenerator<Row[]>)[] = [];
  const exclusions: ExclusionEntries[] = [];
  for (const plan of plans) {
    const recordProgress = (count: number) => terminal.redraw(`${plan.name}: ${count}`);
    const previewed = await previewExclusion(dependencies, plan, { signal, recordProgress });
    previews.push(previewed.preview);
    if (showsEntries) shown.set(plan.name, await showAdditions(previewed.additions()));
    differences.push(previewed.differences);
    if (rows.length > 0) exclusions.push({ name: plan.name, entries: previewed.entries() });
  }
  terminal.redraw('');
  const context = { signal, recordProgress: () => {} };
  const excluded = await findExcludedRows(dependencies.ledger, rows, exclusions, context);
  if (out === undefined) return { previews, shown, file: null, excluded };
  const changes = (async function* () {
    for (const readRows of differences) yield* readRows();
  })();
  const file = await writeCsv({
    path: resolve(out),
    columns: differenceColumns,
    rows: changes,
    signal,
  });
  return { previews, shown, file, excluded };
}

/** Enough to see what is read. */
const entriesCompared = 10_000;

const entryTitles = {
  all: 'entries to add:',
  first: 'some of the entries to add:',
  unlike: 'those that are least like the others:',
};

async function showAdditions(additions: AsyncIterable<readonly EntryInput[]>): Promise<string[]> {
  const rows: ShownRow[] = [];
  for await (const entries of additions) {
    rows.push(...entries.map((company) => ({ sourceRow: null, company })));
    if (rows.length >= entriesCompared) break;
  }
  return toShownRows(rows, entryTitles);
}

/** Copies the known blacklist, the last scan and the pending removals of each exclusion. */
async function copyExclusionState(from: Ledger, to: Ledger, plans: readonly ExclusionPlan[]): Promise<void> {
  for (const { name, blacklist } of plans) {
    const known = await from.blacklists.get(blacklist);
    if (known !== undefined) await to.blacklists.save(known);
    const scan = await from.exclusionScans.get(name);
    if (scan === undefined) continue;
    await to.exclusionScans.save(scan);
    // Who else uses the blacklist, and whether it is known under an earlier name, decides whether a sync renames it.
    for (const user of await from.exclusionScans.usersOf(scan.blacklistId)) {
      const other = await from.exclusionScans.get(user);
      if (other !== undefined) await to.exclusionScans.save(other);
    }
    if (known?.blacklistId !== scan.blacklistId && (await from.blacklists.isKnown(scan.blacklistId)))
      await to.blacklists.save({ name: `earlier name of ${scan.blacklistId}`, blacklistId: scan.blacklistId });
  }
  for (const { approvedAt, removedAt: _removedAt, ...proposed } of await from.exclusionRemovals.listPending()) {
    await to.exclusionRemovals.propose(proposed);
    if (approvedAt !== null) await to.exclusionRemovals.approve(proposed.digest, approvedAt);
  }
}

async function makeTemporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'prospect-sync-preview-'));
  } catch (error) {
    throw new CommandError(
      `No temporary file can be written in ${tmpdir()}: ${describeSystemError(error)}. Set TMPDIR to a folder that can be written`,
    );
  }
}
