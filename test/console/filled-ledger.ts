import type { Ledger } from '../../src/ledger/ledger.ts';
import { noEvidence } from '../../src/ledger/outcome-store.ts';

export const orderId = '11111111-2222-4333-8444-555555555555';
export const blacklistId = 'aaaaaaaa-2222-4333-8444-555555555555';
const at = '2026-11-25T07:00:00.000Z';
const hostile = `<img src=x onerror=alert(1)>"'&</td></table>\u{202e}\u0007`;

/** An order of 120 rows with hostile texts in each field that comes from elsewhere. */
export async function fillLedger(ledger: Ledger): Promise<void> {
  const facts = { orderId, runName: hostile, kind: 'discovery', status: 'COMPLETED', profileId: null };
  await ledger.orders.save({ ...facts, requestedCount: 120, externalIdsAreRecordIds: false });
  await ledger.orders.publish(orderId, { total: 120, summaryJson: '{}' });
  const rows = Array.from({ length: 120 }, (_, position) => ({
    position,
    hash: `${position}`,
    status: position < 60 ? 'ENRICHED' : 'PARTIAL',
    reasonCodes: position < 60 ? ['POLICY_ELIGIBLE'] : ['NO_EMAIL_FOUND'],
    externalId: position === 3 ? hostile : null,
    json: JSON.stringify({
      input_position: position,
      status: 'ENRICHED',
      reason_codes: [],
      company: { name: hostile },
    }),
  }));
  await ledger.slots.save(orderId, rows);
  const company = (position: number) => ({
    name: position === 3 ? `Acme ${hostile}` : `Company ${position}`,
    domain: `company-${position}.example`,
    website_url: null,
  });
  await ledger.companyIndex.saveSlots(
    rows.map(({ position }) => ({ ref: orderId, position, company: company(position) })),
  );
  const outcome = { orderId, item: 'company', projectionId: 'p', at, planned: null, rule: null } as const;
  await ledger.outcomes.record([
    {
      ...outcome,
      ...noEvidence,
      position: 3,
      outcome: 'updated',
      recordId: '305',
      matchedBy: 'domain',
      matchKey: 'company-3.example',
    },
  ]);
  const changed = (object: 'companies' | 'contacts', recordId: string) => ({
    object,
    recordId,
    at,
    changes: { [hostile]: { before: hostile, after: 'Ulm 1' } },
  });
  for (const object of ['companies', 'contacts'] as const)
    await ledger.writtenRecords.save(object, { changed: { orderId, records: [changed(object, '305')] } });
  await ledger.suppressions.add({
    identifier: { kind: 'domain', value: 'company-3.example' },
    at,
    by: hostile,
    reason: hostile,
  });
  const scan = { name: hostile, blacklistId, settingsDigest: 'd', lastFullAt: at, lastScanAt: at };
  await ledger.exclusionScans.save({ ...scan, countsJson: JSON.stringify({ [hostile]: 800 }) });
  await ledger.exclusionRemovals.propose({ digest: 'd1', exclusion: hostile, blacklistId, entries: 812, foundAt: at });
  const entry = {
    id: 'e1',
    company_name: hostile,
    website_url: null,
    city: hostile,
    external_id: null,
    reason: hostile,
  };
  await ledger.exclusionSnapshots.describe([
    {
      entryId: 'e1',
      blacklistId,
      lastSeenAt: at,
      json: JSON.stringify({ ...entry, created_at: at }),
      company: { name: hostile, website_url: null },
    },
  ]);
  const reply = { webhookId: hostile, receivedAt: at, state: 'quarantined', reason: 'unreadable' } as const;
  await ledger.replies.receive(
    { ...reply, classification: hostile, replyAt: null, campaignId: null, body: hostile },
    [],
  );
}
