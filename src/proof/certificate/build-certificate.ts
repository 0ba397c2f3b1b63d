/** Collects the figures of a certificate from the ledger, so that every attempt and every worker finds the same ones. */
import { basename } from 'node:path';
import { z } from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Ledger } from '../../ledger/ledger.ts';
import type { OrderRow } from '../../ledger/order-store.ts';
import type { IdentityCheck } from '../checks/check.ts';
import { readLeakFigures, type Finding } from '../report/order-report.ts';
import type { AnswerDrift } from '../../service/reading/find-drift.ts';
import { certificateFormat, certificateSchema, type CertificateDocument } from './certificate-document.ts';
import { digest } from '../../base/json/canonical-json.ts';
import { parseJsonWithinLimits } from '../../base/json/json-limits.ts';
import { createDigestList } from '../../base/json/slot-digest.ts';

/** Results of a reconciliation that are not in the ledger. */
export interface ReconciliationFacts {
  readonly order: OrderRow;
  readonly workflow: { readonly workflowId: string; readonly runId: string };
  readonly reconciled: number;
  readonly checks: readonly IdentityCheck[];
  readonly readBack: CertificateDocument['read_back'];
  readonly drift: readonly AnswerDrift[] | null;
  readonly findings: readonly Finding[];
  readonly at: Date;
}

export async function buildCertificate(ledger: Ledger, facts: ReconciliationFacts): Promise<CertificateDocument> {
  const { order, workflow, checks, findings } = facts;
  const { orderId } = order;
  const { requestedAt, firstStoredAt, changed, mappingVersions } = await ledger.certificates.origin(orderId);
  return {
    format: certificateFormat,
    order: {
      id: orderId,
      kind: order.kind,
      status: order.status,
      profile_id: order.profileId,
      ordered: order.requestedCount,
      features: order.features === null || order.features === undefined ? null : [...order.features],
    },
    run: { name: order.runName, workflow_id: workflow.workflowId, run_id: workflow.runId },
    program: { name: 'prospect-sync', version: packageJson.version },
    mapping_versions: [...mappingVersions],
    submitted: await digestSubmittedRows(ledger, orderId),
    readings: await digestReadings(ledger, orderId, order.total ?? 0),
    blacklists: (await ledger.exclusionSnapshots.ofOrder(orderId)).map((snapshot) => ({
      blacklist_id: snapshot.blacklistId,
      digest: snapshot.digest,
      ordered_at: snapshot.orderedAt,
    })),
    slots: {
      total: order.total ?? 0,
      reconciled: facts.reconciled,
      by_status: await ledger.slots.countByStatus(orderId),
      by_reason: await ledger.slots.countByReason(orderId),
    },
    checks: checks.map(({ code, expectedFrom, expected, foundIn, found }) => ({
      code,
      expected_from: expectedFrom,
      expected,
      found_in: foundIn,
      found,
    })),
    delivery: toDelivery(order),
    outcomes: await readOutcomes(ledger, orderId),
    leaks: await readLeakFigures(ledger, orderId),
    read_back: facts.readBack,
    drift:
      facts.drift?.map(({ operation, kind, path, detail, firstSeenAt }) => ({
        operation,
        kind,
        path,
        detail,
        first_seen_at: firstSeenAt,
      })) ?? null,
    findings: findings.map(({ code, count, positions }) => ({ code, count, positions: [...positions] })),
    times: {
      requested_at: requestedAt,
      first_stored_at: firstStoredAt,
      published_at: order.publishedAt,
      changed: { ...changed },
      reconciled_at: facts.at.toISOString(),
    },
  };
}

function toDelivery(order: OrderRow): CertificateDocument['delivery'] {
  const { delivery, externalIdsAreRecordIds, minDeliveredPercent, maxWithoutPeoplePercent } = order;
  if (delivery === null) return null;
  return {
    hubspot: delivery.crm,
    files: [...delivery.spreadsheets],
    service_outputs: [...delivery.serviceOutputs],
    record_ids: externalIdsAreRecordIds,
    min_delivered_percent: minDeliveredPercent ?? null,
    max_without_people_percent: maxWithoutPeoplePercent ?? null,
  };
}

/** Other members may have another form in certificates of other releases. */
const earlierSchema = z.object({ submitted: certificateSchema.shape.submitted.unwrap() });

/** The digest of an earlier certificate is kept when rows were erased since. */
async function digestSubmittedRows(ledger: Ledger, orderId: string): Promise<CertificateDocument['submitted']> {
  const draft = await ledger.drafts.ofOrder(orderId);
  if (draft === null) return null;
  const digests = createDigestList();
  let isErased = false;
  for await (const rows of ledger.drafts.digests(draft.draftId)) {
    for (const row of rows) digests.add(row);
    isErased ||= rows.includes(erasedRow);
  }
  const found = { rows: digests.length, digest: digests.hex() };
  if (!isErased) return found;
  const earlier = (await ledger.certificates.latest(orderId))?.documentJson ?? null;
  const known = earlierSchema.safeParse(parseJsonWithinLimits(earlier ?? 'null'));
  return known.success ? known.data.submitted : found;
}

const erasedRow = digest({});

async function digestReadings(
  ledger: Ledger,
  orderId: string,
  total: number,
): Promise<CertificateDocument['readings']> {
  const [first, second] = [createDigestList(), createDigestList()];
  let equal = 0;
  for await (const slots of ledger.slotDigests.stream(orderId, total)) {
    for (const { digest: collected, rereadDigest } of slots) {
      if (collected !== null) first.add(collected);
      if (rereadDigest !== null) second.add(rereadDigest);
      if (collected !== null && collected === rereadDigest) equal += 1;
    }
  }
  return {
    first: { slots: first.length, digest: first.hex() },
    second: { slots: second.length, digest: second.hex() },
    equal,
  };
}

async function readOutcomes(ledger: Ledger, orderId: string): Promise<CertificateDocument['outcomes']> {
  const { companies, contacts } = await ledger.outcomes.tally(orderId);
  const isWritten = Object.values(companies).some((count) => count > 0);
  const files = await ledger.files.list(orderId);
  const outputs = await ledger.outputs.list(orderId);
  return {
    hubspot: isWritten
      ? {
          companies: { ...companies },
          contacts: { ...contacts },
          rules: await ledger.outcomeQueries.countRules(orderId),
        }
      : null,
    files: files.map(({ kind, path, rows, bytes, sha256, writtenAt, content }) => ({
      kind,
      name: basename(path),
      row_per: content?.layout.rows ?? null,
      rows,
      bytes,
      sha256,
      written_at: writtenAt,
    })),
    service_outputs: outputs.map(({ destination, path, state, resultCount, rows, resultSha256, sha256 }) => ({
      destination,
      name: path === null ? null : basename(path),
      state,
      result_count: resultCount,
      rows,
      result_sha256: resultSha256,
      file_sha256: sha256,
    })),
  };
}
