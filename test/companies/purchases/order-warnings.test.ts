import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunPlan } from '../../../src/config/run-plan.ts';
import { searchDigest } from '../../../src/config/profile-settings.ts';
import { warnOfOtherTitle } from '../../../src/cli/existing-order.ts';
import { findOrderWarnings } from '../../../src/companies/purchases/order-warnings.ts';
import { digest } from '../../../src/base/json/canonical-json.ts';
import type { ListedOrder } from '../../../src/service/client/order-client.ts';
import type { DraftRow } from '../../../src/ledger/draft-store.ts';
import { createErasureFailures } from '../../../src/ledger/erasure-failures.ts';
import { openLedger, type Ledger } from '../../../src/ledger/ledger.ts';
import type { CompanyRow } from '../../../src/service/contract/index.ts';

import { plan } from '../../activities/activity-harness.ts';

let folder: string;
let ledger: Ledger;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-warnings-'));
  ledger = await openLedger({ dataDir: folder });
});
afterEach(async () => {
  await ledger.close();
  await rm(folder, { recursive: true, force: true });
});

const profile = { profile_name: 'DACH', ideal_customer_profile: 'Machine builders', target_countries: ['Germany'] };
const day = 86_400_000;

const toRows = (companies: readonly CompanyRow[]) =>
  companies.map((company, position): DraftRow => ({
    position,
    company,
    sourceRow: position + 2,
    ownJson: '[]',
  }));
const named = (...names: string[]) => names.map((name) => ({ company_name: name }));

/** An order of a run, placed now. */
async function place(
  runName: string,
  orderId: string,
  rows: readonly CompanyRow[] | null,
  profileId: string | null = null,
) {
  const kind = rows === null ? ('discovery' as const) : ('enrichment' as const);
  const facts = { orderId, runName, kind, status: 'COMPLETED', profileId, externalIdsAreRecordIds: false };
  await ledger.orders.save({ ...facts, requestedCount: rows?.length ?? 10 });
  if (rows === null) return;
  const runKey = `run/${runName}/${orderId}`;
  await request(runName, runKey, rows);
  await ledger.orderRequests.settle(runKey, { state: 'placed', orderId });
}

/** A run that is placing its order. */
async function request(runName: string, runKey: string, rows: readonly CompanyRow[]) {
  const report = {
    kind: 'csv',
    rows: rows.length,
    blank: 0,
    unusable: 0,
    ordered: rows.length,
    columns: null,
  } as const;
  await ledger.drafts.save(runKey, toRows(rows), { report, headers: [] });
  const sent = {
    idempotencyKey: runKey,
    runKey,
    runName,
    profileId: 'p',
    title: '',
    bodyJson: null,
    at: new Date().toISOString(),
  };
  await ledger.orderRequests.open({ ...sent, kind: 'enrichment', quantity: rows.length });
}

const enrichment = plan({
  runName: 'leads',
  kind: 'enrichment',
  title: 'leads',
  profile,
  briefingQuantity: null,
  repeatAfterMilliseconds: 7 * day,
});
const discovery = { ...enrichment, kind: 'discovery' as const, briefingQuantity: 10 };

/** What is asked and said before a run that starts `afterDays` from now. */
function find(
  rows: readonly CompanyRow[] | null,
  changes: Partial<RunPlan> = {},
  afterDays = 1,
  { listed = [], known = ledger, configured = ['leads'], isBeforeExclusions = false }: Surroundings = {},
) {
  const planned = {
    plan: { ...(rows === null ? discovery : enrichment), ...changes },
    rows,
    isBeforeExclusions,
    isConfigured: (name: string) => configured.includes(name),
  };
  const prospecting = { orders: { list: async () => listed } };
  return findOrderWarnings({ ledger: known, prospecting }, planned, new Date(Date.now() + afterDays * day));
}

interface Surroundings {
  readonly isBeforeExclusions?: boolean;
  readonly listed?: ListedOrder[];
  readonly known?: typeof ledger | null;
  readonly configured?: readonly string[];
}

describe('findOrderWarnings', () => {
  // Guarantee: An order that may be a mistake is confirmed first
  it('asks, however long ago, after an ingested order of the run, whose rows a new ledger does not have', async () => {
    const facts = {
      runName: null,
      deliveringRun: 'leads',
      kind: 'enrichment',
      status: 'COMPLETED',
      profileId: null,
    } as const;
    await ledger.orders.save({ orderId: 'ingested', ...facts, externalIdsAreRecordIds: false, requestedCount: 9 });
    const { warnings } = await find(named('Acme'), {}, 300);
    expect(warnings.join()).toMatch(
      /^Repeated order: run leads placed order ingested at \d{4}-\d\d-\d\d \d\d:\d\d UTC, .* A new run may buy its rows again, which this ledger does not have; to continue/,
    );
    // The console compares this text with the one that a person has agreed to.
    expect((await find(named('Acme'), {}, 301)).warnings).toEqual(warnings);
    expect((await find(named('Acme'), { runName: 'others' }, 300)).warnings).toEqual([]);
    await place('leads', 'later', named('Beta'));
    expect((await find(named('Acme'), {}, 300)).warnings).toEqual([]);
  });

  it('names the run, the order and the time when other runs have bought all rows, whatever their age and their spelling', async () => {
    await place('old-leads', 'order-1', [
      { company_name: 'Acme GmbH', external_id: '1' },
      { company_name: 'Beta', city: 'Ulm' },
    ]);
    await sleep(2);
    await place('third', 'order-2', named('Gamma'));
    const rows = [
      { company_name: 'ACME GmbH', external_id: '7' },
      { company_name: 'Beta', city: 'Ulm' },
      { company_name: 'Gamma' },
    ];
    const { warnings, notes } = await find(rows, {}, 400);
    expect(notes).toEqual([]);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^Rows ordered before: 3 of 3 rows, 1 by run third with order order-2 of \d{4}-.* UTC, 2 by run old-leads with order order-1 of .* UTC\. /,
      ),
    ]);
    expect((await find(rows, { repeatAfterMilliseconds: 0 })).warnings).toEqual([]);
  });

  it('asks about a part of the rows within limits.repeat_after, and only names it later', async () => {
    await place('old-leads', 'order-1', named('Acme', 'Beta'));
    const text = [
      expect.stringContaining('Rows ordered before: 2 of 3 rows, 2 by run old-leads with order order-1 of '),
    ];
    expect(await find(named('Acme', 'Beta', 'Gamma'))).toEqual({ warnings: text, notes: [] });
    expect(await find(named('Acme', 'Beta', 'Gamma'), {}, 8)).toEqual({ warnings: [], notes: text });
    expect(await find(named('Gamma'))).toEqual({ warnings: [], notes: [] });
  });

  it('counts no row of an earlier order that was erased', async () => {
    const rows = ['acme.de', 'beta.de'].map((host) => ({ company_name: host, website_url: `https://${host}` }));
    await place('old-leads', 'order-1', rows);
    const at = new Date().toISOString();
    await ledger.tombstones.add([{ kind: 'domain', value: 'acme.de' }], at);
    await ledger.erasures.forget(at, createErasureFailures(), () => []);
    expect((await find(rows)).warnings).toEqual([expect.stringContaining('Rows ordered before: 1 of 2 rows, ')]);
  });

  it('knows the rows of every earlier order of the run, not only of its last one', async () => {
    await place('leads', 'order-1', named('Acme'));
    await sleep(2); // the clock of an order counts milliseconds
    await place('leads', 'order-2', named('Beta'));
    const { warnings } = await find(named('Acme'), {}, 30);
    expect(warnings).toEqual([expect.stringContaining('1 of 1 rows, 1 by run leads with order order-1')]);
    expect((await find(named('Beta'), {}, 30)).warnings).toEqual([
      expect.stringContaining('Repeated order: run leads placed order order-2 '),
    ]);
  });

  it('asks before a discovery with the profile that another run ordered within limits.repeat_after, and says when the configuration no longer has that run', async () => {
    await ledger.profiles.save({
      contentHash: digest(profile),
      searchHash: searchDigest(profile),
      generation: 1,
      creationId: 'c',
      profileId: 'p',
      status: 'SUCCEEDED',
    });
    await place('old-leads', 'order-1', null, 'p');
    const { warnings } = await find(null);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^Same search profile: it was ordered by run old-leads with order order-1 of .*, the configuration has no run of that name, and limits\.repeat_after is 7 days\. A new run buys another 10 companies, which may be the same ones$/,
      ),
    ]);
    const copied = await find(null, {}, 1, { configured: ['leads', 'old-leads'] });
    expect(copied.warnings).toEqual([
      expect.stringMatching(
        /^Same search profile: it was ordered by run old-leads with order order-1 of [^,]*, and limits\.repeat_after is 7 days\. /,
      ),
    ]);
    const renamed = { profile: { ...profile, profile_name: 'Another name' } };
    expect((await find(null, renamed)).warnings).toEqual(warnings);
    expect((await find(null, { repeatAfterMilliseconds: 0 })).warnings).toEqual([]);
    expect((await find(null, {}, 8)).warnings).toEqual([]);
  });

  it('asks before the first discovery of a name when a run that is gone has ordered within limits.repeat_after', async () => {
    await place('old-leads', 'order-1', null, 'another profile');
    const { warnings } = await find(null);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^Renamed run: 10 companies were ordered by run old-leads with order order-1 of .*, the configuration has no run of that name, and run leads has no order yet\. If leads is its new name, a run buys another 10 companies, which may be the same ones$/,
      ),
    ]);
    expect((await find(null, {}, 1, { configured: ['leads', 'old-leads'] })).warnings).toEqual([]);
    expect((await find(null, {}, 8)).warnings).toEqual([]);
  });

  it('counts an order that another run is placing, and not one that the run itself will continue', async () => {
    await request('old-leads', 'run/old-leads/1', named('Acme'));
    expect((await find(named('ACME'))).warnings).toEqual([
      expect.stringMatching(
        /^Rows ordered before: 1 of 1 rows, 1 by run old-leads, which has been placing its order since \d{4}-.* UTC\. /,
      ),
    ]);
    expect((await find(named('ACME'), { runName: 'old-leads' })).warnings).toEqual([]);
    await ledger.orderRequests.settle('run/old-leads/1', { state: 'refused' });
    expect((await find(named('ACME'))).warnings).toEqual([]);
  });

  it('asks about ten times as many companies as the run ordered last, of a discovery and of a source', async () => {
    await place('leads', 'order-1', named('Acme'));
    const many = named(...Array.from({ length: 10 }, (_, number) => `Company ${number}`));
    const quantity = 'Unusually large order: run leads orders 10 companies, and its last order had 1 (order order-1). ';
    expect((await find(many, {}, 30)).warnings).toEqual([`${quantity}Check the source.`]);
    expect((await find(null, {}, 30)).warnings).toEqual([`${quantity}Check briefing_quantity.`]);
    expect((await find(many.slice(1), {}, 30)).warnings).toEqual([]);
    expect((await find(many, {}, 30, { isBeforeExclusions: true })).warnings).toEqual([
      expect.stringContaining(
        'run leads orders up to 10 companies (its exclusions leave out some), and its last order',
      ),
    ]);
  });

  it('asks about a first order of ten times as many companies as the largest one of other runs', async () => {
    const options = { configured: ['leads', 'small', 'smaller'] };
    await place('small', 'order-1', named('Acme', 'Beta'));
    await place('smaller', 'order-2', named('Acme'));
    const many = named(...Array.from({ length: 20 }, (_, number) => `Company ${number}`));
    expect((await find(many, {}, 30, options)).warnings).toEqual([
      'Unusually large order: run leads orders 20 companies, and the largest order of this ledger had 2 (order order-1). Check the source.',
    ]);
    expect((await find(many.slice(1), {}, 30, options)).warnings).toEqual([]);
  });
});

describe('an order of the service that the ledger does not have', () => {
  const orderOf = (order_id: string, title: string) =>
    ({ order_id, title, status: 'COMPLETED', created_at: new Date().toISOString() }) as ListedOrder;
  const ask = async (listed: ListedOrder[], known: typeof ledger | null = ledger) =>
    (await find(null, {}, 0, { listed, known })).warnings.filter((text) => text.startsWith('Unknown order'));

  it('is named when it is the newest one of the title, as with a ledger that was restored from an older copy', async () => {
    await place('leads', 'order-1', null);
    const [warning, ...more] = await ask([orderOf('order-2', 'leads'), orderOf('order-1', 'leads')]);
    expect(more).toEqual([]);
    expect(warning).toMatch(
      /^Unknown order: the service has order order-2 of .* with the title of run leads, and this ledger does not have it\. .* prospect-sync ingest order-2 --run leads$/,
    );
    expect(await ask([orderOf('order-1', 'leads'), orderOf('order-0', 'leads')])).toEqual([]);
    expect(await ask([orderOf('order-9', 'something else')])).toEqual([]);
  });

  it('is named under whatever title when it has a profile that this ledger has created', async () => {
    const profileOf = (id: string, generation: number) => {
      const facts = { creationId: id, profileId: id, status: 'SUCCEEDED', generation };
      return ledger.profiles.save({ contentHash: id, searchHash: id, ...facts });
    };
    await profileOf('created', 1);
    await profileOf('named by a setting', 0);
    await place('leads', 'order-1', null);
    const lost = (profile_id: string) => ({ ...orderOf('order-9', 'renamed'), profile_id });
    expect(await ask([lost('created')])).toEqual([
      expect.stringMatching(/^Unknown order: the service has order order-9 of .* with a profile of this ledger, /),
    ]);
    expect(await ask([lost('named by a setting')])).toEqual([]);
    expect(await ask([{ ...orderOf('order-1', 'leads'), profile_id: 'created' }, lost('created')])).toEqual([]);
  });

  it('is named under whatever title when the ledger has no order at all, or there is no ledger', async () => {
    const text = expect.stringMatching(
      /^Unknown order: the service has order order-9 of .* UTC, and this ledger has no order\. /,
    );
    expect(await ask([orderOf('order-9', 'something else')])).toEqual([text]);
    expect(await ask([orderOf('order-9', 'something else')], null)).toEqual([text]);
  });
});

describe('warnOfOtherTitle', () => {
  const runs = { leads: { title: 'Leads' }, partners: { title: 'Partners' } };
  const warn = (title: string | null) => warnOfOtherTitle({ runs }, { orderId: 'order-1', runName: 'leads', title });

  it('names the run whose title the order has, and is silent when the titles are equal or unknown', () => {
    const other = 'in the service, and run leads sends "Leads". Run leads delivers it with its own settings';
    expect(warn('Partners')).toEqual([
      `Other run: order order-1 has the title "Partners" ${other}. To deliver it with the run of its title, use --run partners`,
    ]);
    expect(warn('Elsewhere')).toEqual([`Other run: order order-1 has the title "Elsewhere" ${other}`]);
    expect([warn('Leads'), warn(null)]).toEqual([[], []]);
  });
});
