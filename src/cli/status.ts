import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { LedgerError } from '../ledger/ledger-error.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isUnavailable, reasonOf } from '../schedules/schedule-errors.ts';
import { failureAttribute, orderAttribute, outcomeAttribute, runAttribute } from '../temporal/workflow-ids.ts';
import { findTemporalConfiguration, readConfiguration, type GlobalOptions } from './configuration.ts';
import { findDataFolder, openExistingLedger } from './data-folder.ts';
import { openTemporal } from '../runtime/temporal-session.ts';
import { CommandError, type Terminal } from './terminal.ts';
import { toPrintable } from '../text/printable-text.ts';

export interface RunState {
  readonly workflow_id: string;
  readonly run: string | null;
  readonly status: string;
  readonly outcome: string | null;
  /** Type of the failure that ended it, see docs/troubleshooting.md. */
  readonly failure: string | null;
  readonly order_id: string | null;
  /** Companies asked for and delivered; null where it is not known, or not yet. */
  readonly ordered: number | null;
  readonly delivered: number | null;
  readonly started_at: string;
  readonly closed_at: string | null;
}

const runsShown = 20;

/** The newest runs, of one name or of all, as Temporal knows them. */
export async function status(
  terminal: Terminal,
  options: GlobalOptions,
  runName: string | undefined,
): Promise<RunState[]> {
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openQuantities(terminal, options), (opened) => opened?.close());
  const temporal = await findTemporalConfiguration(options.config, terminal.env);
  const { path: dataDir } = await findDataFolder(options);
  const session = cleanup.adopt(
    await openTemporal({ env: terminal.env, log: terminal.say }, dataDir, temporal),
    (opened) => opened.close(),
  );
  const states: RunState[] = [];
  try {
    for await (const execution of listRuns(session.client, runName)) {
      states.push(toState(execution));
      if (states.length === runsShown) break;
    }
  } catch (error) {
    if (!(error instanceof Error) || !isUnavailable(error)) throw error;
    throw new CommandError(`Temporal no longer answers: ${reasonOf(error)}. Try again later.`);
  }
  const quantities = await ledger?.orders.quantities(states.flatMap(({ order_id }) => order_id ?? []));
  return states.map((state) => ({ ...state, ...quantities?.get(state.order_id ?? '') }));
}

/** The ledger, for what was ordered and delivered; null where it cannot be had: what Temporal knows is shown alone. */
async function openQuantities(terminal: Terminal, options: GlobalOptions): Promise<Ledger | null> {
  try {
    return await openExistingLedger(terminal, await readConfiguration(options.config, terminal.env), options);
  } catch (error) {
    if (error instanceof LedgerError) terminal.say(error.message, 'warn');
    else if (!(error instanceof CommandError)) throw error;
    return null;
  }
}

export function toStatusText(states: readonly RunState[]): string {
  if (states.length === 0) return 'no run yet';
  return states
    .map(({ started_at, status: state, outcome, failure, workflow_id, order_id, ordered, delivered }) =>
      [
        started_at.slice(0, 19).replace('T', ' '),
        state.padEnd(10),
        (failure ?? outcome ?? '').padEnd(10),
        workflow_id,
        order_id ?? '',
        delivered === null ? '' : `${delivered} of ${ordered} delivered`,
      ]
        .map(toPrintable)
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function listRuns(client: Client, runName: string | undefined): AsyncIterable<WorkflowExecutionInfo> {
  const ofName = runName === undefined ? '' : ` AND ${runAttribute.name} = "${runName.replaceAll('"', '')}"`;
  return client.workflow.list({ query: `WorkflowType = "runProspecting"${ofName}`, pageSize: runsShown });
}

function toState({
  workflowId,
  status: { name },
  startTime,
  closeTime,
  typedSearchAttributes,
}: WorkflowExecutionInfo): RunState {
  return {
    workflow_id: workflowId,
    run: typedSearchAttributes.get(runAttribute) ?? null,
    status: name.toLowerCase(),
    outcome: typedSearchAttributes.get(outcomeAttribute) ?? null,
    failure: typedSearchAttributes.get(failureAttribute) ?? null,
    order_id: typedSearchAttributes.get(orderAttribute) ?? null,
    ordered: null,
    delivered: null,
    started_at: startTime.toISOString(),
    closed_at: closeTime?.toISOString() ?? null,
  };
}
