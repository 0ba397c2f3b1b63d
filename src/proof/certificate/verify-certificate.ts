/** Verifies a certificate without anything else: its form, its signature, and that its figures agree with each other. */
import { parseJsonWithinLimits } from '../../base/json/json-limits.ts';
import { sum } from '../checks/order-checks.ts';

import { certificateFormat, certificateSchema, type CertificateDocument } from './certificate-document.ts';
import { fingerprintOf, isSignedDocument, signatureSchema } from './signature.ts';
import { isRecord } from '../../base/json/own-property.ts';

/** Why a certificate is refused. `code` is for programs. */
export interface CertificateProblem {
  readonly code: string;
  readonly message: string;
}

export interface VerifiedDocument {
  /** null when the form is wrong. */
  readonly certificate: CertificateDocument | null;
  /** Fingerprint of the key inside the certificate; null when the form is wrong. */
  readonly fingerprint: string | null;
  /** That key: SubjectPublicKeyInfo in base64; null when the form or the signature is wrong. */
  readonly key: string | null;
  readonly problems: readonly CertificateProblem[];
}

/** `trustedKey`: SubjectPublicKeyInfo in base64; null: any key may have signed. */
export function verifyDocument(json: string, trustedKey: string | null): VerifiedDocument {
  const refuse = (code: string, message: string): VerifiedDocument => ({
    certificate: null,
    fingerprint: null,
    key: null,
    problems: [{ code, message }],
  });
  const parsed = parseJsonWithinLimits(json);
  const isOfProduct = isRecord(parsed) && String(parsed['format']).startsWith('prospect-sync/certificate/');
  if (!isOfProduct) {
    const what = isRecord(parsed)
      ? 'The file is JSON without the format of a certificate'
      : 'The file is not a JSON object';
    return refuse(
      'not_a_certificate',
      `${what}. Name the certificate of the order: ORDER.certificate.json, which is beside its files or in certificates.directory.`,
    );
  }
  if (countColons(json) !== countMembers(parsed)) {
    return refuse('member_repeated', 'A member occurs twice, so that readers may see different values.');
  }
  const { signature, ...signed } = parsed;
  if (signed['format'] !== certificateFormat) {
    return refuse('unknown_format', `The format is not ${certificateFormat}. Use the version that wrote the file.`);
  }
  const form = certificateSchema.safeParse(signed);
  if (!form.success) return refuse('wrong_form', `Wrong form: ${toFields(form.error.issues)}.`);
  const stamp = signatureSchema.safeParse(signature);
  if (!stamp.success) return refuse('wrong_form', `Wrong form of the signature: ${toFields(stamp.error.issues)}.`);
  const problems: CertificateProblem[] = [];
  const isSigned = isSignedDocument(signed, stamp.data);
  if (!isSigned) {
    problems.push({
      code: 'signature_invalid',
      message: 'The signature is invalid: the document was changed after it was signed.',
    });
  }
  if (trustedKey !== null && trustedKey !== stamp.data.public_key) {
    const message = `The certificate has another key than the trusted one: fingerprint ${fingerprintOf(stamp.data.public_key)}, expected ${fingerprintOf(trustedKey)}.`;
    problems.push({ code: 'signed_by_another_key', message });
  }
  problems.push(...findDisagreements(form.data));
  const { public_key: key } = stamp.data;
  return { certificate: form.data, fingerprint: fingerprintOf(key), key: isSigned ? key : null, problems };
}

/** Paths of issues, without their messages, which would quote values. */
function toFields(issues: readonly { readonly path: readonly PropertyKey[] }[]): string {
  const fields = new Set(issues.map(({ path }) => path.map(String).join('.').slice(0, 100) || 'the document'));
  return [...fields].slice(0, 5).join(', ');
}

/** Colons outside of texts: one for each member as it is written. */
function countColons(json: string): number {
  let colons = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') isInText = !isInText;
    // The next character is escaped.
    else if (character === '\\') at += 1;
    else if (character === ':' && !isInText) colons += 1;
  }
  return colons;
}

/** Members as they were read: of repeated ones only the last. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: unknown[] = Object.values(value);
  return inner.reduce<number>((total, each) => total + countMembers(each), Array.isArray(value) ? 0 : inner.length);
}

/** Every difference between two figures of a certificate must be one of its findings. */
function findDisagreements(certificate: CertificateDocument): CertificateProblem[] {
  const { slots, readings, checks, outcomes, findings } = certificate;
  const countOf = (code: string) => findings.find((finding) => finding.code === code)?.count ?? 0;
  const problems: CertificateProblem[] = [];
  const expect = (isRight: boolean, what: string) => {
    if (!isRight)
      problems.push({ code: 'figures_disagree', message: `The figures disagree without a finding: ${what}.` });
  };
  const { first, second, equal } = readings;
  const statuses = sum(slots.by_status);
  expect(
    statuses === slots.total || countOf('statuses_do_not_add_up') > 0,
    `${statuses} slots by status, ${slots.total} in all`,
  );
  expect(
    first.slots === slots.total || countOf('slot_not_in_ledger') > 0,
    `${first.slots} slots in the first reading, ${slots.total} in all`,
  );
  expect(
    second.slots === slots.total || countOf('slot_no_longer_published') > 0,
    `${second.slots} slots in the second reading, ${slots.total} in all`,
  );
  expect(
    equal <= Math.min(first.slots, second.slots) &&
      (first.digest === second.digest) === (equal === first.slots && equal === second.slots),
    `${equal} equal slots in readings of ${first.slots} and ${second.slots}`,
  );
  expect(
    slots.reconciled <= slots.total && (slots.reconciled === slots.total || findings.length > 0),
    `${slots.reconciled} slots reconciled of ${slots.total}`,
  );
  for (const { code, expected, found } of checks) {
    expect(countOf(code) >= Math.abs(expected - found), `check ${code} expected ${expected} and found ${found}`);
  }
  const companies = outcomes.hubspot === null ? null : sum(outcomes.hubspot.companies);
  expect(
    companies === null || companies === slots.total || countOf('outcome_missing') > 0,
    `${companies} companies in HubSpot by outcome, ${slots.total} slots`,
  );
  for (const { kind, row_per: unit, rows } of outcomes.files) {
    const isReported = findings.some(({ code }) => code.startsWith(`${kind}_file_`));
    expect(
      unit !== 'slot' || rows === slots.total || isReported,
      `${rows} rows in the ${kind} file, ${slots.total} slots`,
    );
  }
  return problems;
}
