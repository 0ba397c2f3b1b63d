/** Previews and syncs exclusions, and approves pending removals, without a run. */
import type { Config } from '../config/config.ts';
import { type Ledger, openLedger } from '../ledger/ledger.ts';
import type { ExclusionsReport } from '../proof/report/order-report.ts';
import { exclusionDigest, toExclusionPlan, toActivityTimeouts, type ExclusionPlan } from '../config/run-plan.ts';
import { startExclusions } from '../worker/start-workflows.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { toExclusionsLines } from './print-exclusions.ts';
import { awaitResult, beginWorkflow } from './await-workflow.ts';
import { assertFreeTarget, type TargetFlags } from './target-file.ts';
import { CommandError, exitCodes, type ExitCode, type Terminal, signalOf } from './terminal.ts';
import { withRuntime, type OpenRuntime, type RuntimeResult } from './with-runtime.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { getOwnProperty } from '../base/json/own-property.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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
import { openForOwner } from '../base/host/private-files.ts';
import { createSystems } from '../worker/configured-clients.ts';
import { toCommandError, checkConnections, createWaitOutRefusals } from './connections.ts';
import { openExistingLedger } from './data-folder.ts';

export type Synced = RuntimeResult<ExclusionsReport>;

export async function sync(terminal: Terminal, options: GlobalOptions, name: string): Promise<Synced> {
  const config = await readConfiguration(options.config, terminal.env);
  const exclusion = findExclusion(config, name);
  if (exclusion.existing) {
    const text = `exclusions.${name} attaches an existing blacklist, which is never changed. There is nothing to sync.`;
    throw new CommandError(text, exitCodes.usage);
  }
  return withRuntime(terminal, config, options, (runtime) => syncOnce(terminal, config, exclusion, runtime));
}

/** Records the approval and starts a sync, which removes the set only if it is still the same. */
export async function approve(terminal: Terminal, options: GlobalOptions, digest: string): Promise<Synced> {
  const config = await readConfiguration(options.config, terminal.env);
  return withRuntime(terminal, config, options, async (runtime) => {
    const pending = await findPendingRemovals(runtime.ledger, digest);
    const exclusion = findExclusion(config, pending.exclusion);
    await runtime.ledger.exclusionRemovals.approve(digest, new Date().toISOString());
    return syncOnce(terminal, config, exclusion, runtime);
  });
}

export function exitCodeOfSync({ result }: Synced): ExitCode {
  return result.pending === null ? exitCodes.done : exitCodes.findings;
}

export function toSyncText({ result }: Synced): string {
  return [`blacklist ${toPrintable(result.blacklistId)}`, ...toExclusionsLines(result)].join('\n');
}

/** Waits for a sync in progress first: it may have read the sources before they changed, or the removals before their approval. */
async function syncOnce(
  terminal: Terminal,
  config: Config,
  exclusion: ExclusionPlan,
  { client, queue }: Pick<OpenRuntime, 'client' | 'queue'>,
): Promise<ExclusionsReport> {
  const label = `exclusions ${exclusion.name}`;
  for (;;) {
    const starting = startExclusions(client, { exclusion, timeouts: toActivityTimeouts(config) }, queue);
    const { handle, joined } = await beginWorkflow(terminal, starting);
    if (!joined) {
      const report = await awaitResult(terminal, client, label, handle);
      warnOfOtherSettings(terminal, exclusion, report);
      return report;
    }
    terminal.say(`waiting for ${handle.workflowId} to end, then syncing again`);
    await awaitResult(terminal, client, label, handle).catch((error: unknown) => {
      // A cause: the other sync failed. No cause: this command was interrupted.
      if (!(error instanceof CommandError) || error.cause === undefined) throw error;
      terminal.say(error.message);
    });
  }
}

/** A worker uses the settings of its own configuration file. */
function warnOfOtherSettings(terminal: Terminal, exclusion: ExclusionPlan, { settings }: ExclusionsReport): void {
  if (settings === exclusionDigest(exclusion)) return;
  const text = `The worker synced exclusions.${exclusion.name} with other settings than this configuration file, or with files of another folder. Restart the worker to load this file, then sync again.`;
  terminal.say(text, 'warn');
}

async function findPendingRemovals(ledger: Ledger, digest: string) {
  const found = await ledger.exclusionRemovals.get(digest);
  if (found !== undefined && found.removedAt === null) return found;
  const pending = (await ledger.exclusionRemovals.listPending()).map(
    (row) => `${row.digest} (${row.entries} entries of ${row.exclusion})`,
  );
  const others = pending.length === 0 ? 'No removals wait for approval.' : `Pending sets: ${pending.join(', ')}.`;
  throw new CommandError(`No pending removals named ${digest}. ${others}`, exitCodes.usage);
}

export function findExclusion({ exclusions }: Config, name: string): ExclusionPlan {
  const found = getOwnProperty(exclusions, name);
  if (found !== undefined) return toExclusionPlan(name, found);
  throw new CommandError(
    `There are no exclusions named ${toPrintable(name)}. The configuration has: ${Object.keys(exclusions).join(', ') || 'none'}.`,
    exitCodes.usage,
  );
}

export interface PreviewedExclusions {
  readonly previews: readonly ExclusionPreview[];
  readonly file: { readonly path: string; readonly rows: number } | null;
  /** Which of the given rows the exclusions would match after a sync, by their position. */
  readonly excluded: ReadonlyMap<number, ExcludedRow>;
}

interface PreviewOptions {
  /** Path of a CSV file for the differences. */
  readonly out?: string | undefined;
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
  if (out !== undefined) await assertFreeTarget(out, { overwrite });
  const config = await readConfiguration(options.config, terminal.env);
  const names = name === undefined ? Object.keys(config.exclusions) : [name];
  const plans = names.map((exclusion) => findExclusion(config, exclusion));
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openExistingLedger(terminal, config, options), (opened) => opened?.close());
  const systems = createSystems(config);
  await checkConnections(config, systems, { waitOut: createWaitOutRefusals(terminal) });
  try {
    return await previewExclusions(terminal, { systems, ledger }, plans, { out });
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
  const folder = cleanup.adopt(await mkdtemp(join(tmpdir(), 'prospect-sync-preview-')), (path) =>
    rm(path, { recursive: true, force: true }),
  );
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

export function toPreviewText({ previews, file }: PreviewedExclusions): string {
  return [
    ...previews.flatMap((preview) => [
      `${describeBlacklist(preview)}${preview.existing ? ':' : '; a sync would do this:'}`,
      ...toExclusionsLines(preview),
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
  { out, rows = [] }: PreviewOptions,
): Promise<PreviewedExclusions> {
  const signal = signalOf(terminal);
  const previews: ExclusionPreview[] = [];
  const differences: (() => AsyncGenerator<Row[]>)[] = [];
  const exclusions: ExclusionEntries[] = [];
  for (const plan of plans) {
    const recordProgress = (count: number) => terminal.redraw(`${plan.name}: ${count}`);
    const previewed = await previewExclusion(dependencies, plan, { signal, recordProgress });
    previews.push(previewed.preview);
    differences.push(previewed.differences);
    if (rows.length > 0) exclusions.push({ name: plan.name, entries: previewed.entries() });
  }
  terminal.redraw('');
  const context = { signal, recordProgress: () => {} };
  const excluded = await findExcludedRows(dependencies.ledger, rows, exclusions, context);
  if (out === undefined) return { previews, file: null, excluded };
  const changes = (async function* () {
    for (const readRows of differences) yield* readRows();
  })();
  const file = await writeCsv({
    path: resolve(out),
    columns: differenceColumns,
    rows: changes,
    signal,
    openFile: openForOwner,
  });
  return { previews, file, excluded };
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
