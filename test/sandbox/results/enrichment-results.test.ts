import { companyAt } from '../../../sandbox/generated-data/company-generator.ts';
import { createTestService } from '../service/service-harness.ts';

type Row = Record<string, unknown>;

async function enrich(companies: Row[], title = 'Enrichment') {
  const service = createTestService();
  const profile_id = await service.createProfile();
  const id = await service.finishOrder({ order_type: 'ENRICHMENT', profile_id, companies, title });
  return { slots: await service.readSlots(id), order: (await service.ask('GET', `/orders/${id}`)).body };
}

const summaryReason = { message: expect.any(String), label: expect.any(String) };

describe('an enrichment order', () => {
  it('returns every row in order, with the submitted values', async () => {
    const known = companyAt(1, 77);
    const { slots, order } = await enrich([
      { company_name: 'One', website_url: 'https://one.test', city: 'Bern', country: 'CH', external_id: 'crm-1' },
      { company_name: 'Two' },
      { company_name: 'Three', website_url: known.website_url, external_id: 'crm-3' },
    ]);
    expect(slots.map(({ input_position, external_id, status }) => [input_position, external_id, status])).toEqual([
      [0, 'crm-1', 'ENRICHED'],
      [1, undefined, 'ENRICHED'],
      [2, 'crm-3', 'ENRICHED'],
    ]);
    expect(slots[0].company).toMatchObject({
      name: 'One',
      website_url: 'https://one.test',
      domain: 'one.test',
      city: 'Bern',
      country: 'CH',
      source_id: 'crm-1',
    });
    expect(slots[1]).not.toHaveProperty('external_id');
    expect(slots[1].company).toMatchObject({ name: 'Two', source_id: null });
    expect(slots[2].company).toMatchObject({ id: known.id, source_id: 'crm-3', prospects: known.prospects });
    expect(order).toMatchObject({
      briefing_quantity: 3,
      available_briefing_quantity: 3,
      result_summary: { requested_count: 3, fully_enriched_count: 3, annotated_count: 0, reasons: [] },
    });
  });

  it('marks the later rows of one company as duplicates of the first', async () => {
    const { slots, order } = await enrich([
      { company_name: 'Acme', website_url: 'https://www.acme.test', city: 'Bern', external_id: 'a' },
      { company_name: 'Acme Holding', website_url: 'http://ACME.test/about', external_id: 'b' },
      { company_name: ' ACME', city: 'bern' },
      { company_name: 'Acme', city: 'Basel' },
      { company_name: 'Solo' },
      { company_name: 'solo' },
      { company_name: 'Acme', website_url: 'https://acme.test' },
      { company_name: 'Acme Holding' },
    ]);
    expect(slots.map(({ duplicate_of_input_position }) => duplicate_of_input_position)).toEqual([
      undefined,
      0,
      0,
      undefined,
      undefined,
      4,
      0,
      0,
    ]);
    expect(slots[1]).toMatchObject({ status: 'DUPLICATE', reason_codes: ['DUPLICATE_OF_SLOT'], external_id: 'b' });
    expect(slots[1].company).toEqual({ ...slots[0].company, source_id: 'b', prospects: [] });
    expect(order.result_summary).toEqual({
      requested_count: 8,
      fully_enriched_count: 3,
      annotated_count: 5,
      reasons: [{ code: 'DUPLICATE_OF_SLOT', count: 5, ...summaryReason }],
    });
  });

  it('never marks a row as duplicate of an unresolved row', async () => {
    const row = { company_name: 'Acme', website_url: 'https://a.unresolved-identity.example' };
    const { slots } = await enrich([row, row]);
    expect(slots.map(({ status, company }) => [status, company])).toEqual([
      ['UNRESOLVED', null],
      ['UNRESOLVED', null],
    ]);
  });

  it('returns historical deliveries when the title requests it', async () => {
    const { slots, order } = await enrich([{ company_name: 'A' }], 'outcome:HISTORICAL');
    expect(slots[0]).toMatchObject({ status: 'ENRICHED', reason_codes: ['HISTORICAL_DELIVERY_CONFIRMED'] });
    expect(order.result_summary.reasons).toEqual([]);
  });
});
