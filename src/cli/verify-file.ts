/** Verifies a certificate and, if given, an export of its slots. Reads files only. */
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { readPublicKey, publicKeyText } from '../proof/certificate/signature.ts';
import type { CertificateDocument } from '../proof/certificate/certificate-document.ts';
import { verifyDocument, type CertificateProblem } from '../proof/certificate/verify-certificate.ts';
import { startsAsExport } from '../proof/certificate/slot-lines.ts';
import { verifySlots } from '../proof/certificate/verify-slots.ts';
import { isVerified, type Unchecked, type CertificateVerification } from '../proof/certificate/certificate-report.ts';
import { fileDigest } from '../base/spreadsheet/whole-file.ts';
import { CommandError, exitCodes, type ExitCode } from './terminal.ts';
import { describeSystemError } from '../base/failures/system-code.ts';

/** Larger than any certificate: its lists are limited. */
const mostBytes = 16_000_000;

/** Result of one part of the verification. */
interface Part {
  readonly checked?: readonly string[];
  readonly problems?: readonly CertificateProblem[];
  readonly unchecked?: readonly Unchecked[];
}

export async function verifyFile(
  file: string,
  { slots, publicKey }: { readonly slots?: string; readonly publicKey?: string },
  findOwnKey: () => Promise<string | null>,
): Promise<CertificateVerification> {
  const given = publicKey === undefined ? null : await readTrustedKey(publicKey);
  const { certificate, fingerprint, key, problems } = verifyDocument(await readText(file), given);
  if (certificate === null)
    return { file, certificate, fingerprint, signer: null, checked: [], problems, unchecked: [] };
  // A certificate of another installation has another key, and its signer is unknown.
  const signer = given !== null ? 'given' : key !== null && (await findOwnKey()) === key ? 'own' : null;
  const parts: Part[] = [
    problems.length === 0 ? { checked: ['the signature, and that the figures agree with each other'] } : { problems },
    describeSigner(fingerprint ?? '', signer, problems),
    await verifyExport(certificate, slots),
    await verifyFiles(certificate, dirname(file)),
    { unchecked: listUnreachable(certificate) },
  ];
  return {
    file,
    certificate,
    fingerprint,
    signer,
    checked: parts.flatMap((part) => part.checked ?? []),
    problems: parts.flatMap((part) => part.problems ?? []),
    unchecked: parts.flatMap((part) => part.unchecked ?? []),
  };
}

export function exitCodeOfVerification(verification: CertificateVerification): ExitCode {
  return isVerified(verification) ? exitCodes.done : exitCodes.findings;
}

async function readText(file: string): Promise<string> {
  const { size } = await describeFile(file);
  if (size > mostBytes)
    throw new CommandError(`${file} is too large for a certificate: ${size} bytes`, exitCodes.usage);
  return readFile(file, 'utf8');
}

/** @throws {CommandError} unless it is a readable file */
async function describeFile(file: string): Promise<{ size: number }> {
  const found = await stat(file).catch((error: unknown) => {
    // An id is no path: the certificate of an order is a file beside its results.
    const hint = z.guid().safeParse(file).success
      ? `. To verify an order, write the path of its certificate: ${file}.certificate.json`
      : '';
    throw new CommandError(`${file} cannot be read: ${describeSystemError(error)}${hint}`, exitCodes.usage);
  });
  if (!found.isFile()) throw new CommandError(`${file} is not a regular file`, exitCodes.usage);
  return found;
}

/** @returns SubjectPublicKeyInfo in base64 */
async function readTrustedKey(given: string): Promise<string> {
  const direct = readPublicKey(given);
  const key = direct ?? readPublicKey(await readKeyFile(given));
  if (key !== null) return publicKeyText(key);
  throw new CommandError(
    `--public-key is not an Ed25519 public key: neither as a text nor as the path of a file that can be read. prospect-sync certificate-key shows one`,
    exitCodes.usage,
  );
}

async function readKeyFile(path: string): Promise<string> {
  const isSmall = await stat(path).then(
    (found) => found.isFile() && found.size < 10_000,
    () => false,
  );
  return isSmall ? readFile(path, 'utf8') : '';
}

/** Only a valid signature of the trusted key shows who has signed; a problem says the rest. */
function describeSigner(
  fingerprint: string,
  signer: CertificateVerification['signer'],
  problems: readonly CertificateProblem[],
): Part {
  const isRefused = problems.some(({ code }) => code === 'signature_invalid' || code === 'signed_by_another_key');
  if (signer !== null)
    return isRefused
      ? {}
      : { checked: [`the signer: ${signer === 'own' ? 'the key of this installation' : 'key'} ${fingerprint}`] };
  const reason = `Who signed: an unknown key, fingerprint ${fingerprint}. Whoever changed the document could have signed it again. To verify the signer, add --public-key`;
  return { unchecked: [{ subject: 'signer', reason }] };
}

async function verifyExport(certificate: CertificateDocument, path: string | undefined): Promise<Part> {
  if (path === undefined) {
    const reason = 'The slots: no export was given. Write one with prospect-sync export, then add --slots';
    return { unchecked: [{ subject: 'slots', reason }] };
  }
  await describeFile(path);
  await assertExport(path);
  const { slots, erased, problems } = await verifySlots(path, certificate).catch((error: unknown) => {
    throw new CommandError(`${path} cannot be read: ${describeSystemError(error)}`, exitCodes.usage);
  });
  if (problems.length > 0) return { problems };
  const reason = `The content of ${erased} erased slots, and the counts by status and reason code: only the digests are left`;
  return {
    checked: [`${slots - erased} slots: their digests, their order and the digest of the first reading`],
    unchecked: erased === 0 ? [] : [{ subject: 'erased_slots', reason }],
  };
}

/** A changed export is a problem of the certificate; another file is a mistake of the command. @throws {CommandError} */
async function assertExport(path: string): Promise<void> {
  const isExport = await startsAsExport(path).catch((error: unknown) => {
    throw new CommandError(`${path} cannot be read: ${describeSystemError(error)}`, exitCodes.usage);
  });
  if (isExport) return;
  throw new CommandError(
    `${path} is not a file of prospect-sync export, so nothing was verified. Write one: prospect-sync export ORDER --out slots.jsonl`,
    exitCodes.usage,
  );
}

/** Files that are in the folder of the certificate. */
async function verifyFiles({ outcomes, order }: CertificateDocument, folder: string): Promise<Part> {
  const checked: string[] = [];
  const problems: CertificateProblem[] = [];
  const unchecked: Unchecked[] = [];
  const outputs = outcomes.service_outputs.flatMap(({ name, file_sha256: sha256 }) =>
    name === null || sha256 === null ? [] : [{ name, sha256 }],
  );
  for (const { name, sha256 } of [...outcomes.files, ...outputs]) {
    // A name with a folder could lead to any file of this machine.
    const found = basename(name) === name ? await fileDigest(join(folder, name)) : null;
    if (found === null)
      unchecked.push({ subject: 'file', reason: `The file ${name}: not in the folder of the certificate` });
    else if (found === sha256) checked.push(`the file ${name}`);
    else
      problems.push({
        code: 'file_changed',
        message: `The file ${name} was changed after it was written. If forget has erased a person or company of the order since, that is the cause: prospect-sync reconcile ${order.id} writes a new certificate.`,
      });
  }
  return { checked, problems, unchecked };
}

/** Statements about data in other systems or in the ledger only. */
function listUnreachable({
  submitted,
  blacklists,
  outcomes,
  readings,
  read_back: readBack,
  drift,
}: CertificateDocument) {
  const differs = readings.first.digest !== readings.second.digest;
  const subjects: readonly (Unchecked & { readonly isStated: boolean })[] = [
    {
      subject: 'second_reading',
      reason: `The second reading: the service was not called${differs ? '; its digest differs from the first one' : ''}`,
      isStated: true,
    },
    {
      subject: 'submitted_rows',
      reason: 'The submitted rows: stored in the ledger only',
      isStated: submitted !== null,
    },
    { subject: 'blacklists', reason: 'The blacklists: stored in the ledger only', isStated: blacklists.length > 0 },
    {
      subject: 'hubspot',
      reason: `HubSpot: not checked offline${readBack === null ? '; the certificate has no read-back figures' : ''}`,
      isStated: outcomes.hubspot !== null,
    },
    {
      subject: 'drift',
      reason: 'Changed answers of the service: the certificate has no figures',
      isStated: drift === null,
    },
  ];
  return subjects.flatMap(({ isStated, ...unchecked }) => (isStated ? [unchecked] : []));
}
