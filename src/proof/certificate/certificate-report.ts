/** Output of the commands about certificates, as text and with `--json`. */
import type { CertificateDocument } from './certificate-document.ts';
import type { CertificateProblem } from './verify-certificate.ts';
import { toPrintable } from '../../base/text/printable-text.ts';

/** Something that a certificate states and that was not verified. */
export interface Unchecked {
  readonly subject:
    | 'signer'
    | 'slots'
    | 'erased_slots'
    | 'second_reading'
    | 'submitted_rows'
    | 'blacklists'
    | 'hubspot'
    | 'drift'
    | 'file';
  readonly reason: string;
}

export interface CertificateVerification {
  readonly file: string;
  /** null when the file is no certificate. */
  readonly certificate: CertificateDocument | null;
  readonly fingerprint: string | null;
  /** Who has signed: the owner of the key that was given, or this installation; null: unknown, so that the document proves nothing. */
  readonly signer: 'given' | 'own' | null;
  /** Verified facts, as sentences. */
  readonly checked: readonly string[];
  readonly problems: readonly CertificateProblem[];
  readonly unchecked: readonly Unchecked[];
}

/** Nothing is wrong, and the signer is known. */
export function isVerified({ signer, problems }: CertificateVerification): boolean {
  return problems.length === 0 && signer !== null;
}

export function toVerificationDocument(verification: CertificateVerification) {
  const { file, certificate, fingerprint, signer, checked, problems, unchecked } = verification;
  return {
    ok: isVerified(verification),
    file,
    order_id: certificate?.order.id ?? null,
    reconciled_at: certificate?.times.reconciled_at ?? null,
    fingerprint,
    signer,
    checked,
    problems,
    unchecked,
    findings: certificate?.findings ?? null,
  };
}

export function toVerificationText(verification: CertificateVerification): string {
  const { file, certificate, signer, checked, problems, unchecked } = verification;
  const result =
    problems.length > 0 ? 'is not valid' : signer === null ? 'is consistent, its signer unknown' : 'is valid';
  return [
    ...(certificate === null ? [] : toSummaryLines(certificate)),
    ...checked.map((text) => toLine('verified', text)),
    ...problems.map(({ message }) => toLine('problem', message)),
    ...unchecked.map(({ reason }) => toLine('unchecked', reason)),
    `${toPrintable(file)} ${result}`,
  ].join('\n');
}

function toSummaryLines({ order, run, times, slots, findings, program }: CertificateDocument): string[] {
  const origin = run.name === null ? '' : ` of run ${run.name}`;
  return [
    toPrintable(`${order.kind} order ${order.id}${origin}`),
    toLine(
      'reconciled',
      `${slots.reconciled} of ${slots.total} slots, ${times.reconciled_at}, by ${program.name} ${program.version}`,
    ),
    ...findings.map(({ code, count }) => toLine('finding', `${code}: ${count}`)),
  ];
}

function toLine(title: string, text: string): string {
  return `  ${title.padEnd(10)} ${toPrintable(text)}`;
}

export interface ExportedOrder {
  readonly orderId: string;
  readonly file: string;
  readonly slots: number;
  readonly bytes: number;
  readonly sha256: string;
}

export function toExportDocument({ orderId, ...exported }: ExportedOrder) {
  return { order_id: orderId, ...exported };
}

/** `from`: where the private key is. */
export interface PublicKey {
  readonly publicKey: string;
  readonly fingerprint: string;
  readonly from: 'ledger' | 'configuration';
}

export function toPublicKeyDocument({ publicKey, fingerprint, from }: PublicKey) {
  return { algorithm: 'Ed25519', public_key: publicKey, fingerprint, from };
}

export function toPublicKeyText({ publicKey, fingerprint, from }: PublicKey): string {
  return [publicKey, `fingerprint ${fingerprint}, key of the ${from}`].join('\n');
}
