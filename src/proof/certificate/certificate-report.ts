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
  /** Verified facts, as sentences. */
  readonly checked: readonly string[];
  readonly problems: readonly CertificateProblem[];
  readonly unchecked: readonly Unchecked[];
}

export function toVerificationDocument({
  file,
  certificate,
  fingerprint,
  checked,
  problems,
  unchecked,
}: CertificateVerification) {
  return {
    ok: problems.length === 0,
    file,
    order_id: certificate?.order.id ?? null,
    reconciled_at: certificate?.times.reconciled_at ?? null,
    fingerprint,
    checked,
    problems,
    unchecked,
    findings: certificate?.findings ?? null,
  };
}

export function toVerificationText({
  file,
  certificate,
  checked,
  problems,
  unchecked,
}: CertificateVerification): string {
  return [
    ...(certificate === null ? [] : toSummaryLines(certificate)),
    ...checked.map((text) => toLine('verified', text)),
    ...problems.map(({ message }) => toLine('problem', message)),
    ...unchecked.map(({ reason }) => toLine('unchecked', reason)),
    problems.length === 0 ? `${toPrintable(file)} is valid` : `${toPrintable(file)} is not valid`,
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
