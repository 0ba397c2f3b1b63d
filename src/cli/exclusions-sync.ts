/** Syncs exclusions, and approves pending removals, without a run. */
import type { Config } from '../config/config.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ExclusionsReport } from '../proof/report/order-report.ts';
import { exclusionDigest, toExclusionPlan, type ExclusionPlan } from '../config/run-plan.ts';
import { startExclusions } from '../worker/start-workflows.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { toExclusionsLines } from './print-exclusions.ts';
import { awaitResult, beginWorkflow } from './await-workflow.ts';
import { CommandError, exitCodes, type ExitCode, type Terminal } from './terminal.ts';
import { withRuntime, type OpenRuntime, type RuntimeResult } from './with-runtime.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { getOwnProperty } from '../base/json/own-property.ts';

export type Synced = RuntimeResult<ExclusionsReport>;

export async function sync(terminal: Terminal, options: GlobalOptions, name: string): Promise<Synced> {
  const config = await readConfiguration(options.config, terminal.env);
  const exclusion = findExclusion(config, name);
  if (exclusion.existing) {
    const text = `exclusions.${name} attaches an existing blacklist, which is never changed. There is nothing to sync.`;
    throw new CommandError(text, exitCodes.usage);
  }
  return withRuntime(terminal, config, options, { prepare: async () => exclusion }, (runtime, prepared) =>
    syncOnce(terminal, prepared, runtime),
  );
}

/** Records the approval and starts a sync, which removes the set only if it is still the same. */
export async function approve(terminal: Terminal, options: GlobalOptions, digest: string): Promise<Synced> {
  const config = await readConfiguration(options.config, terminal.env);
  const prepare = async ({ ledger }: OpenRuntime) =>
    findExclusion(config, (await findPendingRemovals(ledger, digest)).exclusion);
  return withRuntime(terminal, config, options, { prepare }, async (runtime, exclusion) => {
    await runtime.ledger.exclusionRemovals.approve(digest, new Date().toISOString());
    return syncOnce(terminal, exclusion, runtime);
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
