/**
 * Reads spreadsheet files in a separate thread (reader-thread-main.ts). A file that fills the memory or keeps the processor busy does
 * not stop the process: heartbeats continue, and an abort ends the thread at once.
 */
import { on } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { overLimit, SpreadsheetError, type SpreadsheetFacts } from './spreadsheet-error.ts';
import { fileLimits, formatLimit } from './file-limits.ts';
import { rejectOnAbort } from '../host/reject-on-abort.ts';
import { describeCompanionFile } from './foreign-file.ts';
import { assertRegularFile } from './whole-file.ts';
import { allColumns, createRefusal, type SelectColumns, type SheetSettings, type SourceHeader } from './table.ts';
import type { SourceRow, SourceRows } from './table.ts';
import { systemCodeOf } from '../failures/system-code.ts';

export interface TableFile extends SheetSettings {
  readonly kind: 'csv' | 'xlsx';
  readonly path: string;
}

/** `count`: only counts the rows. */
export interface ReaderTask extends TableFile {
  readonly purpose: 'read' | 'count';
}

export type FromReader =
  | { readonly kind: 'header'; readonly header: SourceHeader }
  | ({ readonly kind: 'rows' } & Pick<SourceRows, 'rows' | 'merged' | 'tallRanges'>)
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly facts: SpreadsheetFacts };

/** `more`: one more batch may come. */
export type ToReader =
  | { readonly kind: 'task'; readonly task: ReaderTask }
  | { readonly kind: 'columns'; readonly indexes: readonly number[] }
  | { readonly kind: 'more' };

/** TypeScript in a clone, JavaScript in the package. */
const main = new URL(`./reader-thread-main${path.extname(import.meta.filename)}`, import.meta.url);

interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default: all columns. */
  readonly select?: SelectColumns;
  /** Heap of the thread. Default: that of `fileLimits`. */
  readonly memoryMegabytes?: number;
}

/**
 * The rows of a CSV or Excel file, in batches, as readCsv and readXlsx return them. A process reads one file at a time.
 * @throws SpreadsheetError; what `select` throws; the signal's reason on abort
 */
export async function* readTable(
  file: TableFile,
  { signal, select = allColumns, memoryMegabytes }: ReadOptions = {},
): AsyncGenerator<SourceRows> {
  let kept: SourceHeader | null = null;
  for await (const { message, answer } of runReader({ ...file, purpose: 'read' }, signal, memoryMegabytes)) {
    if (message.kind === 'header') {
      const { rowsBelow: _rows, indexes: _indexes, headers, ...place } = message.header;
      const indexes = await select(message.header);
      kept = { headers: indexes.map((index) => headers[index] ?? ''), ...place };
      answer({ kind: 'columns', indexes });
    } else if (message.kind === 'rows' && kept !== null) {
      const { rows, merged, tallRanges } = message;
      yield { ...kept, rows: rows.map(toOwnRow), merged, tallRanges };
      answer({ kind: 'more' });
    }
  }
}

/** The number of rows so far, without the header and blank rows. @throws as readTable */
async function* countTable(file: TableFile, signal?: AbortSignal): AsyncGenerator<number> {
  for await (const { message, answer } of runReader({ ...file, purpose: 'count' }, signal)) {
    if (message.kind !== 'count') continue;
    yield message.count;
    answer({ kind: 'more' });
  }
}

/** A Date from a thread may not be an instance of this module's Date, for example in tests. */
function toOwnRow({ cells, ...row }: SourceRow): SourceRow {
  return { ...row, cells: cells.map((cell) => (typeof cell === 'object' ? new Date(cell) : cell)) };
}

interface Received {
  readonly message: FromReader;
  readonly answer: (message: ToReader) => void;
}

/** Settles when the thread of the last file has ended. Several threads at once would need several times the memory. */
let lastReader: Promise<void> = Promise.resolve();

async function* runReader(
  task: ReaderTask,
  signal: AbortSignal | undefined,
  memoryMegabytes: number = fileLimits.memoryMegabytes,
): AsyncGenerator<Received> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const before = lastReader;
  lastReader = before.then(() => ended);
  try {
    await rejectOnAbort(before, signal);
    const companion = describeCompanionFile(task.path);
    if (companion !== null) throw createRefusal(task.path)(companion);
    await assertRegularFile(task.path);
    yield* runThread(task, signal, memoryMegabytes);
  } catch (error) {
    signal?.throwIfAborted();
    throw toReadError(error, task, memoryMegabytes);
  } finally {
    end();
  }
}

async function* runThread(
  task: ReaderTask,
  signal: AbortSignal | undefined,
  memoryMegabytes: number,
): AsyncGenerator<Received> {
  const thread = (await takeIdleThread(memoryMegabytes)) ?? startThread(memoryMegabytes);
  // Threads have no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const post = (message: ToReader) => thread.postMessage(message);
  let isIdle = false;
  try {
    const messages = on(thread, 'message', { close: ['exit'], ...(signal && { signal }) });
    post({ kind: 'task', task });
    for await (const [received] of messages) {
      const message: FromReader = received;
      if (message.kind === 'failed') throw new SpreadsheetError(message.facts);
      if (message.kind === 'end') {
        isIdle = true;
        return;
      }
      yield { message, answer: post };
    }
    throw new Error('the thread that reads a file ended before it was done');
  } finally {
    if (isIdle) keepIdle(thread, memoryMegabytes);
    else await thread.terminate();
  }
}

function startThread(memoryMegabytes: number): Worker {
  const thread = new Worker(main, {
    name: 'file reader',
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
  });
  thread.once('exit', () => {
    if (idle?.thread !== thread) return;
    clearTimeout(idle.expiry);
    idle = null;
  });
  // runThread receives errors while the thread reads; without a listener, one of an idle thread would end the process.
  return thread.on('error', () => {});
}

/** The thread that read a file to its end: its start takes longer than reading a small file. */
let idle: { readonly thread: Worker; readonly memoryMegabytes: number; readonly expiry: NodeJS.Timeout } | null = null;
const idleMilliseconds = 5_000;

function keepIdle(thread: Worker, memoryMegabytes: number): void {
  thread.unref();
  const expiry = setTimeout(() => {
    idle = null;
    void thread.terminate();
  }, idleMilliseconds).unref();
  idle = { thread, memoryMegabytes, expiry };
}

/** Ends an idle thread that has another limit of memory. */
async function takeIdleThread(memoryMegabytes: number): Promise<Worker | null> {
  const found = idle;
  idle = null;
  if (found === null) return null;
  clearTimeout(found.expiry);
  found.thread.ref();
  if (found.memoryMegabytes === memoryMegabytes) return found.thread;
  await found.thread.terminate();
  return null;
}

function toReadError(error: unknown, { path: file }: ReaderTask, memoryMegabytes: number): unknown {
  if (systemCodeOf(error) !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  const problem = `it needs more than ${formatLimit(memoryMegabytes)} MB of memory to be read; split the file`;
  return new SpreadsheetError({ path: file, action: 'reading', problem, code: overLimit });
}

export interface CountRows {
  readonly path: string;
  readonly type: 'csv' | 'xlsx';
  readonly signal?: AbortSignal | undefined;
  /** Time limit for counting. */
  readonly longestMs?: number;
  readonly onRows?: (rows: number) => void;
}

/**
 * The rows below the header, without blank rows; in an Excel file those of the first sheet. null when the file is not such a table, or
 * counting exceeds its time limit.
 * @throws SpreadsheetError for errors of the operating system, or a file that exceeds a limit
 */
export async function countRows({ path, type, signal, longestMs, onRows }: CountRows): Promise<number | null> {
  const over = longestMs === undefined ? undefined : AbortSignal.timeout(longestMs);
  const either = AbortSignal.any([signal, over].filter((each) => each !== undefined));
  let rows = 0;
  try {
    for await (rows of countTable({ path, kind: type }, either)) onRows?.(rows);
    return rows;
  } catch (error) {
    if (error instanceof SpreadsheetError && error.code === null) return null;
    if (over?.aborted === true && error === over.reason) return null;
    throw error;
  }
}
