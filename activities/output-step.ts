/** An output of the service as the ledger keeps it, and what goes to and comes from the service. */
import type { ServiceOutput } from '../src/config/output-settings.ts';
import type { OutputInput, OutputReceipt } from '../src/contract/index.ts';
import type { OutputRow } from '../src/ledger/output-store.ts';
import { boundWord } from '../src/text/bound-word.ts';
import { readId } from '../src/shape/read-value.ts';

type FileType = Exclude<ServiceOutput['type'], 'google_sheets'>;

/** What makes it one output of an order (A38). */
export function toDestination({ type, language, spreadsheetId }: ServiceOutput): string {
  return [type, language.toLowerCase(), ...(spreadsheetId === null ? [] : [spreadsheetId])].join(' ');
}

export function blankReceipt(orderId: string, output: ServiceOutput, attempt: number): OutputRow {
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

export function toFacts(receipt: OutputReceipt) {
  return {
    outputId: receipt.output_id,
    exportJobId: readId(receipt.export_job_id) ?? null,
    status: boundWord(receipt.status),
    resultCount: receipt.result_count ?? null,
    resultSha256: readId(receipt.result_sha256) ?? null,
    location: toWebAddress(receipt.location ?? ''),
  };
}

/** Browsers take no longer one. */
const longestAddress = 2_048;

/** It is shown to people, who may click on it. */
function toWebAddress(location: string): string | null {
  if (location.length > longestAddress) return null;
  const url = URL.parse(location);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

/** Beside the files of this program, with another name. A language may hold what no file name may. */
export function fileName(orderId: string, type: FileType, language: string): string {
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
