import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { listManaged } from '../temporal/schedules/managed-schedules.ts';
import { isUnavailable, reasonOfTemporal } from '../temporal/schedules/schedule-errors.ts';
import { toRunState, type RunState } from './documents/installation-document.ts';
import { orderAttribute, runAttribute } from '../temporal/search-attributes.ts';
import { isOfAnotherKey, listWorkflows } from '../temporal/list-workflows.ts';
import { findRun, findTemporalConfiguration, readConfigurationIfValid, type GlobalOptions } from './configuration.ts';
import { findUsedDataFolder, openLedgerIfPossible } from './data-folder.ts';
import { openTemporal, type TemporalSession } from '../worker/temporal-session.ts';
import { CommandError, type Terminal } from './terminal.ts';
import { warnWithoutWorker } from './with-runtime.ts';
import { formatTimestamp } from '../base/text/format-time.ts';
import { toPrintable } from '../base/text/printable-text.ts';

const runsShown = 20;

/** Lists the newest runs in Temporal, of one name or of all. */
export async function status(
  terminal: Terminal,
  options: GlobalOptions,
  runName: string | undefined,
): Promise<RunState[]> {
  await using cleanup = new AsyncDisposableStack();
  const config = await readConfigurationIfValid(terminal, options);
  const dataDir = await findUsedDataFolder(options, terminal.env);
  // Without it the runs are listed without quantities.
  const ledger = cleanup.adopt(await openLedgerIfPossible(terminal, config, options), (opened) => opened?.close());
  const temporal = await findTemporalConfiguration(options.config, terminal.env);
  const session = cleanup.adopt(
    await openTemporal({ env: terminal.env, log: terminal.say }, dataDir, temporal),
    (opened) => opened.close(),
  );
  const runs: WorkflowExecutionInfo[] = [];
  let hasSchedule = false;
  try {
    for await (const run of listRuns(session.client, runName)) {
      runs.push(run);
      if (runs.length === runsShown) break;
    }
    hasSchedule = await warnOfPausedSchedules(terminal, session, runName);
  } catch (error) {
    if (!(error instanceof Error) || !isUnavailable(error)) throw error;
    throw new CommandError(`Temporal is unavailable: ${reasonOfTemporal(error)}. Try again later.`);
  }
  if (runName !== undefined && runs.length === 0 && config !== null) findRun(config, runName);
  if (runs.length === 0) sayOrdersWithoutRuns(terminal, (await ledger?.orders.count(runName ?? null)) ?? 0, runName);
  const isRunning = runs.some((run) => run.status.name === 'RUNNING');
  const waiting = [...(isRunning ? ['runs in progress wait'] : []), ...(hasSchedule ? ['scheduled runs wait'] : [])];
  if (waiting.length > 0) await warnWithoutWorker(terminal, session, waiting.join(' and '));
  const orderIds = runs.flatMap(({ typedSearchAttributes }) => typedSearchAttributes.get(orderAttribute) ?? []);
  const quantities = (await ledger?.orders.quantities(orderIds)) ?? new Map();
  const rejected = (await ledger?.rejectedRows.countOf(orderIds)) ?? new Map();
  const findings = (await ledger?.certificates.findingsOf(orderIds)) ?? new Map();
  return runs.map((run) => toRunState(run, { quantities, rejected, findings, isOfAnotherKey: isOfAnotherKey(run) }));
}

/** Of a project folder that was copied without the files of the local Temporal, or whose runs Temporal has removed by their age. */
function sayOrdersWithoutRuns({ say }: Terminal, orders: number, runName: string | undefined): void {
  if (orders === 0) return;
  say(
    `Temporal has no history of runs here, but the ledger has ${orders.toLocaleString('en')} ${orders === 1 ? 'order' : 'orders'}${runName === undefined ? '' : ` of run ${runName}`}. To see the newest, run: prospect-sync report ${runName ?? 'last'}`,
    'warn',
  );
}

/** A paused schedule is why a run that should have started is missing. @returns whether another schedule starts runs */
async function warnOfPausedSchedules(
  terminal: Terminal,
  { client, queue }: Pick<TemporalSession, 'client' | 'queue'>,
  wanted: string | undefined,
): Promise<boolean> {
  let isAnyActive = false;
  for await (const { runName, description } of listManaged(client, queue)) {
    const { paused, note } = description.state;
    if (wanted !== undefined && wanted !== runName) continue;
    if (!paused) {
      isAnyActive = true;
      continue;
    }
    terminal.say(
      `Paused schedule: ${runName} is paused${note ? ` (${toPrintable(note)})` : ''}, and starts no run by itself. Resume it with: prospect-sync schedule resume ${runName}`,
      'warn',
    );
  }
  return isAnyActive;
}

export function toStatusText(states: readonly RunState[]): string {
  if (states.length === 0) return 'Temporal has no runs';
  return states
    .map(
      ({
        started_at,
        status: state,
        outcome,
        failure,
        workflow_id,
        order_id,
        ordered,
        delivered,
        rejected,
        findings,
        ...run
      }) =>
        [
          formatTimestamp(started_at),
          state.padEnd(10),
          (failure ?? outcome ?? '').padEnd(10),
          workflow_id,
          order_id ?? '',
          ordered === null ? '' : delivered === null ? `${ordered} ordered` : `${delivered} of ${ordered} delivered`,
          rejected === 0 ? '' : `${rejected} rejected`,
          findings.map(({ code, count }) => `${code} ${count}`).join(', '),
          run.encrypted_with_another_key ? 'encrypted with another key' : '',
        ]
          .map(toPrintable)
          .join('  ')
          .trimEnd(),
    )
    .join('\n');
}

function listRuns(client: Client, runName: string | undefined): AsyncIterable<WorkflowExecutionInfo> {
  const ofName = runName === undefined ? '' : ` AND ${runAttribute.name} = "${runName.replaceAll('"', '')}"`;
  return listWorkflows(client, { query: `WorkflowType = "runProspecting"${ofName}`, pageSize: runsShown });
}
