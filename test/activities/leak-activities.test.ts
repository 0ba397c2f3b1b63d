import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { slotSchema } from '../../src/service/contract/index.ts';
import { findLeaks } from '../../src/companies/exclusions/find-leaks.ts';
import { readCsv } from '../../src/base/spreadsheet/read-csv.ts';
import { toHeaderKey } from '../../src/base/text/header-key.ts';
import { exclusionPlan } from '../helpers/exclusion-plan.ts';
import { readRecords } from '../helpers/table-records.ts';
import {
  createActivityHarness,
  failure,
  plan,
  type ActivityHarness,
  type ActivityHarnessOptions,
} from './activity-harness.ts';

type Gate = PromiseWithResolvers<void>;
type Gates = [Gate, Gate, Gate, Gate];

const exclusion = exclusionPlan();

/** The companies that the profile finds, as blacklist entries. */
async function foundCompanies(harness: ActivityHarness, quantity: number) {
  const { orderId } = await harness.collectDiscovery(quantity);
  const slots = await harness.ledger.slots.read(orderId, { from: 0, to: quantity });
  return slots.map(({ json }) => {
    const company = slotSchema.parse(JSON.parse(json)).company;
    return { company_name: company?.name ?? '', website_url: `https://${company?.domain}` };
  });
}

/** Freezes the blacklist, places the order and collects its results, like a run. */
async function order(harness: ActivityHarness, blacklistIds: string[], runKey = 'run/a#1') {
  const { perform, pass, folder } = harness;
  const delivery = { ...plan().delivery, evidenceDirectory: join(folder, 'out') };
  const planned = plan({ briefingQuantity: 9, exclusions: [exclusion], delivery });
  await harness.storeProfile(planned);
  const run = harness.configureRun(planned);
  const frozen = await perform('freezeBlacklists', { runKey, blacklistIds });
  const { orderId } = await perform('placeOrder', { run, runKey });
  await perform('attachBlacklists', { orderId, frozen });
  pass(4);
  const { total } = await perform('awaitPublication', { orderId, runName: 'weekly' });
  await perform('collectResults', { orderId, from: 0, to: total });
  return { orderId, frozen };
}

async function prepare(options: ActivityHarnessOptions = {}) {
  const harness = await createActivityHarness(options);
  const companies = await foundCompanies(harness, 12);
  const { id: blacklistId } = await harness.prospecting.blacklists.create({ name: exclusion.blacklist });
  await harness.ledger.blacklists.save({ name: exclusion.blacklist, blacklistId });
  const list = (entries: typeof companies) => harness.prospecting.blacklists.addEntries(blacklistId, entries);
  const check = (orderId: string) => harness.perform('checkLeaks', { orderId, runName: 'weekly' });
  return { ...harness, companies, blacklistId, list, check };
}

async function rowsOf(path: string | undefined) {
  const records = await readRecords(readCsv(path ?? ''));
  return records.map((record) =>
    Object.fromEntries(Object.entries(record).map(([key, cell]) => [toHeaderKey(key), cell])),
  );
}

describe('checkLeaks', () => {
  // Guarantee: Excluded companies never reach HubSpot
  it('finds returned companies that were excluded when ordered, and writes the evidence', async () => {
    const harness = await prepare();
    const { companies, list, check, service, organizationId, blacklistId, ledger } = harness;
    await list(companies.slice(0, 4));
    service.drift.set(organizationId, { leaks: true });
    const { orderId } = await order(harness, [blacklistId]);
    const report = await check(orderId);
    expect(report).toMatchObject({
      leaks: { leak: 2, late: 0, weak: 0 },
      file: { kind: 'leaks', rows: 2 },
    });
    expect(report.file?.path).toBe(join(harness.folder, 'out', `${orderId}.exclusion-leaks.csv`));
    expect([...(await ledger.leaks.read(orderId, { from: 0, to: 9 }))]).toMatchObject([
      [0, { verdict: 'LEAK', tier: 'website_domain' }],
      [1, { verdict: 'LEAK', tier: 'website_domain' }],
    ]);
    const [row] = await rowsOf(report.file?.path);
    expect(row).toMatchObject({
      position: '0',
      verdict: 'LEAK',
      matched_by: 'website_domain',
      returned_company: companies[0]?.company_name,
      entry_company: companies[0]?.company_name,
      ordered_at: expect.stringMatching(/^2026-11-20T/),
      entry_created_at: expect.stringMatching(/^2026-11-20T/),
    });
    expect(await ledger.files.list(orderId)).toMatchObject([{ kind: 'leaks', rows: 2 }]);
    const { findings } = await harness.perform('concludeReconciliation', { orderId, proofs: [] });
    expect(findings).toContainEqual({ code: 'exclusion_leak', count: 2, positions: [0, 1] });
  });

  it('counts entries that were added later or match by name only, without a finding', async () => {
    const harness = await prepare();
    const { companies, list, check, blacklistId, ledger } = harness;
    const { orderId } = await order(harness, [blacklistId]);
    expect(await check(orderId)).toEqual({ leaks: { leak: 0, late: 0, weak: 0 }, file: null });
    const [late, weak] = companies;
    await list([late, { company_name: weak?.company_name ?? '' }] as typeof companies);
    const report = await check(orderId);
    expect(report).toMatchObject({ leaks: { leak: 0, late: 1, weak: 1 }, file: { rows: 2 } });
    // A later check corrects the earlier verdict.
    const { prospecting } = harness;
    const pages = await Array.fromAsync(prospecting.blacklists.entries(blacklistId));
    await prospecting.blacklists.removeEntries(
      blacklistId,
      pages.flat().map(({ id }) => id),
    );
    expect(await check(orderId)).toMatchObject({ leaks: { late: 0, weak: 0 }, file: { rows: 0 } });
    expect(await ledger.leaks.read(orderId, { from: 0, to: 9 })).toEqual(new Map());
  });

  it('reports null for an order without frozen blacklists', async () => {
    const harness = await prepare();
    const { orderId } = await harness.collectDiscovery(3);
    expect(await harness.check(orderId)).toEqual({ leaks: null, file: null });
    expect(existsSync(join(harness.folder, 'out'))).toBe(false);
  });

  it('uses the stored entries of a blacklist that was deleted later', async () => {
    const harness = await prepare();
    const { companies, list, check, service, organizationId, blacklistId } = harness;
    await list(companies.slice(0, 1));
    service.drift.set(organizationId, { leaks: true });
    const { orderId } = await order(harness, [blacklistId]);
    const { apiKey } = service.createKey({ organizationId, scopes: ['blacklists:write'] });
    const headers = { authorization: `Bearer ${apiKey}` };
    const url = `http://x/api/v1/blacklists/${blacklistId}`;
    expect((await service.fetch(new Request(url, { method: 'DELETE', headers }))).status).toBe(204);
    expect(await check(orderId)).toMatchObject({ leaks: { leak: 1, late: 0, weak: 0 } });
  });
});

describe('findLeaks', () => {
  it('reports the slots that it has read as progress, also while it reads blacklists', async () => {
    const harness = await prepare();
    const { companies, list, service, organizationId, blacklistId, ledger, prospecting } = harness;
    await list(companies.slice(0, 4));
    service.drift.set(organizationId, { leaks: true });
    const { orderId } = await order(harness, [blacklistId]);
    const blacklists = await ledger.exclusionSnapshots.ofOrder(orderId);
    const progress: number[] = [];
    const context = {
      signal: new AbortController().signal,
      recordProgress: (count: number) => void progress.push(count),
    };
    expect(await findLeaks({ prospecting, ledger }, { orderId, blacklists }, context)).toHaveLength(2);
    // Once for the slots, and once for each page of the frozen and of the current entries.
    expect(progress).toEqual([9, 9, 9]);
  });
});

describe('freezeBlacklists', () => {
  it('stores equal blacklists once, and shares their entries', async () => {
    const harness = await prepare();
    const { companies, list, blacklistId, perform, ledger } = harness;
    await list(companies.slice(0, 5));
    const freeze = async (runKey: string) =>
      (await perform('freezeBlacklists', { runKey, blacklistIds: [blacklistId] }))[0]?.digest ?? '';
    const first = await freeze('run/a#1');
    expect(await freeze('run/b#1')).toBe(first);
    await list(companies.slice(5, 6));
    const second = await freeze('run/c#1');
    expect(second).not.toBe(first);
    const entries = async (digest: string) =>
      (await Array.fromAsync(ledger.exclusionSnapshots.entries(digest))).flat().map(({ entryId }) => entryId);
    expect(await entries(second)).toHaveLength(6);
    expect(await entries(second)).toEqual(expect.arrayContaining(await entries(first)));
  });

  it('completes while the attempt that it replaces is still saving, and deletes all staged entries', async () => {
    const [hashed, saving, reading, goOn] = Array.from({ length: 4 }, () => Promise.withResolvers<void>()) as Gates;
    let isSecond = false;
    const harness = await prepare({
      async serviceFetch(request, proceed) {
        if (isSecond && request.url.includes('offset=200')) {
          reading.resolve();
          await goOn.promise;
        }
        return proceed(request);
      },
    });
    const { list, blacklistId, perform, ledger } = harness;
    await list(
      Array.from({ length: 450 }, (_, index) => ({
        company_name: `Company ${index}`,
        website_url: `https://company-${index}.example`,
      })),
    );
    const stagings = new Set<string>();
    const { exclusions, exclusionSnapshots } = ledger;
    const [addExisting, has] = [exclusions.addExisting, exclusionSnapshots.has.bind(exclusionSnapshots)];
    exclusions.addExisting = (syncId, rows) => {
      stagings.add(syncId);
      return addExisting(syncId, rows);
    };
    exclusionSnapshots.has = async (digest) => {
      if (!isSecond) {
        hashed.resolve();
        await saving.promise;
      }
      return has(digest);
    };
    const freeze = (attempt: number) =>
      perform('freezeBlacklists', { runKey: 'run/a#1', blacklistIds: [blacklistId] }, { attempt });
    const first = freeze(1);
    await hashed.promise;
    isSecond = true;
    const second = freeze(2);
    await reading.promise;
    saving.resolve();
    await first;
    goOn.resolve();
    const [frozen] = await second;
    const kept = (await Array.fromAsync(exclusionSnapshots.entries(frozen?.digest ?? ''))).flat();
    expect(kept).toHaveLength(450);
    expect(stagings.size).toBe(2);
    for (const staging of stagings) expect(await exclusions.countExisting(staging)).toBe(0);
  });

  it('deletes its staged entries when it fails, and those of an attempt whose worker died', async () => {
    const harness = await prepare();
    const { list, companies, blacklistId, perform, ledger } = harness;
    await list(companies);
    const { exclusions, exclusionSnapshots } = ledger;
    const stagings: string[] = [];
    const [addExisting, clearExisting] = [exclusions.addExisting, exclusions.clearExisting];
    const has = exclusionSnapshots.has.bind(exclusionSnapshots);
    exclusions.addExisting = (syncId, rows) => {
      stagings.push(syncId);
      return addExisting(syncId, rows);
    };
    exclusionSnapshots.has = () => Promise.reject(new Error('for example a full disk'));
    const freeze = (attempt: number) =>
      perform('freezeBlacklists', { runKey: 'run/a#1', blacklistIds: [blacklistId] }, { attempt });
    await failure(freeze(1));
    const left = () => Promise.all(stagings.map((staging) => exclusions.countExisting(staging)));
    expect(await left()).toEqual([0]);
    exclusions.clearExisting = () => Promise.resolve();
    await failure(freeze(2));
    expect(await left()).toEqual([0, companies.length]);
    exclusions.clearExisting = clearExisting;
    exclusionSnapshots.has = has;
    await freeze(3);
    expect(await left()).toEqual([0, 0, 0]);
  });

  it('keeps the blacklists that were attached first', async () => {
    const harness = await prepare();
    const { companies, list, blacklistId, perform, ledger } = harness;
    const { orderId, frozen } = await order(harness, [blacklistId]);
    await list(companies.slice(0, 2));
    const later = await perform('freezeBlacklists', { runKey: 'run/a#1', blacklistIds: [blacklistId] });
    await perform('attachBlacklists', { orderId, frozen: later });
    expect(await ledger.exclusionSnapshots.ofOrder(orderId)).toMatchObject(frozen);
  });
});
