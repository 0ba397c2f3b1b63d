/** The CSV file of the rows that an enrichment has left out, as the ledger gives them. */
import path from 'node:path';
import type { DraftSource } from '../../ledger/draft-source.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { toOwnColumns } from './slot-columns.ts';
import { toOwnCells } from './slot-rows.ts';
import { writeCsv } from '../../base/spreadsheet/csv-writer.ts';
import { createContentDigest } from '../../base/spreadsheet/file-content.ts';
import type { Column, Row } from '../../base/spreadsheet/table.ts';
import { fileDigest } from '../../base/spreadsheet/whole-file.ts';

interface RejectsContext {
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

type RejectsLedger = Pick<Ledger, 'drafts' | 'rejectedRows'>;

const reasonsColumn: Column = { key: 'reasons', header: 'Reasons', kind: 'text', width: 60 };
/** Of the part that names the draft. */
const longestName = 120;

/** `<run>-<draft>-rejects.csv`. A draft has the key of its run as id, `run/<run>/<day>#<execution>`. */
export function rejectsPath(directory: string, runName: string, draftId: string): string {
  const prefix = `run/${runName}/`;
  const own = draftId.startsWith(prefix) ? draftId.slice(prefix.length) : draftId;
  const draft = own.replaceAll(/[^A-Za-z0-9-]+/g, '-').slice(-longestName);
  return path.join(directory, `${runName}-${draft}-rejects.csv`);
}

/** Writes the file, unless it is on the disk as it was written. Without rejected rows there is none. */
export async function writeRejectsFile(
  ledger: RejectsLedger,
  draftId: string,
  source: DraftSource,
  context: RejectsContext,
): Promise<void> {
  const { report, headers } = source;
  const { now, signal } = context;
  const file = report.rejected?.file ?? null;
  if (file === null) return;
  const written = await ledger.rejectedRows.file(draftId);
  const contentSha256 = await digestRejectedRows(ledger, draftId, headers);
  if (written?.contentSha256 === contentSha256 && (await fileDigest(file)) === written.sha256) return;
  const { rows, sha256 } = await writeCsv({
    path: file,
    columns: toColumns(headers),
    rows: readRows(ledger, draftId),
    form: report.rejected?.csv,
    signal,
  });
  const writtenAt = now().toISOString();
  await ledger.rejectedRows.saveFile({ draftId, path: file, rows, sha256, contentSha256, writtenAt });
  // Rows may have been erased meanwhile; otherwise this writes nothing.
  await writeRejectsFile(ledger, draftId, source, context);
}

/** Of the rows that the ledger has now. */
export async function digestRejectedRows(
  ledger: RejectsLedger,
  draftId: string,
  headers: readonly string[],
): Promise<string> {
  const content = createContentDigest(toColumns(headers).map(({ key }) => key));
  for await (const rows of readRows(ledger, draftId)) content.add(rows);
  return content.hex();
}

function toColumns(headers: readonly string[]): Column[] {
  const [number, ...own] = toOwnColumns(headers, [reasonsColumn]);
  return number === undefined ? [reasonsColumn] : [number, reasonsColumn, ...own];
}

async function* readRows({ rejectedRows }: RejectsLedger, draftId: string): AsyncGenerator<Row[]> {
  for await (const rows of rejectedRows.list(draftId))
    yield rows.map(({ sourceRow, ownCells, reasons }) => ({ ...toOwnCells({ sourceRow, ownCells }), reasons }));
}
