/** Proof that what arrived is what was published: the set is read again, the sums are asserted, CRM and files are read back. */
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { toPublishedSlot, type StoredSlot } from '../src/ledger/slots.ts';
import type { Finding } from '../src/report/order-report.ts';
import { digest } from '../src/json/canonical-json.ts';
import { countDelivered, toDeliveryFindings } from '../src/reconcile/delivered.ts';
import { isSameContent } from '../src/reconcile/same-content.ts';
import { createFindings, mergeFindings, type Findings } from '../src/reconcile/findings.ts';
import { brokenIdentities } from '../src/reconcile/identities.ts';
import { toOutputFindings } from '../src/reconcile/output-checks.ts';
import { toReadingFindings } from '../src/reconcile/reading.ts';
import { fileDigest } from '../src/spreadsheet/file-digest.ts';
import { toFileContent } from '../src/spreadsheet/file-content.ts';
import { checked, countSchema, orderIdSchema, rangeSchema } from './checked-input.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { nonRetryable } from '../src/failures/non-retryable.ts';
import { heartbeat, cancellationSignal, lastHeartbeat, recordProgress } from './activity-heartbeat.ts';
import { reconcileCrm } from './reconcile-crm.ts';
import { isOversizedSlot } from './results.ts';
import { digestLedgerRows } from './spreadsheets.ts';
import { boundWords } from '../src/text/bound-word.ts';
import { toStorable } from '../src/text/storable.ts';

export interface ReconcileRange {
  readonly orderId: string;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly crm: boolean;
}

export interface RangeProof {
  /** Slots whose published content is what the ledger holds, and whose records say so. */
  readonly reconciled: number;
  readonly findings: Finding[];
}

/** So many slots are compared together: HubSpot's batches of 100 records and 1,000 associations are then full. */
const slotsPerBatch = 1_000;

const proofSchema = z.object({
  reconciled: countSchema,
  findings: z.array(
    z.object({ code: z.string().max(200), count: countSchema, positions: z.array(countSchema).readonly() }),
  ),
});
/** Where the last attempt stood, with what it had found until then. */
const standingSchema = z.object({ next: countSchema, proof: proofSchema });

const openOrderSchema = z.object({ orderId: orderIdSchema });
/** `crm`: records were written. */
const reconcileRangeSchema = rangeSchema.safeExtend({ crm: z.boolean() });
const concludeSchema = z.object({ orderId: orderIdSchema, proofs: z.array(proofSchema) });

export function createReconcileActivities(clients: ActivityDependencies) {
  const { prospecting, ledger, now } = clients;
  return {
    /** What the ledger knows of an order; fails when it was never collected. */
    openOrder: checked(openOrderSchema, async ({ orderId }) => {
      const order = await ledger.orders.get(orderId);
      if (order === undefined || order.total === null) {
        throw nonRetryable('OrderNotCollected', `order ${orderId} is not in the ledger`);
      }
      const { companies } = await ledger.outcomes.tally(orderId);
      const crm = Object.values(companies).some((count) => count > 0);
      const { total, kind, runName, externalIdsAreRecordIds } = order;
      return { total, kind, runName, crm, externalIdsAreRecordIds };
    }),

    /** Resumes from the last heartbeat. */
    reconcileRange: checked(reconcileRangeSchema, async ({ from, to: end, ...range }): Promise<RangeProof> => {
      const to = Math.min(end, (await ledger.orders.get(range.orderId))?.total ?? 0);
      const stood = lastHeartbeat(standingSchema) ?? { next: from, proof: { reconciled: 0, findings: [] } };
      let proof: RangeProof = stood.proof;
      for (let start = stood.next; start < to; start += slotsPerBatch) {
        const batch = { ...range, from: start, to: Math.min(start + slotsPerBatch, to) };
        const { reconciled, findings } = await reconcileBatch(clients, batch);
        proof = {
          reconciled: proof.reconciled + reconciled,
          findings: mergeFindings([proof.findings, findings]),
        };
        heartbeat({ next: batch.to, proof });
      }
      return proof;
    }),

    /** Reads the order once more, asserts the sums, checks the files and writes the certificate. */
    concludeReconciliation: checked(concludeSchema, async ({ orderId, proofs }): Promise<RangeProof> => {
      const order = await prospecting.orders.get(orderId, { signal: cancellationSignal() });
      const known = await ledger.orders.get(orderId);
      const byStatus = await ledger.slots.countByStatus(orderId);
      const { result_summary: summary } = order;
      const isEnrichment = known?.kind === 'enrichment';
      const broken = brokenIdentities({
        status: order.status,
        resultsPublished: order.results_published,
        availableQuantity: order.available_briefing_quantity,
        summary,
        isEnrichment,
        slots: await ledger.slots.count(orderId),
        byStatus,
        annotatedByReason: isEnrichment ? await countAnnotated(orderId) : {},
      });
      if (known !== undefined && !isSameContent(JSON.parse(known.summaryJson ?? 'null'), order.result_summary)) {
        broken.push({ code: 'summary_changed_since_collection', count: 1, positions: [] });
      }
      const quantities = {
        ordered: known?.requestedCount ?? 0,
        delivered: countDelivered(byStatus),
        minDeliveredPercent: known?.minDeliveredPercent ?? null,
      };
      const ofOrder = [
        broken,
        toDeliveryFindings(quantities),
        await checkFiles(orderId),
        await leaked(orderId, known?.total ?? 0),
        toReadingFindings(await ledger.shapes.ofOrder(orderId), known?.features ?? null),
        toOutputFindings(await ledger.outputs.list(orderId)),
      ];
      const findings = mergeFindings([...proofs.map((proof) => proof.findings), ...ofOrder]);
      const reconciled = proofs.reduce((total, proof) => total + proof.reconciled, 0);
      await ledger.certificates.save({
        orderId,
        at: now().toISOString(),
        reconciled,
        total: known?.total ?? 0,
        findingsJson: JSON.stringify(findings),
      });
      return { reconciled, findings };
    }),
  };

  /** How often each code stands on a slot that is not ENRICHED; the codes of enriched slots stand in no summary. */
  async function countAnnotated(orderId: string): Promise<Record<string, number>> {
    const counts = new Map<string, number>();
    for await (const slots of ledger.slots.stream(orderId)) {
      for (const { status, reasonCodes } of slots) {
        if (status === 'ENRICHED') continue;
        for (const code of boundWords(reasonCodes)) counts.set(code, (counts.get(code) ?? 0) + 1);
      }
      recordProgress(slots.at(-1)?.position ?? 0);
    }
    return Object.fromEntries(counts);
  }

  /** Only what the service should not have returned is a finding. */
  async function leaked(orderId: string, total: number): Promise<Finding[]> {
    const findings = createFindings();
    for (const [position, { verdict }] of await ledger.leaks.read(orderId, { from: 0, to: total })) {
      if (verdict === 'LEAK') findings.add('exclusion_leak', position);
    }
    return findings.list();
  }

  /**
   * Two statements about each file: its bytes are those that were written, and what was written is what the ledger says
   * now. The first one finds a file that was edited, the second one a file that is older than the ledger.
   */
  async function checkFiles(orderId: string): Promise<Finding[]> {
    const findings: Finding[] = [];
    const add = (kind: string, problem: string) =>
      findings.push({ code: `${kind}_file_${problem}`, count: 1, positions: [] });
    const outputs = (await ledger.outputs.list(orderId)).flatMap(({ state, type, path, sha256 }) =>
      path === null || sha256 === null || (state !== 'delivered' && state !== 'rows_differ')
        ? []
        : [{ kind: `service_${type}`, path, sha256, contentJson: null }],
    );
    // Files of both kinds are mostly made of the same rows.
    const current = new Map<string, string>();
    for (const { path, kind, sha256, contentJson } of [...(await ledger.files.list(orderId)), ...outputs]) {
      const found = await fileDigest(path);
      if (found !== sha256) add(kind, found === null ? 'missing' : 'changed');
      const content = toFileContent(contentJson);
      if (found === null || content === null) continue;
      const { sha256: written, ...made } = content;
      const key = JSON.stringify(made);
      const expected = current.get(key) ?? (await digestLedgerRows(ledger, orderId, made));
      current.set(key, expected);
      if (expected !== written) add(kind, 'outdated');
    }
    return findings;
  }
}

async function reconcileBatch(clients: ActivityDependencies, batch: ReconcileRange): Promise<RangeProof> {
  const findings = createFindings();
  const bad = new Set<number>();
  await compareSlots(clients, batch, findings, bad);
  if (batch.crm) await reconcileCrm(clients, batch, findings, bad);
  return { reconciled: batch.to - batch.from - bad.size, findings: findings.list() };
}

/** Pages the published set again, slot by slot against the ledger. */
async function compareSlots(
  { prospecting, ledger }: ActivityDependencies,
  { orderId, from, to }: ReconcileRange,
  findings: Findings,
  bad: Set<number>,
): Promise<void> {
  const report = (code: string, position: number) => {
    findings.add(code, position);
    bad.add(position);
  };
  let offset = from;
  while (offset < to) {
    const { slots, replaced } = await prospecting.results.page(orderId, offset, { signal: cancellationSignal() });
    if (slots.length === 0) break;
    const end = Math.min(offset + slots.length, to);
    const rows = await ledger.slots.read(orderId, { from: offset, to: end });
    const stored = new Map(rows.map((row) => [row.position, row]));
    for (const [index, slot] of slots.slice(0, end - offset).entries()) {
      const row = stored.get(offset + index);
      if (row === undefined) report('slot_not_in_ledger', offset + index);
      else if (!holds(row, slot)) report('slot_differs', offset + index);
      // Slots may be large: other work comes between them.
      await setImmediate();
      // It is as it should be, as far as a database can hold it.
      if ((replaced[index] ?? 0) > 0) findings.add('characters_replaced', offset + index);
    }
    offset = end;
  }
  for (; offset < to; offset += 1) report('slot_no_longer_published', offset);
}

/**
 * True when the row is as it was stored, and says what the slot says: digests can differ for the wording alone, and where
 * an earlier release kept characters that are replaced now.
 */
function holds(stored: StoredSlot, slot: Readonly<Record<string, unknown>>): boolean {
  // None of that size was stored.
  if (isOversizedSlot(JSON.stringify(slot))) return false;
  const published = toPublishedSlot(stored);
  if (digest(published) !== stored.hash) return false;
  return digest(slot) === stored.hash || isSameContent(toStorable(published)?.value, slot);
}
