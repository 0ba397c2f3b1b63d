/** Brings one exclusion's blacklist to its sources, without a run. */
import type { Config } from '../config/config.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ExclusionsReport } from '../report/order-report.ts';
import { exclusionDigest, toExclusionPlan, toActivityTimeouts, type ExclusionPlan } from '../config/run-plan.ts';
import { startExclusions } from '../temporal/start-workflows.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { toExclusionsDocument, toExclusionsLines } from './exclusions-report.ts';
import { awaitResult, beginWorkflow } from './await-workflow.ts';
import { CommandError, exitCodes, type ExitCode, type Terminal } from './terminal.ts';
import { withRuntime, type OpenRuntime, type RuntimeResult } from './with-runtime.ts';
import { toPrintable } from '../text/printable-text.ts';
import { ownValue } from '../json/own-value.ts';

export type Synced = RuntimeResult<ExclusionsReport>;

export async function sync(terminal: Terminal, options: GlobalOptions, name: string): Promise<Synced> {
  const config = await readConfiguration(options.config, terminal.env);
  const exclusion = findExclusion(config, name);
  return withRuntime(terminal, config, options, (open) => bringToSources(terminal, config, exclusion, open));
}

/** Records the approval and starts a sync: only if the same set is still to go will it go. */
export async function approve(terminal: Terminal, options: GlobalOptions, digest: string): Promise<Synced> {
  const config = await readConfiguration(options.config, terminal.env);
  return withRuntime(terminal, config, options, async (open) => {
    const waiting = await findWaiting(open.ledger, digest);
    const exclusion = findExclusion(config, waiting.exclusion);
    await open.ledger.exclusionRemovals.approve(digest, new Date().toISOString());
    return bringToSources(terminal, config, exclusion, open);
  });
}

export function exitCodeOfSync({ result }: Synced): ExitCode {
  return result.pending === null ? exitCodes.done : exitCodes.findings;
}

export function toSyncDocument({ seconds, uiUrl, result }: Synced) {
  return {
    ok: result.pending === null,
    seconds: Math.round(seconds * 10) / 10,
    temporal_ui: uiUrl,
    exclusions: [toExclusionsDocument(result)],
  };
}

export function toSyncText({ result }: Synced): string {
  return [`blacklist ${toPrintable(result.blacklistId)}`, ...toExclusionsLines(result)].join('\n');
}

/** A sync in progress may have read the sources before they changed, or weighed removals before they were approved. */
async function bringToSources(
  terminal: Terminal,
  config: Config,
  exclusion: ExclusionPlan,
  { client, queue }: Pick<OpenRuntime, 'client' | 'queue'>,
): Promise<ExclusionsReport> {
  const label = `exclusions ${exclusion.name}`;
  for (;;) {
    const starting = startExclusions(client, { exclusion, pace: toActivityTimeouts(config) }, queue);
    const { handle, joined } = await beginWorkflow(terminal, starting);
    if (!joined) {
      const report = await awaitResult(terminal, client, label, handle);
      warnOfOtherSettings(terminal, exclusion, report);
      return report;
    }
    terminal.say(`waiting until ${handle.workflowId} has ended, then syncing again`);
    await awaitResult(terminal, client, label, handle).catch((error: unknown) => {
      // With a cause, the other sync has failed; without one, this command was interrupted.
      if (!(error instanceof CommandError) || error.cause === undefined) throw error;
      terminal.say(error.message);
    });
  }
}

/** A worker takes the settings from its own configuration file. */
function warnOfOtherSettings(terminal: Terminal, exclusion: ExclusionPlan, { settings }: ExclusionsReport): void {
  if (settings === exclusionDigest(exclusion)) return;
  const text = `Other settings: the worker has synced exclusions.${exclusion.name} with settings that differ from this configuration file, or with files of another folder. Restart the worker if it has not read the present file, then sync again.`;
  terminal.say(text, 'warn');
}

async function findWaiting(ledger: Ledger, digest: string) {
  const found = await ledger.exclusionRemovals.get(digest);
  if (found !== undefined && found.removedAt === null) return found;
  const waiting = (await ledger.exclusionRemovals.waiting()).map(
    (row) => `${row.digest} (${row.entries} entries of ${row.exclusion})`,
  );
  const remedy = waiting.length === 0 ? 'nothing waits for approval' : `what waits is ${waiting.join(', ')}`;
  throw new CommandError(`no removals wait under ${digest}; ${remedy}`, exitCodes.usage);
}

export function findExclusion({ exclusions }: Config, name: string): ExclusionPlan {
  const found = ownValue(exclusions, name);
  if (found !== undefined) return toExclusionPlan(name, found);
  throw new CommandError(
    `there are no exclusions named ${toPrintable(name)}; the configuration has ${Object.keys(exclusions).join(', ') || 'none'}`,
    exitCodes.usage,
  );
}
