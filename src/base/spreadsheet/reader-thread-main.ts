/** The thread of readTable and countTable: reads one file after another, and sends its rows as fast as the receiver takes them. */
import { parentPort } from 'node:worker_threads';
import { SpreadsheetError } from './spreadsheet-error.ts';
import type { FromReader, ReaderTask, ToReader } from './reader-thread.ts';
import type { SelectColumns, SourceRows } from './table.ts';

if (parentPort === null) throw new Error('reader-thread-main.ts is started by reader-thread.ts');
const port = parentPort;
const send = (message: FromReader) => port.postMessage(message);

/** Batches that may be sent before one is acknowledged: one is processed while the next is read. */
const mostCredit = 2;
let credit = mostCredit;
let onCredit = () => {};
let onColumns: (indexes: readonly number[]) => void = () => {};
port.on('message', (message: ToReader) => {
  if (message.kind === 'task') void perform(message.task);
  else if (message.kind === 'columns') onColumns(message.indexes);
  else {
    credit += 1;
    onCredit();
  }
});

/** An error that is no error of the file ends the thread. */
async function perform(task: ReaderTask): Promise<void> {
  credit = mostCredit;
  try {
    await (task.purpose === 'read' ? read(task) : count(task));
    send({ kind: 'end' });
  } catch (error) {
    if (!(error instanceof SpreadsheetError)) throw error;
    send({ kind: 'failed', facts: error.facts });
  }
}

async function read(task: ReaderTask): Promise<void> {
  const select: SelectColumns = (header) => {
    const { promise, resolve } = Promise.withResolvers<readonly number[]>();
    onColumns = resolve;
    send({ kind: 'header', header });
    return promise;
  };
  for await (const { rows, merged, tallRanges } of await openTable(task, select))
    await sendWithCredit({ kind: 'rows', rows, merged, tallRanges });
}

/** Loads only the needed reader, because loading takes most of the thread's start time. */
async function openTable(
  { kind, path, ...settings }: ReaderTask,
  select: SelectColumns,
): Promise<AsyncIterable<SourceRows>> {
  if (kind === 'xlsx') return (await import('./read-xlsx.ts')).readXlsx(path, settings, select);
  return (await import('./read-csv.ts')).readCsv(path, settings, select);
}

async function count(task: ReaderTask): Promise<void> {
  if (task.kind === 'xlsx') {
    const { countXlsxRows } = await import('./read-xlsx.ts');
    for await (const rows of countXlsxRows(task.path)) await sendWithCredit({ kind: 'count', count: rows });
    return;
  }
  let rows = 0;
  for await (const batch of await openTable(task, () => []))
    await sendWithCredit({ kind: 'count', count: (rows += batch.rows.length) });
}

async function sendWithCredit(message: FromReader): Promise<void> {
  if (credit === 0) await new Promise<void>((resolve) => (onCredit = resolve));
  credit -= 1;
  send(message);
}
