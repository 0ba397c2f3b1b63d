import type { Finding } from '../src/report/order-report.ts';
import { fileDigest } from '../src/spreadsheet/whole-file.ts';
import { toFileContent } from '../src/spreadsheet/file-content.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { digestLedgerRows } from '../src/delivery/order-spreadsheet.ts';
import { cancellationSignal, recordProgress } from './activity-heartbeat.ts';

interface WrittenFile {
  readonly kind: string;
  readonly path: string;
  readonly sha256: string;
  readonly contentJson: string | null;
}

/**
 * Checks two things: the bytes of a file are the written ones, and its rows are those that the ledger gives now. The first finds a file
 * that was edited, the second one that is older than the ledger.
 */
export async function checkFiles({ ledger }: ActivityDependencies, orderId: string): Promise<Finding[]> {
  const files: WrittenFile[] = [...(await ledger.files.list(orderId)), ...(await readServiceFiles(ledger, orderId))];
  const problems: string[] = [];
  // CSV and XLSX files usually have the same rows.
  const digests = new Map<string, string>();
  const erased = await ledger.erasures.filesOf(orderId);
  for (const { path, kind, sha256, contentJson } of files) {
    if (erased.has(kind)) continue;
    const found = await fileDigest(path);
    if (found !== sha256) problems.push(`${kind}_file_${found === null ? 'missing' : 'changed'}`);
    const content = toFileContent(contentJson);
    if (found === null || content === null) continue;
    const { sha256: writtenRows, ...layout } = content;
    const key = JSON.stringify(layout);
    const ledgerRows =
      digests.get(key) ??
      (await digestLedgerRows(ledger, orderId, layout, { signal: cancellationSignal(), onRows: recordProgress }));
    digests.set(key, ledgerRows);
    if (ledgerRows !== writtenRows) problems.push(`${kind}_file_outdated`);
  }
  return problems.map((code) => ({ code, count: 1, positions: [] }));
}

/** Files of the service have no rows of the ledger: only their bytes are checked. */
async function readServiceFiles(ledger: ActivityDependencies['ledger'], orderId: string): Promise<WrittenFile[]> {
  const outputs = await ledger.outputs.list(orderId);
  const erased = await ledger.erasures.filesOf(orderId);
  return outputs.flatMap(({ destination, state, type, path, sha256 }) =>
    erased.has(destination) || path === null || sha256 === null || (state !== 'delivered' && state !== 'rows_differ')
      ? []
      : [{ kind: `service_${type}`, path, sha256, contentJson: null }],
  );
}
