import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { generatePrivateKey } from '../../src/proof/certificate/signature.ts';
import { checkCertificates, toCertificates } from '../../src/config/certificate-settings.ts';

const problems = (value: string | undefined) =>
  checkCertificates({ key: { env: 'CERTIFICATE_KEY' } }, { CERTIFICATE_KEY: value }).map(({ rule }) => rule);

const key = generatePrivateKey();
const pem = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' })
  .export({ format: 'pem', type: 'pkcs8' })
  .toString();

describe('checkCertificates', () => {
  it('accepts an Ed25519 key in base64 and in PEM, with its line feeds or with blanks in their place', () => {
    for (const text of [key, pem, pem.trim(), pem.replaceAll('\n', ' ').trim()]) expect(problems(text)).toEqual([]);
  });

  it('rejects other keys and texts, and does not show them', () => {
    const other = generateKeyPairSync('x25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    for (const text of ['a secret', other, key.slice(1), `${key}A`]) {
      expect(problems(text)).toEqual([expect.stringContaining('environment variable CERTIFICATE_KEY')]);
      expect(problems(text).join()).not.toContain(text);
    }
    expect(problems(undefined)).toEqual(['environment variable CERTIFICATE_KEY is not set']);
  });
});

describe('toCertificates', () => {
  it('resolves the folder and hides the key', () => {
    const certificates = toCertificates(
      { key: { env: 'CERTIFICATE_KEY' }, directory: 'certificates' },
      { CERTIFICATE_KEY: key },
      (path) => `/work/${path}`,
    );
    expect(certificates).toMatchObject({ directory: '/work/certificates', otherDirectory: '/work/out' });
    expect(JSON.stringify(certificates)).not.toContain(key);
    expect(certificates.key?.reveal()).toBe(key);
  });
});
