/** Brings one exclusion's blacklist to its sources, without a run. */
import type { Client } from '@temporalio/client';
import type { Config } from '../config/shape.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ExclusionsReport } from '../order-report.ts';
import { toExclusionPlan, toPace, type ExclusionPlan } from '../run-plan.ts';
import { startExclusions } from '../temporal.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { toExclusionsDocument, toExclusionsLines } from './exclusions-report.ts';
import { awaitOutcome } from './outcome.ts';
import { CommandError, exitCodes, type ExitCode, type Terminal } from './terminal.ts';
import { withWorkplace, type OpenWorkplace, type WorkDone } from './workplace.ts';

export type Synced = WorkDone<ExclusionsReport>;

export async function sync(terminal: Terminal, options: GlobalOptions, name: string): Promise<Synced> {
  const config = await readConfiguration(options.config, terminal.env);
  const exclusion = findExclusion(config, name);
  return withWorkplace(terminal, config, options, (open) => bringToSources(terminal, config, exclusion, open));
}

/** Records the approval and begins at once: only if the same set is still to go will it go. */
export async function approve(terminal: Terminal, options: GlobalOptions, digest: string): Promise<Synced> {
  const config = await readConfiguration(options.config, terminal.env);
  return withWorkplace(terminal, config, options, async (open) => {
    const waiting = await findWaiting(open.ledger, digest);
    const exclusion = findExclusion(config, waiting.exclusion);
    await open.ledger.exclusionRemovals.approve(digest, new Date().toISOString());
    await awaitRunning(open.client, exclusion);
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
  return [`blacklist ${result.blacklistId}`, ...toExclusionsLines(result)].join('\n');
}

async function bringToSources(
  terminal: Terminal,
  config: Config,
  exclusion: ExclusionPlan,
  { client, queue }: Pick<OpenWorkplace, 'client' | 'queue'>,
): Promise<ExclusionsReport> {
  const { handle, joined } = await startExclusions(client, { exclusion, pace: toPace(config) }, queue);
  terminal.say(`${joined ? 'joined' : 'started'} ${handle.workflowId}`);
  return awaitOutcome(terminal, client, `exclusions ${exclusion.name}`, handle);
}

/** A sync that is going on may have weighed the removals before they were approved. */
async function awaitRunning(client: Client, { name }: ExclusionPlan): Promise<void> {
  await client.workflow
    .getHandle(`exclusions/${name}`)
    .result()
    .catch(() => undefined); // there is none, or it failed: the next one says so
}

async function findWaiting(ledger: Ledger, digest: string) {
  const found = await ledger.exclusionRemovals.get(digest);
  if (found !== undefined && found.removedAt === null) return found;
  const waiting = (await ledger.exclusionRemovals.waiting()).map(
    (row) => `${row.digest} (${row.entries} entries of ${row.exclusion})`,
  );
  const wayOut = waiting.length === 0 ? 'nothing waits for approval' : `what waits is ${waiting.join(', ')}`;
  throw new CommandError(`no removals wait under ${digest}; ${wayOut}`, exitCodes.usage);
}

export function findExclusion({ exclusions }: Config, name: string): ExclusionPlan {
  const found = exclusions[name];
  if (found !== undefined) return toExclusionPlan(name, found);
  throw new CommandError(
    `there are no exclusions named ${name}; the configuration has ${Object.keys(exclusions).join(', ') || 'none'}`,
    exitCodes.usage,
  );
}
