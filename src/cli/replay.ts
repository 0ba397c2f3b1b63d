import path from 'node:path';
import type { DataConverter } from '@temporalio/common';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime, type ReplayWorkerOptions } from '@temporalio/worker';
import { z } from 'zod';
import { replayHistory, type NamedHistory, bundleWorkflows } from '../temporal/workflow-bundle.ts';
import { toCoreReason } from '../base/logs.ts';
import type { ReplayedHistory } from './documents/installation-document.ts';
import { readTextFile } from '../base/host/read-text-file.ts';
import { CommandError, exitCodes, type ExitCode } from './terminal.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { describeSystemError } from '../base/failures/system-code.ts';

/** A history as the UI and `temporal workflow show --output json` write it, or inside `{workflowId, history}`. */
const eventsSchema = z.looseObject({ events: z.array(z.looseObject({})).min(1) });
const fileSchema = z.union([
  eventsSchema.transform((history) => ({ workflowId: undefined, history })),
  z.object({ workflowId: z.string().optional(), history: eventsSchema }),
]);

/** Replays each history with the workflows of this build. `dataConverter` decodes the payloads. All files are read before the first replay. */
export async function replay(files: readonly string[], dataConverter: DataConverter = {}): Promise<ReplayedHistory[]> {
  const histories: (NamedHistory & { file: string })[] = [];
  for (const file of files) histories.push({ file, ...(await readHistory(file)) });
  const logger = new DefaultLogger('ERROR', () => {}); // the result reports problems
  Runtime.install({ logger, telemetryOptions: { logging: { filter: { core: 'ERROR' }, forward: {} } } });
  try {
    const { failureConverterPath } = dataConverter;
    const workflowBundle = await bundleWorkflows({ failureConverterPath, cacheFolder: null });
    const replayed: ReplayedHistory[] = [];
    for (const { file, workflowId, history } of histories) {
      replayed.push({ file, problem: await findProblem({ workflowBundle, dataConverter }, { workflowId, history }) });
    }
    return replayed;
  } finally {
    await Runtime.instance().shutdown();
  }
}

async function readHistory(file: string): Promise<NamedHistory> {
  const invalid = (reason: string) =>
    new CommandError(
      `${file} is not a workflow history: ${reason}. Download one in the Temporal UI, or with: temporal workflow show --workflow-id … --output json`,
      exitCodes.usage,
    );
  const text = await readTextFile(file).catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read: ${describeSystemError(error)}`, exitCodes.usage);
  });
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw invalid('it is not JSON');
  }
  const parsed = fileSchema.safeParse(document);
  if (!parsed.success) throw invalid('it has no events');
  try {
    const history = historyFromJSON(parsed.data.history);
    // Ids of children contain the workflow id. Old servers do not write it into the first event.
    const recorded = history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowId;
    return { workflowId: recorded || parsed.data.workflowId || path.basename(file, '.json'), history };
  } catch {
    throw invalid('its events cannot be parsed');
  }
}

async function findProblem(options: ReplayWorkerOptions, history: NamedHistory): Promise<string | null> {
  try {
    await replayHistory(options, history);
    return null;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return toCoreReason(text) ?? text.trim().replaceAll(/\s+/g, ' ');
  }
}

export function exitCodeOfReplay(replayed: readonly ReplayedHistory[]): ExitCode {
  return replayed.every(({ problem }) => problem === null) ? exitCodes.done : exitCodes.failed;
}

export function toReplayText(replayed: readonly ReplayedHistory[]): string {
  return replayed
    .map(({ file, problem }) => (problem === null ? `replays  ${file}` : `differs  ${file}: ${toPrintable(problem)}`))
    .join('\n');
}
