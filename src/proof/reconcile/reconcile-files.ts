/** Checks the files of an order, and the outputs of the service. */
import type { OutputRow } from '../../ledger/order-files.ts';
import type { OrderRow, PlannedDelivery } from '../../ledger/order-store.ts';
import { isNotFound } from '../../service/client/prospecting-error.ts';
import type { Finding } from '../report/order-report.ts';
import { fileDigest } from '../../base/spreadsheet/whole-file.ts';
import type { ProofContext } from './proof-context.ts';
import { compareFiles, type WrittenSheet } from '../../delivery/files/compare-files.ts';

const finding = (code: string, count = 1): Finding => ({ code, count, positions: [] });

/**
 * Checks that every planned file of prospect-sync was written, that its bytes were not changed since, that it is not older than the ledger, and
 * that the file, read again, has the rows of the ledger.
 */
export async function checkFiles(
  { ledger, signal, recordProgress }: ProofContext,
  orderId: string,
  planned: PlannedDelivery | null,
): Promise<Finding[]> {
  const files = await ledger.files.list(orderId);
  const findings = (planned?.spreadsheets ?? []).flatMap((kind) =>
    files.some((file) => file.kind === kind) ? [] : [finding(`${kind}_file_not_written`)],
  );
  const erased = await ledger.erasures.filesOf(orderId);
  const sheets: WrittenSheet[] = [];
  for (const { path, kind, sha256, content } of files) {
    if (erased.has(kind)) continue;
    const found = await fileDigest(path);
    if (found !== sha256) findings.push(finding(`${kind}_file_${found === null ? 'missing' : 'changed'}`));
    if (found === null || content === null || kind === 'leaks') continue;
    sheets.push({ kind, path, content, isRead: found === sha256 });
  }
  const compared = await compareFiles(ledger, orderId, sheets, { signal, onRows: recordProgress });
  for (const { kind, isCurrent, differing } of compared) {
    if (!isCurrent) findings.push(finding(`${kind}_file_outdated`));
    else if (differing > 0) findings.push(finding(`${kind}_rows_differ`, differing));
  }
  return findings;
}

/**
 * Checks of the outputs that the service has made: every planned one was requested, its receipt is the stored one, all are of the same
 * result set, and the bytes of its file are the downloaded ones.
 */
export async function reconcileServiceOutputs(
  context: ProofContext,
  { orderId, total, delivery }: Pick<OrderRow, 'orderId' | 'total' | 'delivery'>,
): Promise<Finding[]> {
  const outputs = await context.ledger.outputs.list(orderId);
  // The service makes no output of an empty result set ("Errors", ORDER_RESULTS_EMPTY).
  const planned = total === 0 ? [] : (delivery?.serviceOutputs ?? []);
  const missing = planned.filter((destination) => !outputs.some((output) => output.destination === destination));
  const findings = missing.map(() => finding('service_output_not_requested'));
  const completed = outputs.filter(({ state }) => state === 'delivered' || state === 'rows_differ');
  const digests = new Set(completed.flatMap(({ resultSha256 }) => resultSha256 ?? []));
  if (digests.size > 1) findings.push(finding('service_outputs_disagree', digests.size));
  const erased = await context.ledger.erasures.filesOf(orderId);
  for (const output of completed) {
    if (!(await hasSameReceipt(context, output))) findings.push(finding('service_output_changed'));
    const counts = [output.rows, output.resultCount].filter((count) => count !== null);
    if (output.state === 'delivered' && counts.some((count) => count !== total))
      findings.push(finding('service_output_rows_differ'));
    if (erased.has(output.destination) || output.path === null || output.sha256 === null) continue;
    const found = await fileDigest(output.path);
    if (found !== output.sha256)
      findings.push(finding(`service_${output.type}_file_${found === null ? 'missing' : 'changed'}`));
  }
  return findings;
}

/** The service reports the output as it did when it was complete. */
async function hasSameReceipt({ prospecting, signal }: ProofContext, output: OutputRow): Promise<boolean> {
  const { orderId, outputId, type, resultCount, resultSha256, status, location, exportJobId } = output;
  if (outputId === null) return true;
  try {
    const receipt = await prospecting.outputs.get(orderId, outputId, { signal });
    return (
      (resultCount === null || (receipt.result_count ?? null) === resultCount) &&
      (resultSha256 === null || (receipt.result_sha256 ?? null) === resultSha256) &&
      (status === null || receipt.status === status) &&
      // Of a file it may be an address for a limited time.
      (type !== 'google_sheets' || location === null || (receipt.location ?? null) === location) &&
      (exportJobId === null || (receipt.export_job_id ?? null) === exportJobId)
    );
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
