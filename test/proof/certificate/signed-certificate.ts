import { certificateFormat, type CertificateDocument } from '../../../src/proof/certificate/certificate-document.ts';
import { generatePrivateKey, readPrivateKey, signDocument } from '../../../src/proof/certificate/signature.ts';
import { createDigestList, slotDigest } from '../../../src/base/json/slot-digest.ts';

export const signingKey = readPrivateKey(generatePrivateKey());

export interface TestSlot extends Record<string, unknown> {
  readonly status: string;
  readonly reason_codes: readonly string[];
}

export function createSlots(count: number): TestSlot[] {
  return Array.from({ length: count }, (_, index) => ({
    input_position: index,
    status: index % 3 === 0 ? 'PARTIAL' : 'ENRICHED',
    reason_codes: [index % 3 === 0 ? 'NO_EMAIL_FOUND' : 'POLICY_ELIGIBLE'],
    reasons: [{ code: 'POLICY_ELIGIBLE', message: 'eligible', detail: null }],
    company: { name: `Müller & Söhne ${index}`, '€': 1.5e-7, prospects: [{ first_name: 'Zoë' }] },
  }));
}

/** A certificate of these slots without findings. */
export function createCertificate(slots: readonly TestSlot[]): CertificateDocument {
  const digests = createDigestList();
  for (const slot of slots) digests.add(slotDigest(slot));
  const reading = { slots: slots.length, digest: digests.hex() };
  const total = slots.length;
  return {
    format: certificateFormat,
    order: {
      id: '48f964ac-9fc7-829c-b107-da74110d3e70',
      kind: 'enrichment',
      status: 'COMPLETED',
      profile_id: null,
      ordered: total,
      features: ['CONTACTS'],
    },
    run: { name: 'weekly', workflow_id: 'order/1/reconcile', run_id: 'run-1' },
    program: { name: 'prospect-sync', version: '1.0.0' },
    mapping_versions: ['1a2b'],
    submitted: { rows: total, digest: slotDigest('rows') },
    readings: { first: reading, second: reading, equal: total },
    blacklists: [{ blacklist_id: 'b1', digest: slotDigest('entries'), ordered_at: '2026-11-20T12:00:00.000Z' }],
    slots: {
      total,
      reconciled: total,
      by_status: tally(slots.map(({ status }) => status)),
      by_reason: tally(slots.flatMap(({ reason_codes: codes }) => codes)),
    },
    checks: [
      { code: 'requested_count_differs', expected_from: 'ordered', expected: total, found_in: 'slots', found: total },
    ],
    outcomes: {
      hubspot: { companies: { created: total }, contacts: { created: 1 }, rules: {} },
      files: [
        {
          kind: 'csv',
          name: 'order.csv',
          row_per: 'slot',
          rows: total,
          bytes: 100,
          sha256: slotDigest('file'),
          written_at: '2026-11-20T12:00:00.000Z',
        },
      ],
      service_outputs: [],
    },
    leaks: { leak: 0, late: 1, weak: 2 },
    read_back: null,
    drift: null,
    findings: [],
    times: {
      requested_at: null,
      first_stored_at: null,
      published_at: null,
      changed: {},
      reconciled_at: '2026-11-20T12:00:00.000Z',
    },
    delivery: null,
  };
}

function tally(words: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, found]) => [word, found.length]));
}

export function toSignedText(document: CertificateDocument): string {
  return `${JSON.stringify(signDocument(document, signingKey), null, 2)}\n`;
}
