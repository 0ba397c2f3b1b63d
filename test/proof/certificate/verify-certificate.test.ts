import * as fc from 'fast-check';
import type { CertificateDocument } from '../../../src/proof/certificate/certificate-document.ts';
import {
  generatePrivateKey,
  publicKeyText,
  readPrivateKey,
  signDocument,
} from '../../../src/proof/certificate/signature.ts';
import { verifyDocument } from '../../../src/proof/certificate/verify-certificate.ts';
import { createCertificate, createSlots, signingKey, toSignedText } from './signed-certificate.ts';
import { runsOf, sampleOf } from '../../helpers/sample.ts';

const certificate = createCertificate(createSlots(9));
const text = toSignedText(certificate);

const codesOf = (json: string, trustedKey: string | null = null) =>
  verifyDocument(json, trustedKey).problems.map(({ code }) => code);

/** The signed certificate with other figures. */
const signed = (changes: Partial<CertificateDocument>) => toSignedText({ ...certificate, ...changes });

describe('verifyDocument', () => {
  it('accepts a signed certificate, also with the trusted key', () => {
    expect(verifyDocument(text, null)).toMatchObject({ certificate: { format: certificate.format }, problems: [] });
    expect(codesOf(text, publicKeyText(signingKey))).toEqual([]);
  });

  it('accepts equivalent JSON: other white space, order of members and escapes', () => {
    const parsed: Record<string, unknown> = JSON.parse(text);
    const reversed = JSON.stringify(Object.fromEntries(Object.entries(parsed).toReversed()));
    expect(codesOf(reversed)).toEqual([]);
    expect(codesOf(reversed.replaceAll('weekly', String.raw`\u0077eekly`))).toEqual([]);
  });

  it('refuses a certificate of which any byte was changed', () => {
    const bytes = Buffer.from(text);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ change;
        const json = changed.toString('utf8');
        expect(codesOf(json).length > 0 || isSameJson(json)).toBe(true);
      }),
      { numRuns: runsOf(1_000) },
    );
  });

  it('refuses a public key with a further byte, which OpenSSL would ignore', () => {
    const key = publicKeyText(signingKey);
    const longer = Buffer.concat([Buffer.from(key, 'base64'), Buffer.from([1])]).toString('base64');
    expect(codesOf(text.replace(key, longer))).toEqual(['signature_invalid']);
  });

  it('refuses a certificate of which any value was changed, removed or added', () => {
    for (const path of sampleOf(pathsOf(JSON.parse(text)), 20)) {
      for (const value of [undefined, null, 7, 'other', [], { more: 1 }]) {
        const changed: unknown = JSON.parse(text);
        setAt(changed, path, value);
        if (isSameJson(JSON.stringify(changed))) continue;
        expect([path.join('.'), codesOf(JSON.stringify(changed)).length > 0]).toEqual([path.join('.'), true]);
      }
    }
  });

  it.each([
    ['"Position","Company"\r\n1,Acme', 'The file is not a JSON object'],
    ['{"name":"prospect-sync"}', 'The file is JSON without the format of a certificate'],
  ])('says of another file which one to name: %s', (other, what) => {
    expect(verifyDocument(other, null).problems).toEqual([
      {
        code: 'not_a_certificate',
        message: `${what}. Name the certificate of the order: ORDER.certificate.json, which is beside its files or in certificates.directory.`,
      },
    ]);
  });

  it('refuses a certificate of another version', () => {
    expect(codesOf(text.replace('certificate/1', 'certificate/2'))).toEqual(['unknown_format']);
  });

  it('refuses a member that occurs twice, of which readers may take either', () => {
    expect(codesOf(text.replace('"total": 9', '"total": 8, "total": 9'))).toEqual(['member_repeated']);
  });

  it('refuses further members of the signature, which are not signed', () => {
    expect(codesOf(text.replace('"algorithm"', '"signed_by": "the service", "algorithm"'))).toEqual(['wrong_form']);
  });

  it('refuses a certificate of another key than the trusted one', () => {
    const forged = JSON.stringify(signDocument(certificate, readPrivateKey(generatePrivateKey())));
    expect(codesOf(forged)).toEqual([]);
    expect(codesOf(forged, publicKeyText(signingKey))).toEqual(['signed_by_another_key']);
  });

  it('accepts members of later versions, which the signature covers', () => {
    const document = { ...certificate, replies: { received: 3 } };
    const later = toSignedText(document);
    expect(codesOf(later)).toEqual([]);
    expect(codesOf(later.replace('"received": 3', '"received": 4'))).toEqual(['signature_invalid']);
  });

  it.each([
    ['slots by status', { slots: { ...certificate.slots, by_status: { ENRICHED: 8 } } }],
    ['more reconciled slots than there are', { slots: { ...certificate.slots, reconciled: 10 } }],
    ['fewer reconciled slots', { slots: { ...certificate.slots, reconciled: 8 } }],
    [
      'a shorter reading',
      { readings: { ...certificate.readings, equal: 8, second: { slots: 8, digest: '0'.repeat(64) } } },
    ],
    ['equal slots of different readings', { readings: { ...certificate.readings, equal: 8 } }],
    ['a check', { checks: [{ code: 'some_check', expected_from: 'a', expected: 5, found_in: 'b', found: 3 }] }],
    [
      'companies in HubSpot',
      { outcomes: { ...certificate.outcomes, hubspot: { companies: { created: 1 }, contacts: {}, rules: {} } } },
    ],
  ])('refuses figures that disagree without a finding: %s', (_, changes) => {
    expect(codesOf(signed(changes))).toEqual(['figures_disagree']);
  });

  it('accepts figures that disagree with a finding of that size', () => {
    const checks = [{ code: 'some_check', expected_from: 'a', expected: 5, found_in: 'b', found: 3 }];
    const found = (count: number) => signed({ checks, findings: [{ code: 'some_check', count, positions: [] }] });
    expect(codesOf(found(2))).toEqual([]);
    expect(codesOf(found(1))).toEqual(['figures_disagree']);
  });

  it.each([
    ['no JSON', 'certificate'],
    ['no object', '[]'],
    ['an empty file', ''],
    ['JSON of 1,000 levels', `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`],
    ['another format', '{"format":"prospect-sync/certificate/99"}'],
    ['a prototype', '{"__proto__":{"format":"prospect-sync/certificate/1"}}'],
  ])('refuses %s', (_, json) => {
    expect(codesOf(json)).toHaveLength(1);
  });

  it('refuses a public key that is none, and never throws', () => {
    const changed = JSON.parse(text);
    for (const key of ['', 'AAAA', Buffer.alloc(44, 7).toString('base64')]) {
      changed.signature.public_key = key;
      expect(codesOf(JSON.stringify(changed))).toEqual(['signature_invalid']);
    }
  });
});

function isSameJson(json: string): boolean {
  try {
    expect(JSON.parse(json)).toEqual(JSON.parse(text));
    return true;
  } catch {
    return false;
  }
}

function pathsOf(value: unknown, parent: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...parent]];
  const own = parent.length === 0 ? [] : [[...parent]];
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...parent, key]))];
}

function setAt(target: unknown, path: readonly string[], value: unknown): void {
  const last = path.at(-1) ?? '';
  const parent = path.slice(0, -1).reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], target);
  (parent as Record<string, unknown>)[last] = value;
}
