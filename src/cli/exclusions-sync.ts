/** Syncs exclusions, and approves pending removals, without a run. */
import type { Config } from '../config/config.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ExclusionsReport } from '../proof/report/order-report.ts';
import { exclusionDigest, toExclusionPlan, type ExclusionPlan } from '../config/run-plan.ts';
import { findOtherOwner } from '../companies/exclusions/blacklist-owner.ts';
import { followSettings, readChoice } from '../companies/exclusions/exclusion-blacklist.ts';
import { startExclusions } from '../worker/start-workflows.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { toExclusionsLines } from './print-exclusions.ts';
import { awaitResult, beginWorkflow } from './await-workflow.ts';
import {
  CommandError,
  confirmWarnings,
  exitCodes,
  signalOf,
  type ConfirmationFlags,
  type ExitCode,
  type Terminal,
} from './terminal.ts';
import { withRuntime, type OpenRuntime, type RuntimeResult } from './with-runtime.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { getOwnProperty } from '../base/json/own-property.ts';

export type Synced = RuntimeResult<ExclusionsReport>;

export interface SyncFlags {
  /** Exact name of the blacklist of another installation, which becomes that of this one before the sync. */
  readonly takeOver?: string;
}

export async function sync(
  terminal: Terminal,
  options: GlobalOptions,
  name: string,
  { takeOver }: SyncFlags,
): Promise<Synced> {
  const config = await readConfiguration(options.config, terminal.env);
  const exclusion = findExclusion(config, name);
  if (exclusion.existing) {
    const text = `exclusions.${name} attaches an existing blacklist, which is never changed. There is nothing to sync.`;
    throw new CommandError(text, exitCodes.usage);
  }
  const prepare = async (runtime: OpenRuntime) => {
    if (takeOver !== undefined) await takeOverBlacklist(runtime, exclusion, takeOver, signalOf(terminal));
    return exclusion;
  };
  return withRuntime(terminal, config, options, { prepare }, (runtime, prepared) =>
    syncOnce(terminal, prepared, runtime),
  );
}

/** The mark is that of this installation afterwards, so that the other one no longer syncs it. @throws {CommandError} for another name */
async function takeOverBlacklist(
  { ledger, systems }: OpenRuntime,
  exclusion: ExclusionPlan,
  exactName: string,
  signal: AbortSignal,
): Promise<void> {
  const { prospecting } = systems;
  const { used } = await readChoice({ prospecting, ledger }, exclusion.blacklist, signal);
  if (used?.name !== exactName) {
    const found = used === null ? 'it has none yet' : `that is ${JSON.stringify(used.name)} (${used.id})`;
    const text = `--take-over is ${JSON.stringify(exactName)}, which is not the exact name of the blacklist of exclusions.${exclusion.name}: ${found}. Nothing was changed.`;
    throw new CommandError(toPrintable(text), exitCodes.usage);
  }
  // After a lost answer the mark is written already.
  if (findOtherOwner(used, ledger.installation) === null) return;
  await followSettings({ prospecting, ledger }, exclusion, used, signal);
}

/** Asks, then records the approval and starts a sync, which removes the set only if it is still the same. */
export async function approve(
  terminal: Terminal,
  options: GlobalOptions & ConfirmationFlags,
  digest: string,
): Promise<Synced> {
  const config = await readConfiguration(options.config, terminal.env);
  const prepare = async ({ ledger }: OpenRuntime) => {
    const { exclusion, entries } = await findPendingRemovals(ledger, digest);
    const plan = findExclusion(config, exclusion);
    await confirmWarnings(terminal, options, {
      warnings: [
        `Removal of entries: the sync removes ${entries.toLocaleString('en')} entries from blacklist ${JSON.stringify(toPrintable(plan.blacklist))} of exclusions.${exclusion} if the sources still call for exactly these removals, and runs may order these companies again`,
      ],
      question: `Approve the removal of ${entries.toLocaleString('en')} entries?`,
      declined: `removals ${digest} were not approved`,
    });
    return plan;
  };
  return withRuntime(terminal, config, options, { prepare }, async (runtime, exclusion) => {
    const removals = runtime.ledger.exclusionRemovals;
    await removals.approve(digest, new Date().toISOString());
    const report = await syncOnce(terminal, exclusion, runtime);
    const approved = await removals.get(digest);
    // The set is deleted with its approval when a sync finds another one, or none.
    if (approved === undefined)
      terminal.say(
        `Removals ${digest} no longer apply, and none of them was made: the sources have changed since, and call for ${report.pending === null ? 'no removals that need approval' : `removals ${report.pending.digest} now`}`,
        'warn',
      );
    return report;
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
  exclusion: ExclusionPlan,
  { client, queue }: Pick<OpenRuntime, 'client' | 'queue'>,
): Promise<ExclusionsReport> {
  const label = `exclusions ${exclusion.name}`;
  for (;;) {
    const starting = startExclusions(client, exclusion, queue);
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
