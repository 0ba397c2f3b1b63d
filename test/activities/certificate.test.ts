import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { verifyDocument } from '../../src/proof/certificate/verify-certificate.ts';
import { verifySlots } from '../../src/proof/certificate/verify-slots.ts';
import { toSlotLine } from '../../src/proof/certificate/slot-lines.ts';
import type { CertificateDocument } from '../../src/proof/certificate/certificate-document.ts';
import { failure, type ActivityHarness, type Collected } from './activity-harness.ts';
import {
  certify,
  changeResults,
  createProjected,
  createReady,
  projectOrder,
  range,
  reconcile,
  row,
} from './order-steps.ts';
import { describeIf } from '../helpers/describe-if.ts';

const companies = [
  row('Acme'),
  row('Moved', { website_url: 'https://a.website-moved.example' }),
  row('Acme'),
  row('Lost', { website_url: 'https://c.unresolved-identity.example' }),
];

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** It shares no code with prospect-sync. */
function pythonOfDocs(): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/certificate.md'), 'utf8');
  return /```python\n([^`]*)```/.exec(page)?.[1] ?? '';
}

type Slots = { items: Record<string, unknown>[] };

async function readCertificate(harness: ActivityHarness, order: Collected): Promise<CertificateDocument> {
  const { certificate, problems } = verifyDocument(readFileSync(await certify(harness, order), 'utf8'), null);
  expect(problems).toEqual([]);
  if (certificate === null) throw new Error('no certificate');
  return certificate;
}

/** The certificate without its times and ids of runs. */
function withoutTimes({ times: _times, run: _run, ...certificate }: CertificateDocument) {
  return certificate;
}

async function exportTo(path: string, { ledger }: ActivityHarness, { orderId, total }: Collected): Promise<string> {
  const slots = await ledger.slots.read(orderId, { from: 0, to: total });
  writeFileSync(path, slots.map((slot) => `${toSlotLine(slot, null)}\n`).join(''));
  return path;
}

describe('the certificate of a reconciliation', () => {
  it('has the figures of the ledger, and its signature and sums are valid', async () => {
    const { order, ...harness } = await createProjected(companies);
    const certificate = await readCertificate(harness, order);
    expect(certificate).toMatchObject({
      format: 'prospect-sync/certificate/1',
      order: { id: order.orderId, kind: 'enrichment', status: 'COMPLETED' },
      program: { name: 'prospect-sync' },
      readings: { equal: 4, first: { slots: 4 }, second: { slots: 4 } },
      slots: { total: 4, reconciled: 4, by_status: { ENRICHED: 1, PARTIAL: 1, DUPLICATE: 1, UNRESOLVED: 1 } },
      outcomes: { hubspot: { companies: { created: 1, skipped: 3 } } },
      findings: [],
    });
    expect(certificate.readings.first.digest).toBe(certificate.readings.second.digest);
    expect(certificate.mapping_versions).toHaveLength(1);
  });

  it('contains no names, addresses or texts of the slots', async () => {
    const harness = await createReady();
    const order = await projectOrder(
      harness,
      harness.collectEnrichment([row('Zephyrine'), row('Acme', { external_id: 'crm-4711' })]),
    );
    const text = readFileSync(await certify(harness, order), 'utf8');
    for (const personal of ['ephyrine', '@', 'crm-4711', 'https://']) expect(text).not.toContain(personal);
  });

  // Guarantee: A certificate is the same whatever happened to the workers
  it('is the same after a crash: the next attempt continues from the heartbeat, on the digests in the ledger', async () => {
    const { order, ...harness } = await createProjected(companies);
    const { orderId, total } = order;
    const undisturbed = await readCertificate(harness, order);
    const input = { orderId, from: 0, to: total, crm: true };
    const whole = await harness.perform('reconcileRange', input);
    // The first attempt has died after its last batch.
    const resumed = await harness.perform('reconcileRange', input, { heartbeatDetails: { next: total, proof: whole } });
    const first = await harness.perform('concludeReconciliation', { orderId, proofs: [resumed] });
    rmSync(first.certificate);
    harness.pass(60);
    const { certificate: path } = await harness.perform('concludeReconciliation', { orderId, proofs: [resumed] });
    const { certificate } = verifyDocument(readFileSync(path, 'utf8'), null);
    expect(certificate && withoutTimes(certificate)).toEqual(withoutTimes(undisturbed));
  });

  it('shows other digests of both readings when a slot has changed, and equal ones when only its wording has', async () => {
    let change: (slot: Record<string, unknown>) => void = () => {};
    const harness = await createReady(changeResults<Slots>(({ items }) => items.forEach((slot) => change(slot))));
    const order = await projectOrder(harness, harness.collectEnrichment(companies));
    change = (slot) => {
      for (const reason of slot['reasons'] as Record<string, unknown>[]) reason['message'] = 'In other words';
    };
    const reworded = await readCertificate(harness, order);
    expect(reworded.readings).toMatchObject({ equal: 4, second: { digest: reworded.readings.first.digest } });
    change = (slot) => {
      if (slot['input_position'] === 1) slot['delivered_at'] = '2026-11-20T12:00:00.000001Z';
    };
    const changed = await readCertificate(harness, order);
    expect(changed.readings).toMatchObject({ equal: 3, first: reworded.readings.first });
    expect(changed.readings.second.digest).not.toBe(changed.readings.first.digest);
    expect(changed.findings).toEqual([{ code: 'slot_differs', count: 1, positions: [1] }]);
  });

  it('states a shorter second reading when slots are no longer published', async () => {
    let isShort = false;
    const harness = await createReady(
      changeResults<Slots>((page, offset) => {
        if (isShort) page.items = page.items.slice(0, Math.max(0, 3 - offset));
      }),
    );
    const order = await projectOrder(harness, harness.collectEnrichment(companies));
    isShort = true;
    const { readings, findings } = await readCertificate(harness, order);
    expect(readings).toMatchObject({ equal: 3, first: { slots: 4 }, second: { slots: 3 } });
    expect(findings).toContainEqual({ code: 'slot_no_longer_published', count: 1, positions: [3] });
  });

  it('keeps the digest of the first reading when the slots of the ledger are changed later', async () => {
    const { order, ...harness } = await createProjected(companies);
    const { readings } = await readCertificate(harness, order);
    const database = new DatabaseSync(join(harness.folder, 'ledger.db'));
    database.exec(`update slots set json = replace(json, 'PARTIAL', 'BLOCKED')`);
    database.close();
    const later = await readCertificate(harness, order);
    expect(later.readings).toEqual(readings);
    expect(later.findings).toContainEqual({ code: 'ledger_slot_changed', count: 1, positions: [1] });
  });

  it('never takes the digest of the second reading from the ledger: digests that were changed there are findings', async () => {
    const { order, ...harness } = await createProjected(companies);
    const { readings } = await readCertificate(harness, order);
    const database = new DatabaseSync(join(harness.folder, 'ledger.db'));
    database.exec(`update slot_digests set digest = '${'f'.repeat(64)}', reread_digest = '${'f'.repeat(64)}'`);
    database.close();
    const later = await readCertificate(harness, order);
    expect(later.readings).toMatchObject({ equal: 0, second: readings.second });
    expect(later.findings).toContainEqual({ code: 'ledger_slot_changed', count: 4, positions: [0, 1, 2, 3] });
  });

  it('ignores digests of positions that the order does not have', async () => {
    const harness = await createReady();
    const order = await harness.collectEnrichment(companies);
    const { readings } = await readCertificate(harness, order);
    const stray = { position: 4, digest: 'f'.repeat(64), rereadDigest: 'f'.repeat(64) };
    await harness.ledger.slotDigests.save(order.orderId, [stray]);
    expect((await readCertificate(harness, order)).readings).toEqual(readings);
  });

  it('has equal readings when slots have new fields and lack fields without a value', async () => {
    let isNewer = false;
    const harness = await createReady(
      changeResults<Slots>(({ items }) => {
        for (const item of items) Object.assign(item, isNewer ? { priority: 3 } : { note: null });
      }),
    );
    const order = await harness.collectEnrichment(companies);
    const { readings } = await readCertificate(harness, order);
    isNewer = true;
    expect((await readCertificate(harness, order)).readings).toEqual(readings);
  });

  it('has the digest of the submitted rows, and keeps it when they are erased later', async () => {
    const harness = await createReady();
    const { ledger } = harness;
    const order = await projectOrder(harness, harness.collectEnrichment(companies));
    const request = { idempotencyKey: 'key', runName: 'weekly', runKey: 'draft', title: 'Weekly', profileId: 'p' };
    const submission = { kind: 'enrichment', quantity: 2 } as const;
    await ledger.orderRequests.open({ ...request, ...submission, bodyJson: '{}', at: '2026-11-20T11:00:00.000Z' });
    await ledger.orderRequests.settle('key', { state: 'placed', orderId: order.orderId });
    const report = { kind: 'csv', rows: 2, blank: 0, unusable: 0, ordered: 2, columns: null } as const;
    const rows = [{ country: 'DE', company_name: 'ü' }, { company_name: 'kept' }].map((company, position) => ({
      position,
      company,
      sourceRow: null,
      ownJson: null,
    }));
    await ledger.drafts.save('draft', rows, { report, headers: [] });
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const digest = sha256(sha256('{"company_name":"ü","country":"DE"}') + sha256('{"company_name":"kept"}'));
    const { submitted, times } = await readCertificate(harness, order);
    expect({ submitted, requested: times.requested_at }).toEqual({
      submitted: { rows: 2, digest },
      requested: '2026-11-20T11:00:00.000Z',
    });
    const database = new DatabaseSync(join(harness.folder, 'ledger.db'));
    database.exec(`update draft_rows set json = '{}'`);
    database.close();
    expect((await readCertificate(harness, order)).submitted).toEqual({ rows: 2, digest });
  });

  /** Statements on the ledger, and the member of the certificate that shows them. */
  const changes: readonly (readonly [table: string, set: string, member: string])[] = [
    ['orders', `status = 'FAILED'`, 'order.status'],
    ['orders', `features_json = '["COMPANY_DATA"]'`, 'order.features'],
    ['orders', 'requested_count = 3', 'order.ordered'],
    ['orders', `first_seen_at = '2025-01-01T00:00:00.000Z'`, 'times.first_stored_at'],
    ['orders', `published_at = '2025-01-01T00:00:00.000Z'`, 'times.published_at'],
    ['orders', `run_name = 'other'`, 'run.name'],
    ['orders', 'min_delivered_percent = 1', 'delivery'],
    ['slot_reasons', `code = 'NO_EMAIL_FOUND' where position = 1`, 'slots'],
    ['outcomes', `outcome = 'unchanged' where outcome = 'created' and item = 'company'`, 'outcomes.hubspot'],
    ['outcomes', `mapping_version = 'x' where mapping_version is not null`, 'mapping_versions'],
    ['draft_rows', `json = replace(json, 'Acme', 'Evil')`, 'submitted'],
    ['certificates', 'reconciled = 1', 'certificates'],
    ['certificates', `document_json = replace(document_json, 'ENRICHED', 'PARTIAL')`, 'certificates'],
  ];

  // Guarantee: A green run is proved
  it('finds what was changed in the ledger and stands nowhere else, until the ledger is as it was', async () => {
    const harness = await createReady();
    const order = await projectOrder(harness, harness.collectEnrichment(companies));
    const { ledger } = harness;
    const stored = await ledger.orders.get(order.orderId);
    const request = { idempotencyKey: 'key', runName: 'weekly', runKey: 'draft', title: 'Enrichment', bodyJson: null };
    const facts = {
      kind: 'enrichment',
      quantity: 4,
      profileId: stored?.profileId ?? '',
      at: '2026-11-20T11:00:00.000Z',
    } as const;
    await ledger.orderRequests.open({ ...request, ...facts });
    await ledger.orderRequests.settle('key', { state: 'placed', orderId: order.orderId });
    const report = { kind: 'csv', rows: 4, blank: 0, unusable: 0, ordered: 4, columns: null } as const;
    const rows = companies.map((company, position) => ({ position, company, sourceRow: null, ownJson: null }));
    await ledger.drafts.save('draft', rows, { report, headers: [] });
    const database = new DatabaseSync(join(harness.folder, 'ledger.db'));
    database.exec(
      `update orders set run_name = 'weekly', features_json = '["COMPANY_DATA","CONTACTS"]', requested_count = 4, min_delivered_percent = 10,
       delivery_json = '{"crm":true,"spreadsheets":[],"serviceOutputs":[]}'`,
    );
    const found = async () => {
      harness.pass(1);
      const path = await certify(harness, order);
      const { findings } = JSON.parse(readFileSync(path, 'utf8')) as CertificateDocument;
      return findings.map(({ code }) => code);
    };
    const clean = await found();
    expect(clean.filter((code) => code.startsWith('ledger_changed'))).toEqual([]);
    for (const [table, set, member] of changes) {
      database.exec(`create temp table kept as select * from ${table}`);
      expect(database.prepare(`update ${table} set ${set}`).run().changes).toBeGreaterThan(0);
      // Once more, since the certificate of a changed ledger must not become the reference.
      for (const _ of ['first', 'second'])
        expect([set, await found()]).toEqual([set, expect.arrayContaining([`ledger_changed:${member}`])]);
      database.exec(`delete from ${table}; insert into ${table} select * from kept; drop table kept`);
      expect([set, await found()]).toEqual([set, clean]);
    }
    database.close();
  });

  it('accepts what a later delivery of the order has changed', async () => {
    const { order, ...harness } = await createProjected(companies);
    expect((await readCertificate(harness, order)).findings).toEqual([]);
    harness.pass(60);
    await harness.perform('projectToCrm', range(order, { projectionId: 'second', force: true }));
    const { outcomes, findings } = await readCertificate(harness, order);
    expect(outcomes.hubspot?.companies).toEqual(expect.objectContaining({ created: 1 }));
    expect(findings).toEqual([]);
  });

  it('is kept in the ledger, and each reconciliation replaces the file', async () => {
    const { order, ...harness } = await createProjected(companies);
    const path = await certify(harness, order);
    const before = readFileSync(path, 'utf8');
    harness.pass(60);
    expect(await certify(harness, order)).toBe(path);
    expect(readFileSync(path, 'utf8')).not.toBe(before);
    const stored = await harness.ledger.certificates.latest(order.orderId);
    expect(stored).toMatchObject({ path, reconciled: 4, total: 4 });
    expect(JSON.parse(stored?.documentJson ?? '')).toEqual(JSON.parse(readFileSync(path, 'utf8')));
  });

  it('is written by the next attempt when its folder could not be written', async () => {
    const { order, ...harness } = await createProjected(companies);
    writeFileSync(join(harness.folder, 'certificates'), 'a file in place of the folder');
    expect(await failure(reconcile(harness, order))).toMatchObject({ type: 'FileFailed' });
    rmSync(join(harness.folder, 'certificates'));
    expect(verifyDocument(readFileSync(await certify(harness, order), 'utf8'), null).problems).toEqual([]);
  });
});

describeIf(hasPython, { needs: 'Python 3', debianPackage: 'python3' })(
  'the Python program of docs/certificate.md',
  () => {
    // Guarantee: The proof can be handed on and verified by others
    it('computes the digest of the first reading from an export', async () => {
      const harness = await createReady();
      const order = await harness.collectDiscovery(120);
      const { readings } = await readCertificate(harness, order);
      const path = await exportTo(join(harness.folder, 'slots.ndjson'), harness, order);
      const certificate = await readCertificate(harness, order);
      expect(await verifySlots(path, certificate)).toEqual({ slots: 120, erased: 0, problems: [] });
      const computed = execFileSync('python3', ['-c', pythonOfDocs(), path], { encoding: 'utf8' });
      expect(computed.trim()).toBe(readings.first.digest);
    });
  },
);
