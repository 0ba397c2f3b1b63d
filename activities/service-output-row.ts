/** An output of the service as the ledger stores it: how a row starts, what a receipt changes, and in which state it ends. Pure. */
import type { ServiceOutput } from '../src/config/service-output-settings.ts';
import type { OutputInput, OutputReceipt } from '../src/service/contract/index.ts';
import type { OutputState } from '../src/ledger/tables.ts';
import type { OutputRow } from '../src/ledger/order-files.ts';
import { boundWord } from '../src/base/text/bound-text.ts';
import { readId } from '../src/service/reading/read-value.ts';

type FileType = Exclude<ServiceOutput['type'], 'google_sheets'>;

/** Identifies an output within its order (A38). */
export function toDestination({ type, language, spreadsheetId }: ServiceOutput): string {
  return [type, language.toLowerCase(), ...(spreadsheetId === null ? [] : [spreadsheetId])].join(' ');
}

export function newOutputRow(orderId: string, output: ServiceOutput, attempt: number): OutputRow {
  return {
    orderId,
    destination: toDestination(output),
    type: output.type,
    language: output.language,
    attempt,
    outputId: null,
    exportJobId: null,
    status: null,
    state: 'requested',
    problem: null,
    problemDetail: null,
    origin: 'own',
    resultCount: null,
    resultSha256: null,
    location: null,
    path: null,
    rows: null,
    bytes: null,
    sha256: null,
    at: '',
  };
}

/** The row that a request starts from: the stored one, or a new attempt after the service has answered FAILED. */
export function toRequestRow(stored: OutputRow | undefined, orderId: string, output: ServiceOutput): OutputRow {
  if (stored === undefined) return newOutputRow(orderId, output, 0);
  return stored.state === 'failed' ? newOutputRow(orderId, output, stored.attempt + 1) : stored;
}

/** A receipt with another output id replaces what the row knew of the earlier output. */
export function applyNewReceipt(
  row: OutputRow,
  output: ServiceOutput,
  { receipt, origin }: { readonly receipt: OutputReceipt; readonly origin: OutputRow['origin'] },
): OutputRow {
  if (row.outputId === receipt.output_id) return applyReceipt(row, receipt);
  return { ...applyReceipt(newOutputRow(row.orderId, output, row.attempt), receipt), origin };
}

export function applyReceipt(row: OutputRow, receipt: OutputReceipt): OutputRow {
  return {
    ...row,
    outputId: receipt.output_id,
    exportJobId: readId(receipt.export_job_id) ?? null,
    status: boundWord(receipt.status),
    resultCount: receipt.result_count ?? null,
    resultSha256: readId(receipt.result_sha256) ?? null,
    location: toWebAddress(receipt.location ?? ''),
  };
}

/** null: not ended, poll again. A spreadsheet is complete with its address, and its announced count is compared next; a file has to be fetched. */
export function toPolledState(
  row: OutputRow,
  { isOverdue }: { readonly isOverdue: boolean },
): 'failed' | 'unfinished' | 'ready' | 'delivered' | null {
  if (row.status === 'FAILED') return 'failed';
  if (row.status !== 'COMPLETED') return isOverdue ? 'unfinished' : null;
  return row.type === 'google_sheets' ? 'delivered' : 'ready';
}

/** The rows of the output, the count that the service announced, and the slots of the order must be equal (A41). */
export function toCountedState(
  { resultCount }: OutputRow,
  { rows, slots }: { readonly rows: number | null; readonly slots: number | null },
): OutputState {
  const announced = resultCount ?? slots;
  return rows === announced && announced === slots ? 'delivered' : 'rows_differ';
}

/** The longest address that browsers accept. */
const longestAddress = 2_048;

/** Users may click on the address in a report. */
function toWebAddress(location: string): string | null {
  if (location.length > longestAddress) return null;
  const url = URL.parse(location);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** Differs from the names of prospect-sync's own files. A language may contain characters that no file name may. */
export function toFileName(orderId: string, type: FileType, language: string): string {
  const safe = encodeURIComponent(language.toLowerCase()).replaceAll('*', '%2A');
  return `${orderId}.service-${safe}.${type}`;
}

export function toOutputInput({ type, language, spreadsheetId }: ServiceOutput): OutputInput {
  return {
    output_type: type,
    output_language: language,
    ...(spreadsheetId === null ? {} : { spreadsheet_id: spreadsheetId }),
  };
}
