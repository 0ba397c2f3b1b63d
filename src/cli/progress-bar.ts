/** Shows the progress of a workflow from its deepest running child: stage, position and retries. */
import type { Client } from '@temporalio/client';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import {
  decodeArrayFromPayloads,
  decodeOptionalFailureToOptionalError,
} from '@temporalio/common/lib/internal-non-workflow/index.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { progressQuery, type Progress } from '../../workflows/progress-query.ts';
import type { Terminal } from './terminal.ts';
import { toPrintable } from '../base/text/printable-text.ts';

interface WorkflowProgress {
  readonly workflowId: string;
  readonly progress: Progress | null;
  /** Position of the running activity, from its heartbeat. */
  readonly next: number | null;
  readonly failure: string | null;
}

const pollIntervalMs = 250;
const nothing = () => null;
const barWidth = 24;
const heartbeatSchema = z.object({ next: z.number() });

/** Shows progress until `ended` settles: a bar on a terminal, otherwise one line for each stage and each new failure. */
export async function followWorkflow(
  terminal: Terminal,
  client: Client,
  label: string,
  workflowId: string,
  ended: Promise<unknown>,
): Promise<void> {
  const finished = new AbortController();
  const finish = () => finished.abort();
  void ended.then(finish, finish);
  let lastLine = '';
  let lastNote: string | null = null;
  let lastFailure = '';
  while (!finished.signal.aborted) {
    // A query to a workflow that is closing may never be answered: it delays neither the end nor, as an open call, the exit of the process.
    const calls = new AbortController();
    const reading = client.withAbortSignal(calls.signal, () => readProgress(client, workflowId));
    const view = await Promise.race([reading.catch(nothing), ended.then(nothing, nothing)]);
    calls.abort();
    if (view !== null) {
      const stage = view.progress?.stage ?? 'starting';
      const waiting = view.progress?.waitingFor;
      const line = toPrintable(`${label}: ${stage}${waiting ? `, waiting for ${waiting}` : ''}`);
      if (line !== lastLine) terminal.say(line);
      lastLine = line;
      const note: string | null = view.progress?.note ?? null;
      if (note !== null && note !== lastNote) terminal.say(`${label}: ${toPrintable(note)}`);
      lastNote = note ?? lastNote;
      if (view.failure !== null && view.failure !== lastFailure)
        terminal.say(`${label}: retrying: ${toPrintable(view.failure)}`);
      lastFailure = view.failure ?? lastFailure;
      terminal.redraw(toBar(label, view));
    }
    await Promise.race([ended.catch(() => {}), sleep(pollIntervalMs)]);
  }
  terminal.redraw('');
}

function toBar(label: string, { progress, next }: WorkflowProgress): string {
  const total = progress?.counts['slots'];
  if (progress === null || next === null || total === undefined || total === 0) return '';
  // A file may have several rows per slot, so the total is unknown.
  if (next > total) return `${label}: ${progress.stage}, ${next.toLocaleString('en')} rows`;
  const bar = '█'.repeat(Math.round((next / total) * barWidth)).padEnd(barWidth, '░');
  return `${label}: ${progress.stage} ${bar} ${next.toLocaleString('en')} of ${total.toLocaleString('en')}`;
}

async function readProgress(client: Client, workflowId: string): Promise<WorkflowProgress> {
  const handle = client.workflow.getHandle(workflowId);
  const { raw } = await handle.describe();
  const child = raw.pendingChildren?.at(-1)?.workflowId;
  if (child) return readProgress(client, child);
  const activity = raw.pendingActivities?.[0];
  const { loadedDataConverter } = client.options;
  const [details] = await decodeArrayFromPayloads(loadedDataConverter, activity?.heartbeatDetails?.payloads);
  const heartbeat = heartbeatSchema.safeParse(details);
  const lastFailure =
    (activity?.attempt ?? 1) > 1
      ? await decodeOptionalFailureToOptionalError(loadedDataConverter, activity?.lastFailure)
      : undefined;
  // A benign failure means: not ready yet.
  const expected =
    lastFailure instanceof ApplicationFailure && lastFailure.category === ApplicationFailureCategory.BENIGN;
  return {
    workflowId,
    progress: await handle.query(progressQuery).catch(() => null),
    next: heartbeat.success ? heartbeat.data.next : null,
    failure: expected ? null : (lastFailure?.message ?? null),
  };
}
