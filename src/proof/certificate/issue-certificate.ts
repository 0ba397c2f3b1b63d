/** Signs the certificate of a reconciliation, keeps it in the ledger and writes it to a file. */
import type { KeyObject } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { CertificatesConfig } from '../../config/certificate-settings.ts';
import type { WorkerConfiguration } from '../../config/run-plan.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { LedgerError } from '../../ledger/ledger-error.ts';
import type { OrderRow } from '../../ledger/order-store.ts';
import { writeWholeFile } from '../../base/spreadsheet/whole-file.ts';
import type { Finding } from '../report/order-report.ts';
import { compareWithEarlier } from './earlier-certificate.ts';
import { buildCertificate, type ReconciliationFacts } from './build-certificate.ts';
import { generatePrivateKey, readPrivateKey, signDocument } from './signature.ts';

export interface IssueDependencies {
  readonly ledger: Ledger;
  readonly configuration: WorkerConfiguration;
  readonly signal: AbortSignal;
}

/**
 * Replaces the certificate of an earlier reconciliation. The ledger comes first: when the file cannot be written, the next attempt
 * writes both again.
 * @returns the path of the file, and its findings: those of the facts, and what only an earlier certificate shows
 * @throws {SpreadsheetError} when the file cannot be written
 */
export async function issueCertificate(
  { ledger, configuration, signal }: IssueDependencies,
  facts: ReconciliationFacts,
): Promise<{ readonly path: string; readonly findings: Finding[] }> {
  const { order, reconciled, at } = facts;
  const { orderId } = order;
  const built = await buildCertificate(ledger, facts);
  const findings = [...facts.findings, ...(await compareWithEarlier(ledger, built))];
  const document = { ...built, findings: findings.map((found) => ({ ...found, positions: [...found.positions] })) };
  const signed = signDocument(document, await obtainSigningKey(ledger, configuration.certificates));
  const path = join(await findDirectory({ ledger, configuration }, order), `${orderId}.certificate.json`);
  await ledger.certificates.save({
    orderId,
    at: at.toISOString(),
    reconciled,
    total: order.total ?? 0,
    findingsJson: JSON.stringify(findings),
    documentJson: JSON.stringify(signed),
    path,
  });
  await writeWholeFile({ path, signal }, (file) => file.append(`${JSON.stringify(signed, null, 2)}\n`));
  return { path, findings };
}

/** The configured key, or the key of the ledger, which is created on first use. */
export async function obtainSigningKey(ledger: Ledger, certificates: CertificatesConfig): Promise<KeyObject> {
  const found = await findSigningKey(ledger, certificates);
  return found ?? readPrivateKey(await ledger.signingKeys.keepFirst(generatePrivateKey(), new Date().toISOString()));
}

/** null: neither configured nor created yet. */
export async function findSigningKey(ledger: Ledger, { key }: CertificatesConfig): Promise<KeyObject | null> {
  const text = key === null ? await ledger.signingKeys.get() : key.reveal();
  if (text === undefined) return null;
  try {
    return readPrivateKey(text);
  } catch (error) {
    if (key !== null) throw error;
    throw new LedgerError('damaged', 'the key that signs certificates was changed in the ledger (table signing_keys)');
  }
}

/** The configured folder, that of the run's spreadsheets, or that of a file of the order. */
async function findDirectory(
  { ledger, configuration }: Pick<IssueDependencies, 'ledger' | 'configuration'>,
  { orderId, runName }: OrderRow,
): Promise<string> {
  const { directory, otherDirectory } = configuration.certificates;
  if (directory !== null) return directory;
  const run = runName === null ? null : configuration.findRun(runName);
  if (run !== null) return run.plan.delivery.evidenceDirectory;
  const [file] = await ledger.files.list(orderId);
  return file === undefined ? otherDirectory : dirname(file.path);
}
