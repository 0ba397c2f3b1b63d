/**
 * What the service itself makes of an order's results. Whatever becomes of it is written down in the ledger, and is a
 * finding at most: none of it fails a run. Only the ledger and the program itself do.
 */
import { join } from 'node:path';
import { activityInfo } from '@temporalio/activity';
import { z } from 'zod';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { outputTypes, type OutputReceipt } from '../src/contract/index.ts';
import { nonRetryable } from '../src/failures/non-retryable.ts';
import type { FailureType } from '../src/failures/failure-descriptions.ts';
import type { OutputRow } from '../src/ledger/service-outputs.ts';
import { formatDuration } from '../src/text/format-time.ts';
import type { OutputState, ServiceOutputReport } from '../src/report/order-report.ts';
import { ProspectingError } from '../src/prospecting/prospecting-error.ts';
import { idempotencyKey } from '../src/prospecting/idempotency-key.ts';
import { toOutputReport } from '../src/reconcile/output-checks.ts';
import type { ServiceOutputsPlan } from '../src/config/run-plan.ts';
import { countRows } from '../src/spreadsheet/count-rows.ts';
import { overLimit, SpreadsheetError } from '../src/spreadsheet/spreadsheet-error.ts';
import { fileDigest } from '../src/spreadsheet/file-digest.ts';
import { writeWholeFile, type OpenFile } from '../src/spreadsheet/whole-file.ts';
import { checked, deliverySchema } from './checked-input.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { planDelivery } from './configured-run.ts';
import { toFailure } from '../src/failures/to-failure.ts';
import { blankReceipt, fileName, toDestination, toFacts, toOutputInput } from './output-receipt.ts';
import { cancellationSignal, recordProgress } from './activity-heartbeat.ts';

const outputSchema = deliverySchema.extend({
  output: z.object({
    type: z.enum(outputTypes),
    language: z.string().min(1).max(100),
    spreadsheetId: z.string().max(500).nullable(),
  }),
});
type OutputInput = z.output<typeof outputSchema>;

interface OutputStep extends Pick<OutputInput, 'orderId' | 'output'> {
  readonly terms: Omit<ServiceOutputsPlan, 'wanted'>;
}

/** A run that does not ask for the output, or does not any more. */
const notConfigured = 'ConfigurationDiffers' satisfies FailureType;
const pollGrowth = 2;
/** A million rows of an Excel file take half a minute. */
const leastCountingMs = 600_000;

export function createOutputActivities(
  { prospecting, ledger, now, configuration }: ActivityDependencies,
  openFile?: OpenFile,
) {
  return {
    /** Asks for an output under a key of the order and the destination: again, after a lost answer, it is the same output. */
    requestOutput: checked(outputSchema, async (input): Promise<ServiceOutputReport> => {
      const { orderId, output } = input;
      const step = await configured(input);
      if (step === null) return notAskedFor(input);
      const row = await begin(step);
      try {
        const receipt = await create(step, row.attempt);
        const isKnown = row.outputId === receipt.output_id;
        return await save(
          { ...(isKnown ? row : blankReceipt(orderId, output, row.attempt)), ...toFacts(receipt) },
          'requested',
        );
      } catch (error) {
        return settle(step, row, { state: 'refused', error });
      }
    }),

    /** Returns once the output has ended, or has been waited for long enough; until then the attempt fails as expected. */
    awaitOutput: checked(outputSchema, async (input): Promise<ServiceOutputReport> => {
      const step = await configured(input);
      if (step === null) return notAskedFor(input);
      const row = await known(input);
      const { orderId, terms } = step;
      if (row.outputId === null) return toOutputReport(row);
      try {
        const receipt = await prospecting.outputs.get(orderId, row.outputId, { signal: cancellationSignal() });
        const seen = { ...row, ...toFacts(receipt) };
        if (receipt.status === 'FAILED') return await save(seen, 'failed');
        if (receipt.status === 'COMPLETED') return await complete(seen);
        if (isOverdue(terms)) return await save(seen, 'unfinished');
        throw notReady(seen, terms);
      } catch (error) {
        return settle(step, row, { state: 'not_fetched', error });
      }
    }),

    /** Writes the file of a completed output, unless it is there as it was written before; counts its rows. */
    fetchOutput: checked(outputSchema, async (input): Promise<ServiceOutputReport> => {
      const step = await configured(input);
      if (step === null) return notAskedFor(input);
      const row = await known(input);
      const { orderId, output, terms } = step;
      if (output.type === 'google_sheets' || row.state !== 'ready') return toOutputReport(row);
      const path = join(terms.directory, fileName(orderId, output.type, output.language));
      try {
        if (row.path === path && row.sha256 !== null && (await fileDigest(path)) === row.sha256) {
          return await weigh(row, row.rows);
        }
        if (row.exportJobId === null) throw withoutFile(orderId);
        const file = await fetchFile(row.exportJobId, path);
        const longestMs = countingMs(terms);
        const rows = await countRows({
          path,
          type: output.type,
          signal: cancellationSignal(),
          longestMs,
          onRows: recordProgress,
        });
        return await weigh({ ...row, path, ...file }, rows);
      } catch (error) {
        return settle(step, row, { state: isOverLimit(error) ? 'refused' : 'not_fetched', error });
      }
    }),
  };

  /** A receipt that exists stays as it is; otherwise the output is reported as refused, and the ledger does not keep it. */
  async function notAskedFor({ orderId, output }: OutputInput): Promise<ServiceOutputReport> {
    const kept = await ledger.outputs.get(orderId, toDestination(output));
    return toOutputReport(kept ?? { ...blankReceipt(orderId, output, 0), state: 'refused', problem: notConfigured });
  }

  /** null where the run does not ask for that output, or does not any more. */
  async function configured({ output, ...order }: OutputInput): Promise<OutputStep | null> {
    const { serviceOutputs } = await planDelivery({ configuration, ledger }, order);
    if (serviceOutputs === undefined) return null;
    const { wanted, ...terms } = serviceOutputs;
    const destination = toDestination(output);
    const found = wanted.find((each) => toDestination(each) === destination);
    return found === undefined ? null : { orderId: order.orderId, output: found, terms };
  }

  /** The receipt so far; a failed output is asked for once more, by another key. */
  async function begin({ orderId, output }: OutputStep): Promise<OutputRow> {
    const row = await ledger.outputs.get(orderId, toDestination(output));
    if (row === undefined) return blankReceipt(orderId, output, 0);
    return row.state === 'failed' ? blankReceipt(orderId, output, row.attempt + 1) : row;
  }

  async function known({ orderId, output }: Pick<OutputStep, 'orderId' | 'output'>): Promise<OutputRow> {
    const row = await ledger.outputs.get(orderId, toDestination(output));
    if (row === undefined) throw nonRetryable('OrderNotCollected', `order ${orderId}: the ledger holds no such output`);
    return row;
  }

  async function create({ orderId, output }: OutputStep, attempt: number): Promise<OutputReceipt> {
    const { type, language, spreadsheetId } = output;
    const input = toOutputInput(output);
    const key = idempotencyKey('output', orderId, type, language, spreadsheetId ?? '', attempt);
    const options = { signal: cancellationSignal() };
    try {
      return await prospecting.outputs.create(orderId, input, key, options);
    } catch (error) {
      // Somebody else asked for the destination first: without a key the service tells of that output ("Errors").
      const isTaken = error instanceof ProspectingError && error.facts.code === 'OUTPUT_IDEMPOTENCY_CONFLICT';
      if (!isTaken) throw error;
      return prospecting.outputs.create(orderId, input, null, options);
    }
  }

  /** A spreadsheet is complete with its address; a file has to be fetched. */
  async function complete(row: OutputRow): Promise<ServiceOutputReport> {
    if (row.type !== 'google_sheets') return save(row, 'ready');
    return row.resultCount === null ? save(row, 'delivered') : weigh(row, row.resultCount);
  }

  async function fetchFile(exportJobId: string, path: string) {
    const signal = cancellationSignal();
    let arrived = 0;
    return writeWholeFile({ path, signal, openFile }, async (file) => {
      for await (const chunk of prospecting.outputs.download(exportJobId, { signal })) {
        await file.append(chunk);
        recordProgress((arrived += chunk.length));
      }
    });
  }

  /** Holds the rows against the count that the service tells, and that against the slots of the order (A41). */
  async function weigh(row: OutputRow, rows: number | null): Promise<ServiceOutputReport> {
    const slots = (await ledger.orders.get(row.orderId))?.total ?? null;
    const told = row.resultCount ?? slots;
    return save({ ...row, rows }, rows === told && told === slots ? 'delivered' : 'rows_differ');
  }

  async function save(row: OutputRow, state: OutputState, problem: string | null = null): Promise<ServiceOutputReport> {
    const saved = { ...row, state, problem, at: now().toISOString() };
    await ledger.outputs.save(saved);
    return toOutputReport(saved);
  }

  /** Writes down what no further attempt mends, or none has mended for too long; throws everything else. */
  async function settle(
    { orderId, output, terms }: OutputStep,
    row: OutputRow,
    { state, error }: { state: OutputState; error: unknown },
  ): Promise<ServiceOutputReport> {
    if (!(error instanceof ProspectingError || error instanceof SpreadsheetError)) throw error;
    const failure = isTakenOver(error) ? fileBusy(error) : toFailure(error);
    if (!(failure instanceof ApplicationFailure)) throw failure;
    if (failure.nonRetryable !== true && !isOverdue(terms)) throw failure;
    // An attempt that was taken for dead may end after the one that took its place.
    const current = await ledger.outputs.get(orderId, toDestination(output));
    if (row.state === 'ready' && current !== undefined && current.state !== 'ready') return toOutputReport(current);
    return save(row, state, failure.type ?? null);
  }

  /** What is left of the time, and enough for a large file where that is over. */
  function countingMs({ giveUpMs }: OutputStep['terms']): number {
    const leftMs = activityInfo().scheduledTimestampMs + giveUpMs - now().getTime();
    return Math.min(giveUpMs, Math.max(leftMs, leastCountingMs));
  }

  /** Measured from when the step was scheduled: there is always one attempt, however long no worker was there. */
  function isOverdue({ giveUpMs }: OutputStep['terms']): boolean {
    return now().getTime() - activityInfo().scheduledTimestampMs >= giveUpMs;
  }
}

function notReady({ destination, status }: OutputRow, { firstPollMs, longestPollMs }: OutputStep['terms']) {
  const delayMs = Math.round(Math.min(longestPollMs, firstPollMs * pollGrowth ** (activityInfo().attempt - 1)));
  return ApplicationFailure.create({
    type: 'OutputNotReady' satisfies FailureType,
    message: `output ${destination} is ${status}; next look in ${formatDuration(delayMs)}`,
    nextRetryDelay: delayMs,
    category: ApplicationFailureCategory.BENIGN,
  });
}

function withoutFile(orderId: string): ProspectingError {
  const path = `/api/v1/orders/${orderId}/outputs`;
  return new ProspectingError({ kind: 'contract', method: 'GET', path, detail: 'export_job_id is missing' });
}

/** Another attempt at the same file has removed what this one was writing (see writeWholeFile). */
function isTakenOver(error: ProspectingError | SpreadsheetError): error is SpreadsheetError {
  return error instanceof SpreadsheetError && error.code === 'ENOENT';
}

function isOverLimit(error: unknown): boolean {
  return error instanceof SpreadsheetError && error.code === overLimit;
}

function fileBusy({ message }: SpreadsheetError): ApplicationFailure {
  return ApplicationFailure.create({ type: 'FileBusy' satisfies FailureType, message });
}
