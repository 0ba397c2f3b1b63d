import { createHash } from 'node:crypto';
import type { Company } from '../../../src/service/contract/index.ts';
import { createTestService, unknownId } from './service-harness.ts';
import { rows } from './published-order.ts';

async function createDeliveries() {
  const service = createTestService();
  const profile_id = await service.createProfile();
  const path = `/deliveries/${profile_id}/companies`;
  const discover = (briefing_quantity: number, changes: Record<string, unknown> = {}) =>
    service.finishOrder({ order_type: 'DISCOVERY', profile_id, briefing_quantity, ...changes });
  const enrich = (companies: unknown[] = rows) =>
    service.finishOrder({ order_type: 'ENRICHMENT', profile_id, companies });
  const read = async (query = '') => (await service.ask('GET', `${path}${query}`)).body;
  const readAll = async (limit = 200): Promise<Company[]> => {
    const companies: Company[] = [];
    for (;;) {
      const page = await read(`?limit=${limit}&offset=${companies.length}`);
      companies.push(...page.companies);
      if (!page.has_more) return companies;
      if (page.companies.length === 0) throw new Error('an empty page says that more follow');
    }
  };
  const delivered = async (orderId: string): Promise<Company[]> =>
    (await service.readSlots(orderId)).filter(({ status }) => status === 'ENRICHED').map(({ company }) => company);
  return { ...service, profile_id, path, discover, enrich, read, readAll, delivered };
}

const idsOf = (companies: readonly Company[]) => companies.map(({ id }) => id);

describe('listDeliveredCompanies', () => {
  it('lists the ENRICHED companies of every order of the profile, each once', async () => {
    const { discover, enrich, readAll, delivered, read } = await createDeliveries();
    const first = await delivered(await discover(5));
    expect(idsOf(await readAll())).toEqual(idsOf(first));
    const second = await delivered(await enrich());
    // The first five again, and three more.
    const third = await delivered(await discover(8));
    const listed = idsOf(await readAll());
    expect(listed).toEqual([...idsOf(first), ...idsOf(second), ...idsOf(third.slice(5))]);
    expect(new Set(listed).size).toBe(10);
    expect((await read()).total).toBe(10);
  });

  it('omits orders of other profiles, and orders in progress', async () => {
    const { discover, createProfile, finishOrder, createOrder, profile_id, read } = await createDeliveries();
    const other = await createProfile({ profile_name: 'Other' });
    await finishOrder({ order_type: 'DISCOVERY', profile_id: other, briefing_quantity: 4 });
    await discover(4, { title: 'outcome:EMPTY' });
    await createOrder({ order_type: 'DISCOVERY', profile_id, briefing_quantity: 4 });
    expect(await read()).toEqual({ companies: [], total: 0, limit: 50, offset: 0, has_more: false });
  });

  it('lists the companies of a completed order whose results are never published', async () => {
    const { discover, read } = await createDeliveries();
    await discover(4, { title: 'outcome:UNPUBLISHED' });
    expect((await read()).total).toBe(4);
  });

  it('omits companies beyond the requested quantity', async () => {
    const { discover, read } = await createDeliveries();
    await discover(4, { title: 'outcome:RESULT_LIMIT_EXCEEDED' });
    expect((await read()).total).toBe(4);
  });

  it('pages without gaps or repetitions, also through orders longer than a slice', async () => {
    const { discover, enrich, read, readAll } = await createDeliveries();
    await discover(450);
    await enrich();
    const whole = idsOf(await readAll());
    expect([whole.length, new Set(whole).size]).toEqual([452, 452]);
    expect(idsOf(await readAll(113))).toEqual(whole);
    expect(await read('?limit=50&offset=452')).toMatchObject({ companies: [], total: 452, has_more: false });
    expect((await read()).companies).toHaveLength(50);
  });

  it('indexes an order once when several requests arrive together', async () => {
    const { discover, read } = await createDeliveries();
    await discover(450);
    const pages = await Promise.all([read('?limit=200'), read('?limit=200'), read('?limit=200')]);
    for (const page of pages) expect(page).toEqual(pages[0]);
    expect(pages[0].total).toBe(450);
  });

  it('returns only deliverable contacts with a score of 70 or more, two at most', async () => {
    const { discover, readAll, delivered } = await createDeliveries();
    const published = await delivered(await discover(150));
    const listed = await readAll();
    for (const [place, { prospects, ...company }] of published.entries()) {
      const expected = (prospects ?? [])
        .filter(
          ({ email_client_deliverable, qualification_score }) =>
            email_client_deliverable && (qualification_score ?? 0) >= 70,
        )
        .toSorted((a, b) => (b.qualification_score ?? 0) - (a.qualification_score ?? 0))
        .slice(0, 2);
      expect(listed[place]).toEqual({ ...company, prospects: expected });
    }
    const counts = (companies: Company[]) => new Set(companies.map(({ prospects }) => prospects?.length));
    expect([counts(published), counts(listed)]).toEqual([new Set([1, 2, 3]), new Set([0, 1, 2])]);
  });

  it.each(['limit=201', 'limit=0', 'offset=-1', 'delivered_since=2020'])('refuses ?%s', async (query) => {
    const { ask, path } = await createDeliveries();
    expect((await ask('GET', `${path}?${query}`)).status).toBe(422);
  });

  it('is empty after a reset, and restored with a snapshot', async () => {
    const { discover, read, service, createProfile } = await createDeliveries();
    await discover(5);
    const before = await read();
    service.snapshots.save('five');
    service.reset();
    await createProfile();
    expect((await read()).total).toBe(0);
    service.snapshots.restore('five');
    expect(await read()).toEqual(before);
    service.close();
  });
});

describe('getWebsiteMarkdown', () => {
  it('returns the text of a delivered company with its provenance', async () => {
    const { discover, delivered, ask, path } = await createDeliveries();
    const companies = await delivered(await discover(3));
    const seen = new Set<string>();
    for (const { id, name, website_url } of companies) {
      const { status, body } = await ask('GET', `${path}/${id}/website-markdown`);
      expect(status).toBe(200);
      expect(body.markdown).toContain(`# ${name}\n`);
      expect(body.urls).toEqual([`${website_url}/`, `${website_url}/about`, `${website_url}/contact`]);
      expect(body.content_fingerprint).toBe(createHash('sha256').update(body.markdown).digest('hex'));
      expect(body.observed_at < '2026-11-20T12:00:00').toBe(true);
      expect((await ask('GET', `${path}/${id}/website-markdown`)).body).toEqual(body);
      seen.add(body.content_fingerprint);
    }
    expect(seen.size).toBe(3);
  });

  it('returns absolute addresses for a website without a scheme', async () => {
    const { enrich, delivered, ask, path } = await createDeliveries();
    const [company] = await delivered(await enrich([{ company_name: 'A', website_url: 'www.a.test/start?x=1' }]));
    const { body } = await ask('GET', `${path}/${company?.id}/website-markdown`);
    expect(body.urls[0]).toBe('https://www.a.test/');
  });

  it('returns 404 for companies that this profile did not deliver', async () => {
    const { enrich, readSlots, createProfile, ask, path } = await createDeliveries();
    const slots = await readSlots(await enrich());
    const partial = slots.find(({ status }) => status === 'PARTIAL')?.company.id;
    const delivered = slots.find(({ status }) => status === 'ENRICHED')?.company.id;
    const other = await createProfile({ profile_name: 'Other' });
    for (const wrong of [
      `${path}/${unknownId}/website-markdown`,
      `${path}/${partial}/website-markdown`,
      `/deliveries/${other}/companies/${delivered}/website-markdown`,
    ]) {
      const { status, body } = await ask('GET', wrong);
      expect([status, body.code]).toEqual([404, 'COMPANY_NOT_FOUND']);
    }
    expect((await ask('GET', `${path}/${delivered.toUpperCase()}/website-markdown`)).status).toBe(200);
  });
});
