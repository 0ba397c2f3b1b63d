/**
 * Compares what the ledger has of an order with an earlier certificate of it. Other checks compare the ledger with the service, HubSpot and
 * files; what only the ledger has can be compared with nothing else.
 */
import { z } from 'zod';
import { canonicalJson } from '../../base/json/canonical-json.ts';
import { parseJsonWithinLimits } from '../../base/json/json-limits.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Finding } from '../report/order-report.ts';
import { certificateSchema, type CertificateDocument } from './certificate-document.ts';
import { isSignedDocument, signatureSchema } from './signature.ts';

/** Prefix of the findings: a certificate with one of them is no reference for later ones. */
const ledgerChanged = 'ledger_changed';

const signedSchema = certificateSchema.safeExtend({ signature: signatureSchema });

/** Facts of an order that nothing changes, once they are known. */
const fixed: Readonly<Record<string, (certificate: CertificateDocument) => unknown>> = {
  'order.kind': ({ order }) => (order.kind === 'unknown' ? null : order.kind),
  'order.status': ({ order }) => order.status,
  'order.profile_id': ({ order }) => order.profile_id,
  'order.ordered': ({ order }) => order.ordered || null,
  'order.features': ({ order }) => order.features,
  'run.name': ({ run }) => run.name,
  submitted: ({ submitted }) => submitted,
  blacklists: ({ blacklists }) => blacklists,
  'times.requested_at': ({ times }) => times.requested_at,
  'times.first_stored_at': ({ times }) => times.first_stored_at,
};

/** Facts that only a later delivery or erasure changes, which leaves another time in the ledger. */
const delivered: typeof fixed = {
  'times.published_at': ({ times }) => times.published_at,
  'readings.first': ({ readings }) => readings.first,
  slots: ({ slots: { by_status: byStatus, by_reason: byReason } }) => ({ byStatus, byReason }),
  delivery: ({ delivery }) => delivery,
  leaks: ({ leaks }) => leaks,
  mapping_versions: ({ mapping_versions: versions }) => versions,
  'outcomes.hubspot': ({ outcomes }) => outcomes.hubspot,
  'outcomes.files': ({ outcomes }) => outcomes.files,
  'outcomes.service_outputs': ({ outcomes }) => outcomes.service_outputs,
};

/** One finding for each fact that is another one than in the newest earlier certificate without such a finding. */
export async function compareWithEarlier(ledger: Ledger, now: CertificateDocument): Promise<Finding[]> {
  const { id: orderId } = now.order;
  const row = await ledger.certificates.latestWithout(orderId, ledgerChanged);
  if (row === undefined) return [];
  const json = parseJsonWithinLimits(row.documentJson);
  const signed = signedSchema.safeParse(json);
  if (!signed.success || !isSigned(json)) return [finding('certificates')];
  const { signature: _, ...earlier } = signed.data;
  const { findings, slots } = earlier;
  const isSame =
    row.reconciled === slots.reconciled &&
    row.total === slots.total &&
    canonicalJson(parseJsonWithinLimits(row.findingsJson)) === canonicalJson(findings);
  const isDelivered = canonicalJson(now.times.changed) !== canonicalJson(earlier.times.changed);
  const facts = Object.entries({ ...fixed, ...(isDelivered ? {} : delivered) });
  const differing = facts.filter(([, read]) => {
    const before = read(earlier) ?? null;
    return before !== null && canonicalJson(before) !== canonicalJson(read(now) ?? null);
  });
  return [...(isSame ? [] : [finding('certificates')]), ...differing.map(([name]) => finding(name))];
}

function isSigned(json: unknown): boolean {
  const { signature, ...document } = z.looseObject({ signature: signatureSchema }).parse(json);
  return isSignedDocument(document, signature);
}

function finding(fact: string): Finding {
  return { code: `${ledgerChanged}:${fact}`, count: 1, positions: [] };
}
