/** `certificates`: the key that signs the certificates of reconciled orders, and their folder. */
import type { Environment } from '../base/host/environment-variables.ts';
import { z } from 'zod';
import { checkVariable, toSecret, fromEnvironment } from './environment.ts';
import type { PathProblem } from './problems.ts';
import { outputFolder } from './setting-values.ts';
import { childOf } from './partial-validation.ts';

export const certificatesSchema = z
  .strictObject({
    key: fromEnvironment
      .optional()
      .describe(
        'Ed25519 private key that signs certificates, as {env: NAME}: PKCS #8 in base64 or PEM. By default a key is created in the ledger',
      ),
    directory: outputFolder
      .optional()
      .describe('Folder for certificates, relative to this file. By default the folder of the spreadsheets of the run'),
  })
  .prefault({})
  .describe('Signed certificates of reconciled orders');

/** PKCS #8 of an Ed25519 key always has the same first bytes, and 48 bytes in all. */
const keyVariable = {
  pattern:
    /^(?:-----BEGIN PRIVATE KEY-----\s{1,2})?MC4CAQAwBQYDK2VwBCIEI[A-Za-z0-9+/]{43}(?:\s{1,2}-----END PRIVATE KEY-----)?\s{0,2}$/,
  rule: 'must hold an Ed25519 private key: PKCS #8 in base64 or PEM',
};

export function checkCertificates(certificates: unknown, env: Environment): PathProblem[] {
  return checkVariable(['certificates', 'key', 'env'], childOf(certificates, 'key'), keyVariable, env);
}

export function toCertificates(
  { key, directory }: z.infer<typeof certificatesSchema>,
  env: Environment,
  toPath: (path: string) => string,
) {
  return {
    /** null: the key of the ledger. */
    key: key === undefined ? null : toSecret(key, env),
    /** null: the folder of the order's spreadsheets. */
    directory: directory === undefined ? null : toPath(directory),
    /** Folder for orders without a configured run and without files. */
    otherDirectory: toPath('out'),
  };
}

export type CertificatesConfig = ReturnType<typeof toCertificates>;

export const certificatesTemplate = `# Each reconciliation writes a signed certificate. Without these settings its key is kept in the ledger, and the file is written
# beside the spreadsheets of the run.
# certificates:
#   key: {env: CERTIFICATE_KEY}           # Ed25519 private key: openssl genpkey -algorithm ed25519
#   directory: certificates
`;
