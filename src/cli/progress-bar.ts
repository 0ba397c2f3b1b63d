/** Follows a workflow from outside, as the Temporal UI would: its deepest running child, what it does, and why it waits. */
import type { Client } from '@temporalio/client';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import {
  decodeArrayFromPayloads,
  decodeOptionalFailureToOptionalError,
} from '@temporalio/common/lib/internal-non-workflow/index.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { progressQuery, type Progress } from '../../workflows/workflow-progress.ts';
import type { Terminal } from './terminal.ts';
import { toPrintable } from '../text/printable-text.ts';

interface View {
  readonly workflowId: string;
  readonly progress: Progress | null;
  /** Position of the activity that runs, from its heartbeat. */
  readonly next: number | null;
  readonly failure: string | null;
}

const lookEveryMs = 250;
const nothing = () => null;
const barWidth = 24;
const heartbeatSchema = z.object({ next: z.number() });

/** Tells what happens until `ended` settles: a bar on a terminal, else a line for each stage and each new trouble. */
export async function followWorkflow(
  terminal: Terminal,
  client: Client,
  label: string,
  workflowId: string,
  ended: Promise<unknown>,
): Promise<void> {
  const over = new AbortController();
  const finish = () => over.abort();
  void ended.then(finish, finish);
  let told = '';
  let note: string | null = null;
  let trouble = '';
  while (!over.signal.aborted) {
    // A query to a workflow that is just closing is answered late or never: the end must not wait for it.
    const view = await Promise.race([look(client, workflowId).catch(() => null), ended.then(nothing, nothing)]);
    if (view !== null) {
      const stage = view.progress?.stage ?? 'starting';
      const waiting = view.progress?.waitingFor;
      const line = toPrintable(`${label}: ${stage}${waiting ? `, waiting for ${waiting}` : ''}`);
      if (line !== told) terminal.say(line);
      told = line;
      const noted: string | null = view.progress?.note ?? null;
      if (noted !== null && noted !== note) terminal.say(`${label}: ${toPrintable(noted)}`);
      note = noted ?? note;
      if (view.failure !== null && view.failure !== trouble)
        terminal.say(`${label}: trying again: ${toPrintable(view.failure)}`);
      trouble = view.failure ?? trouble;
      terminal.redraw(toBar(label, view));
    }
    await Promise.race([ended.catch(() => {}), sleep(lookEveryMs)]);
  }
  terminal.redraw('');
}

function toBar(label: string, { progress, next }: View): string {
  const total = progress?.counts['slots'];
  if (progress === null || next === null || total === undefined || total === 0) return '';
  // Files can have several rows a slot: no share of the whole can be told.
  if (next > total) return `${label}: ${progress.stage}, ${next.toLocaleString('en')} rows`;
  const bar = '█'.repeat(Math.round((next / total) * barWidth)).padEnd(barWidth, '░');
  return `${label}: ${progress.stage} ${bar} ${next.toLocaleString('en')} of ${total.toLocaleString('en')}`;
}

async function look(client: Client, workflowId: string): Promise<View> {
  const handle = client.workflow.getHandle(workflowId);
  const { raw } = await handle.describe();
  const child = raw.pendingChildren?.at(-1)?.workflowId;
  if (child) return look(client, child);
  const activity = raw.pendingActivities?.[0];
  const { loadedDataConverter } = client.options;
  const [details] = await decodeArrayFromPayloads(loadedDataConverter, activity?.heartbeatDetails?.payloads);
  const heartbeat = heartbeatSchema.safeParse(details);
  const lastFailure =
    (activity?.attempt ?? 1) > 1
      ? await decodeOptionalFailureToOptionalError(loadedDataConverter, activity?.lastFailure)
      : undefined;
  // What is only not there yet is no failure.
  const expected =
    lastFailure instanceof ApplicationFailure && lastFailure.category === ApplicationFailureCategory.BENIGN;
  return {
    workflowId,
    progress: await handle.query(progressQuery).catch(() => null),
    next: heartbeat.success ? heartbeat.data.next : null,
    failure: expected ? null : (lastFailure?.message ?? null),
  };
}
