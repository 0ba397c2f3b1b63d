/** Operations on one managed schedule: trigger, pause, resume and delete. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScheduleDescription } from '@temporalio/client';
import {
  toTriggerDocument,
  type DeletedScheduleDocument,
  type PauseDocument,
  type TriggerDocument,
} from './documents/schedule-document.ts';
import { triggerSchedule } from '../temporal/schedules/managed-schedules.ts';
import { assertNoDrift, toPausedState } from '../temporal/schedules/plan-schedules.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { findRun, type GlobalOptions } from './configuration.ts';
import { confirmDeletion, type DeletionFlags } from './confirm-deletion.ts';
import { assertSameRuns, placeOf, withSchedule, type OpenSchedule } from './managed-schedule.ts';
import { toRunPlan } from '../config/run-plan.ts';
import { findOrderWarnings, toPlannedOrder } from '../companies/purchases/order-warnings.ts';
import { createSystems } from '../worker/configured-clients.ts';
import { checkSource } from './preflight/source-checks.ts';
import { toOrderText } from './order-text.ts';
import { confirmWarnings, signalOf, type ConfirmationFlags, type Terminal } from './terminal.ts';
import { warnWithoutWorker } from './with-runtime.ts';

const pollIntervalMs = 200;

export function trigger(
  terminal: Terminal,
  options: GlobalOptions & ConfirmationFlags,
  runName: string,
): Promise<TriggerDocument> {
  return withSchedule(terminal, options, runName, async ({ session, description, config, ledger, warnOfOther }) => {
    const { client, queue, uiUrl } = session;
    const { state } = description;
    assertNoDrift(config, runName, description);
    await assertSameRuns(session, { config, ledger });
    const unusual = await warnOfOrder(terminal, { config, ledger }, runName);
    const paused = state.paused ? [toPausedText(runName, state.note)] : [];
    await confirmWarnings(terminal, options, {
      warnings: [...warnOfOther('starts its run'), ...paused, ...unusual],
      isOrder: true,
      question: `Start ${runName}?`,
      declined: `the schedule of ${runName} was not triggered`,
    });
    const triggered = await triggerSchedule(client, { runName, queue }, () => sleep(pollIntervalMs));
    await warnWithoutWorker(terminal, session, `runs of ${runName} wait`);
    return toTriggerDocument(triggered, uiUrl);
  });
}

/** Like `run`. The worker that runs may be elsewhere: what cannot be read here is a question, not an error. */
async function warnOfOrder(
  terminal: Terminal,
  { config, ledger }: Pick<OpenSchedule, 'config' | 'ledger'>,
  runName: string,
): Promise<readonly string[]> {
  if (config === null || !Object.hasOwn(config.runs, runName)) return [];
  const plan = toRunPlan(config, runName, findRun(config, runName));
  const { hubspot } = createSystems(config);
  const context = { signal: signalOf(terminal), recordProgress: () => {} };
  const source = await checkSource({ hubspot, ledger, context }, plan, 'start');
  const planned = toPlannedOrder(plan, source?.draft ?? null, config);
  for (const text of toOrderText(plan, source?.draft ?? null, { showsRows: terminal.canAsk }))
    terminal.say(`${runName}: ${text}`);
  const { warnings } = await findOrderWarnings({ ledger, prospecting: null }, planned, new Date());
  const problem =
    source === null || source.check.state === 'ok' ? [] : [`${source.check.check}: ${source.check.message}`];
  return [...problem, ...warnings];
}

function toPausedText(runName: string, note: string | undefined): string {
  const reason = note === undefined || note === '' ? '' : ` (${toPrintable(note)})`;
  return `Paused schedule: ${runName} is paused${reason}, and a trigger starts its run despite the pause. Each run places an order.`;
}

/** It never suggests `run NAME`, which orders again if the run has ended or is not listed yet. */
export function toTriggerText({ run, result, workflow_id, overlap, temporal_ui }: TriggerDocument): string {
  const follow = `prospect-sync status ${run}${temporal_ui === null ? '' : ` or ${temporal_ui}`}`;
  if (result === 'started') return `started ${workflow_id ?? run}. Follow it with: ${follow}`;
  return result === 'skipped'
    ? `not started: a run of ${run} is in progress, and the overlap setting is ${overlap}`
    : `${run} starts as soon as its overlap setting (${overlap}) allows. Check with: ${follow}`;
}

export function pause(
  terminal: Terminal,
  options: GlobalOptions & ConfirmationFlags,
  runName: string,
  note: string,
): Promise<PauseDocument> {
  return changePause(terminal, options, runName, { note, isPaused: true });
}

export function resume(
  terminal: Terminal,
  options: GlobalOptions & ConfirmationFlags,
  runName: string,
  note: string,
): Promise<PauseDocument> {
  return changePause(terminal, options, runName, { note, isPaused: false });
}

const pausing = { effect: 'pauses it', verb: 'Pause', done: 'paused' } as const;
const resuming = { effect: 'resumes it, and it starts runs by itself', verb: 'Resume', done: 'resumed' } as const;

function changePause(
  terminal: Terminal,
  options: GlobalOptions & ConfirmationFlags,
  runName: string,
  { note, isPaused }: { readonly note: string; readonly isPaused: boolean },
): Promise<PauseDocument> {
  const { effect, verb, done } = isPaused ? pausing : resuming;
  return withSchedule(terminal, options, runName, async (open) => {
    const { session, ledger, other } = open;
    await confirmWarnings(terminal, options, {
      warnings: open.warnOfOther(effect),
      question: `${verb} the schedule of ${runName}?`,
      declined: `the schedule of ${runName} was not ${done}`,
    });
    const handle = handleOf(open);
    const unchanged = open.description.state.paused === isPaused;
    await (isPaused ? handle.pause(note) : handle.unpause(note));
    // `apply` then creates a schedule that was deleted in Temporal with the same pause.
    if (other === null) await ledger?.appliedSchedules.save(placeOf(session), runName, isPaused ? note : null);
    return { run: runName, paused: isPaused, note, unchanged };
  });
}

export function toPauseText({ run, paused, note, unchanged }: PauseDocument): string {
  if (paused) return unchanged ? `${run} was paused already; its note is now: ${note}` : `${run} is paused: ${note}`;
  return unchanged ? `${run} was active already: it was not paused` : `${run} is resumed`;
}

function handleOf({ session, description }: OpenSchedule) {
  return session.client.schedule.getHandle(description.scheduleId);
}

export function remove(
  terminal: Terminal,
  options: GlobalOptions,
  runName: string,
  flags: DeletionFlags,
): Promise<DeletedScheduleDocument> {
  return withSchedule(terminal, options, runName, async (open) => {
    const { session, description, ledger, other } = open;
    const { state } = description;
    const applier = other === null ? '' : `, which another installation applied (${other}) and may be using`;
    await confirmDeletion(
      terminal,
      { json: options.json, ...flags },
      {
        text: `This deletes the schedule of ${runName} (${toStateText(description)})${applier}.`,
        exactName: runName,
        isOwn: other === null,
      },
    );
    await handleOf(open).delete();
    await ledger?.appliedSchedules.forget(placeOf(session), runName);
    return { run: runName, deleted: true, paused: state.paused ? (state.note ?? '') : null };
  });
}

function toStateText({ state, info }: ScheduleDescription): string {
  if (state.paused) return toPausedState(state.note ?? '');
  const [next] = info.nextActionTimes;
  return next === undefined ? 'no start times left' : `active, next start ${next.toISOString()}`;
}

export function toDeletedText({ run, paused }: DeletedScheduleDocument): string {
  const remedy = 'unless you remove it from the configuration';
  if (paused === null) return `the schedule of ${run} is deleted. prospect-sync apply creates it again ${remedy}`;
  const note = paused === '' ? '' : ` (${toPrintable(paused)})`;
  return `the schedule of ${run} is deleted. It was paused${note}, and the pause ends with it: prospect-sync apply creates it again, active, ${remedy}`;
}
