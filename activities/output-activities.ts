/**
 * Outputs that the service makes of an order's results. The ledger records every failure of the service, of the network or of the
 * file, and reconciliation reports it as a finding. Only a failure of the ledger or of the program fails the activity.
 */
import { join } from 'node:path';
import { activityInfo } from '@temporalio/activity';
import { z } from 'zod';
import { ApplicationFailure } from '@temporalio/common';
import type { ServiceOutputsPlan } from '../src/config/run-plan.ts';
import { outputTypes } from '../src/service/contract/index.ts';
import { nonRetryable } from '../src/base/failures/application-failure.ts';
import type { FailureType } from '../src/base/failures/failure-descriptions.ts';
import type { OutputState } from '../src/ledger/tables.ts';
import type { OutputRow } from '../src/ledger/order-files.ts';
import { ProspectingError } from '../src/service/client/prospecting-error.ts';
import { toOutputReport, type ServiceOutputReport } from '../src/proof/report/order-report.ts';
import { countRows } from '../src/base/spreadsheet/reader-thread.ts';
import { fileDigest, writeWholeFile, type OpenFile } from '../src/base/spreadsheet/whole-file.ts';
import { overLimit, SpreadsheetError } from '../src/base/spreadsheet/spreadsheet-error.ts';
import { formatDuration } from '../src/base/text/format-time.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { cancellationSignal, recordProgress } from './activity-heartbeat.ts';
import { checked, deliverySchema } from './checked-input.ts';
import { planDelivery } from './configured-run.ts';
import { pollAgain } from './poll-again.ts';
import { describeQuota, obtainOutput } from './request-service-output.ts';
import {
  applyReceipt,
  newOutputRow,
  toCountedState,
  toDestination,
  toFileName,
  toPolledState,
  toRequestRow,
} from './service-output-row.ts';

const outputSchema = deliverySchema.extend({
  output: z.object({
    type: z.enum(outputTypes),
    language: z.string().min(1).max(100),
    spreadsheetId: z.string().max(500).nullable(),
  }),
});
type OutputInput = z.output<typeof outputSchema>;

interface ConfiguredOutput extends Pick<OutputInput, 'orderId' | 'output'> {
  readonly settings: Omit<ServiceOutputsPlan, 'wanted'>;
}

const notConfigured = 'ConfigurationDiffers' satisfies FailureType;
/** An output of the service also contains forgotten people. */
const orderErased = 'OrderErased' satisfies FailureType;

/** Counting a million rows of an Excel file takes half a minute. */
const shortestCountingMs = 600_000;

export function createOutputActivities(dependencies: ActivityDependencies, openFile?: OpenFile) {
  const { prospecting, ledger, now, toFailure } = dependencies;
  return {
    /** Adopts the output of the destination that the service lists, or requests it under a key of order and destination. */
    requestOutput: checked(outputSchema, async (input): Promise<ServiceOutputReport> => {
      const configured = await findConfiguredOutput(dependencies, input);
      if (configured === null) return reportUnconfigured(input);
      const { orderId, output } = configured;
      const row = toRequestRow(await ledger.outputs.get(orderId, toDestination(output)), orderId, output);
      if (await ledger.erasures.has(orderId)) return save(row, 'refused', orderErased);
      try {
        const request = { orderId, output, row, signal: cancellationSignal(), at: now().toISOString() };
        return await save(await obtainOutput({ prospecting, ledger }, request), 'requested');
      } catch (error) {
        const problemDetail = await describeQuota(prospecting, orderId, { error, signal: cancellationSignal() });
        return saveFailure(configured, { ...row, problemDetail }, { state: 'refused', error });
      }
    }),

    /** Polls once. Fails as a benign retry until the output has ended, or `polling.output_give_up` is over. */
    awaitOutput: checked(outputSchema, async (input): Promise<ServiceOutputReport> => {
      const configured = await findConfiguredOutput(dependencies, input);
      if (configured === null) return reportUnconfigured(input);
      const row = await readRow(input);
      const { orderId, settings } = configured;
      if (row.outputId === null) return toOutputReport(row);
      try {
        const receipt = await prospecting.outputs.get(orderId, row.outputId, { signal: cancellationSignal() });
        const polled = applyReceipt(row, receipt);
        const state = toPolledState(polled, { isOverdue: isOverdue(settings, now()) });
        if (state === null) throw notReady(polled, settings);
        if (state !== 'delivered' || polled.resultCount === null) return await save(polled, state);
        const counted = { rows: polled.resultCount, slots: await readTotal(orderId) };
        return await save({ ...polled, rows: counted.rows }, toCountedState(polled, counted));
      } catch (error) {
        return saveFailure(configured, row, { state: 'not_fetched', error });
      }
    }),

    /** Downloads the file of a completed output, unless the file of an earlier attempt is intact; counts its rows. */
    fetchOutput: checked(outputSchema, async (input): Promise<ServiceOutputReport> => {
      const configured = await findConfiguredOutput(dependencies, input);
      if (configured === null) return reportUnconfigured(input);
      const row = await readRow(input);
      const { orderId, output, settings } = configured;
      const { type } = output;
      if (type === 'google_sheets' || row.state !== 'ready') return toOutputReport(row);
      if (await ledger.erasures.has(orderId)) return save(row, 'refused', orderErased);
      const path = join(settings.directory, toFileName(orderId, type, output.language));
      try {
        const slots = await readTotal(orderId);
        if (row.path === path && row.sha256 !== null && (await fileDigest(path)) === row.sha256) {
          return await save(row, toCountedState(row, { rows: row.rows, slots }));
        }
        if (row.exportJobId === null) throw missingExportJob(orderId);
        const file = await downloadOutput(row.exportJobId, path);
        const longestMs = toCountingMs(settings, now());
        const rows = await countRows({ path, type, signal: cancellationSignal(), longestMs, onRows: recordProgress });
        return await save({ ...row, path, ...file, rows }, toCountedState(row, { rows, slots }));
      } catch (error) {
        return saveFailure(configured, row, { state: isOverLimit(error) ? 'refused' : 'not_fetched', error });
      }
    }),
  };

  /** Reports the stored output, or a refused one that is not stored. */
  async function reportUnconfigured({ orderId, output }: OutputInput): Promise<ServiceOutputReport> {
    const stored = await ledger.outputs.get(orderId, toDestination(output));
    return toOutputReport(stored ?? { ...newOutputRow(orderId, output, 0), state: 'refused', problem: notConfigured });
  }

  async function readRow({ orderId, output }: OutputInput): Promise<OutputRow> {
    const row = await ledger.outputs.get(orderId, toDestination(output));
    if (row === undefined) throw nonRetryable('OrderNotCollected', `order ${orderId}: the ledger has no such output`);
    return row;
  }

  async function readTotal(orderId: string): Promise<number | null> {
    return (await ledger.orders.get(orderId))?.total ?? null;
  }

  async function downloadOutput(exportJobId: string, path: string) {
    const signal = cancellationSignal();
    let bytes = 0;
    return writeWholeFile({ path, signal, openFile }, async (file) => {
      for await (const chunk of prospecting.outputs.download(exportJobId, { signal })) {
        await file.append(chunk);
        recordProgress((bytes += chunk.length));
      }
    });
  }

  async function save(row: OutputRow, state: OutputState, problem: string | null = null): Promise<ServiceOutputReport> {
    const problemDetail = problem === null ? null : row.problemDetail;
    const saved = { ...row, state, problem, problemDetail, at: now().toISOString() };
    await ledger.outputs.save(saved);
    return toOutputReport(saved);
  }

  /** @returns a failure that no retry changes, or that came after the deadline @throws every other error, as Temporal must see it */
  function finalFailure(error: unknown, settings: ConfiguredOutput['settings']): ApplicationFailure {
    if (!(error instanceof ProspectingError || error instanceof SpreadsheetError)) throw error;
    const failure = isRemovedFile(error) ? fileBusy(error) : toFailure(error);
    if (!(failure instanceof ApplicationFailure)) throw failure;
    if (failure.nonRetryable !== true && !isOverdue(settings, now())) throw failure;
    return failure;
  }

  /** Stores a failure that is final. @throws what Temporal retries, or must see */
  async function saveFailure(
    { orderId, output, settings }: ConfiguredOutput,
    row: OutputRow,
    { state, error }: { state: OutputState; error: unknown },
  ): Promise<ServiceOutputReport> {
    const failure = finalFailure(error, settings);
    // An attempt that timed out may end after its successor: the state of the successor stays.
    const current = await ledger.outputs.get(orderId, toDestination(output));
    if (row.state === 'ready' && current !== undefined && current.state !== 'ready') return toOutputReport(current);
    return save(row, state, failure.type ?? null);
  }
}

/** null if the run no longer configures that output. */
async function findConfiguredOutput(
  dependencies: ActivityDependencies,
  { output, ...order }: OutputInput,
): Promise<ConfiguredOutput | null> {
  const { serviceOutputs } = planDelivery(dependencies, order);
  if (serviceOutputs === null) return null;
  const { wanted, ...settings } = serviceOutputs;
  const destination = toDestination(output);
  const found = wanted.find((candidate) => toDestination(candidate) === destination);
  return found === undefined ? null : { orderId: order.orderId, output: found, settings };
}

/** Time that is left for counting rows, and at least enough for a large file. */
function toCountingMs({ giveUpMs }: ConfiguredOutput['settings'], now: Date): number {
  const leftMs = activityInfo().scheduledTimestampMs + giveUpMs - now.getTime();
  return Math.min(giveUpMs, Math.max(leftMs, shortestCountingMs));
}

/** Counted from the scheduling of the activity, so that there is at least one attempt even after a long time without workers. */
function isOverdue({ giveUpMs }: ConfiguredOutput['settings'], now: Date): boolean {
  return now.getTime() - activityInfo().scheduledTimestampMs >= giveUpMs;
}

function notReady({ destination, status }: OutputRow, { firstPollMs, longestPollMs }: ConfiguredOutput['settings']) {
  const delays = { firstMs: firstPollMs, longestMs: longestPollMs };
  return pollAgain(
    'OutputNotReady',
    delays,
    (delayMs) => `output ${destination} is ${status}; next poll in ${formatDuration(delayMs)}`,
  );
}

function missingExportJob(orderId: string): ProspectingError {
  const path = `/api/v1/orders/${orderId}/outputs`;
  return new ProspectingError({ kind: 'contract', method: 'GET', path, detail: 'export_job_id is missing' });
}

/** The file was removed before its rows were counted: the next attempt fetches it again. */
function isRemovedFile(error: ProspectingError | SpreadsheetError): error is SpreadsheetError {
  return error instanceof SpreadsheetError && error.code === 'ENOENT';
}

function isOverLimit(error: unknown): boolean {
  return error instanceof SpreadsheetError && error.code === overLimit;
}

function fileBusy({ message }: SpreadsheetError): ApplicationFailure {
  return ApplicationFailure.create({ type: 'FileBusy' satisfies FailureType, message });
}
