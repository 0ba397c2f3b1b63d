/**
 * Reads files of others in a thread of its own (reader-thread-main.ts), so that neither a file that fills the memory nor one that
 * keeps the processor busy stops the process: heartbeats continue, and an abort ends the thread at once.
 */
import { on } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { overLimit, SpreadsheetError, type SpreadsheetFacts } from './spreadsheet-error.ts';
import { fileLimits, formatLimit } from './file-limits.ts';
import { orAbort } from './interruptible.ts';
import { assertRegularFile } from './regular-file.ts';
import type { SheetSettings } from './read-xlsx.ts';
import type { SelectColumns, SourceHeader, SourceRow, SourceRows } from './table.ts';

export interface TableFile extends SheetSettings {
  readonly kind: 'csv' | 'xlsx';
  readonly path: string;
}

/** `count`: rows are counted, and no cell leaves the thread. */
export interface ReaderTask extends TableFile {
  readonly purpose: 'read' | 'count';
}

export type FromReader =
  | { readonly kind: 'header'; readonly header: SourceHeader }
  | { readonly kind: 'rows'; readonly rows: readonly SourceRow[] }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly facts: SpreadsheetFacts };

/** `more`: one more batch may come. */
export type ToReader = { readonly kind: 'columns'; readonly headers: readonly string[] } | { readonly kind: 'more' };

/** TypeScript in a clone, JavaScript in the package. */
const main = new URL(`./reader-thread-main${path.extname(import.meta.filename)}`, import.meta.url);

interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** All columns unless given. */
  readonly select?: SelectColumns;
  /** Heap of the thread; that of `fileLimits` unless given. */
  readonly memoryMegabytes?: number;
}

/**
 * The rows of a CSV or Excel file, in batches, as readCsv and readXlsx give them. One file is read at a time in a process.
 * @throws SpreadsheetError; what `select` throws; the signal's reason on abort
 */
export async function* readTable(
  file: TableFile,
  { signal, select = ({ headers }) => headers, memoryMegabytes }: ReadOptions = {},
): AsyncGenerator<SourceRows> {
  let kept: SourceHeader | null = null;
  for await (const { message, answer } of runReader({ ...file, purpose: 'read' }, signal, memoryMegabytes)) {
    if (message.kind === 'header') {
      const headers = await select(message.header);
      kept = { ...message.header, headers };
      answer({ kind: 'columns', headers });
    } else if (message.kind === 'rows' && kept !== null) {
      yield { ...kept, rows: message.rows.map(toOwnRow) };
      answer({ kind: 'more' });
    }
  }
}

/** How many rows it has so far, without the header and blank ones. @throws as readTable */
async function* countTable(file: TableFile, signal?: AbortSignal): AsyncGenerator<number> {
  for await (const { message, answer } of runReader({ ...file, purpose: 'count' }, signal)) {
    if (message.kind !== 'count') continue;
    yield message.count;
    answer({ kind: 'more' });
  }
}

/** A Date that comes from a thread need not be an instance of the Date of this module: it is not where tests run. */
function toOwnRow({ number, cells }: SourceRow): SourceRow {
  return { number, cells: cells.map((cell) => (typeof cell === 'object' ? new Date(cell) : cell)) };
}

interface Received {
  readonly message: FromReader;
  readonly answer: (message: ToReader) => void;
}

/** Settles when the thread of the last file has ended: threads side by side would add up their memory. */
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
    await orAbort(before, signal);
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
  const thread = new Worker(main, {
    workerData: task,
    name: 'file reader',
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
  });
  try {
    // Threads have no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    const answer = (message: ToReader) => thread.postMessage(message);
    for await (const [received] of on(thread, 'message', { close: ['exit'], ...(signal && { signal }) })) {
      const message: FromReader = received;
      if (message.kind === 'failed') throw new SpreadsheetError(message.facts);
      if (message.kind === 'end') return;
      yield { message, answer };
    }
    throw new Error('the thread that reads a file ended before it was done');
  } finally {
    await thread.terminate();
  }
}

function toReadError(error: unknown, { path: file }: ReaderTask, memoryMegabytes: number): unknown {
  const isOutOfMemory =
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (!isOutOfMemory) return error;
  const problem = `it needs more than ${formatLimit(memoryMegabytes)} MB of memory to be read; split the file`;
  return new SpreadsheetError({ path: file, action: 'reading', problem, code: overLimit });
}

export interface CountRows {
  readonly path: string;
  readonly type: 'csv' | 'xlsx';
  readonly signal?: AbortSignal | undefined;
  /** Counting is given up after this. */
  readonly longestMs?: number;
  readonly onRows?: (rows: number) => void;
}

/**
 * Rows below the header, blank ones not counted; of an Excel file those of the first sheet. null: it is no such table, or
 * counting takes too long.
 * @throws SpreadsheetError where the operating system refuses, or the file is over a limit
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
