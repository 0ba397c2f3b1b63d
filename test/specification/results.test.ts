import { discover, enrich, timestamp } from './surroundings.ts';

const site = (kind: string, name = 'acme') => `https://${name}.${kind}.example`;
/** One row of every status; the second is the same company as the first. */
const companies = [
  { company_name: 'Acme', website_url: 'https://acme.test', external_id: 'crm-1' },
  { company_name: 'Acme', website_url: 'https://www.acme.test/about', external_id: 'crm-2' },
  { company_name: 'Moved', website_url: site('website-moved') },
  { company_name: 'Nobody', website_url: site('unresolved-identity'), external_id: 'crm-4' },
  { company_name: 'Held', website_url: site('blocked-for-review') },
  { company_name: 'Gone', website_url: site('website-moved', 'other') },
];

describe('Result slot (one item of the results)', () => {
  it('input_position: counts from zero, in submitted order or in the order of finding', async () => {
    const enriched = await enrich(companies);
    expect(enriched.slots.map((slot: { input_position: number }) => slot.input_position)).toEqual([0, 1, 2, 3, 4, 5]);
    const found = await discover(3);
    expect(found.slots.map((slot: { input_position: number }) => slot.input_position)).toEqual([0, 1, 2]);
  });

  it('external_id: is what the client submitted for the row, absent when it submitted none', async () => {
    const { slots } = await enrich(companies);
    expect(slots.map((slot: object) => ('external_id' in slot ? slot.external_id : 'absent'))).toEqual([
      'crm-1',
      'crm-2',
      'absent',
      'crm-4',
      'absent',
      'absent',
    ]);
    for (const slot of (await discover(2)).slots) expect(slot).not.toHaveProperty('external_id');
  });

  it('status: is one of five in an enrichment order, ENRICHED in a discovery order', async () => {
    const { slots } = await enrich(companies);
    expect(slots.map((slot: { status: string }) => slot.status)).toEqual([
      'ENRICHED',
      'DUPLICATE',
      'PARTIAL',
      'UNRESOLVED',
      'BLOCKED',
      'PARTIAL',
    ]);
    for (const { status } of (await discover(3)).slots) expect(status).toBe('ENRICHED');
  });

  it('reason_codes: name the first stage that stopped', async () => {
    const { slots } = await enrich(companies);
    expect(slots.map((slot: { reason_codes: string[] }) => slot.reason_codes)).toEqual([
      ['POLICY_ELIGIBLE'],
      ['DUPLICATE_OF_SLOT'],
      ['WEBSITE_MOVED'],
      ['UNRESOLVED_IDENTITY'],
      ['BLOCKED_FOR_REVIEW'],
      ['WEBSITE_MOVED'],
    ]);
  });

  it('reasons: are the same codes with an English message, and a detail only where a fact stands behind', async () => {
    const { slots } = await enrich(companies);
    const message = expect.stringMatching(/^[A-Z].+/);
    expect(slots.map(({ reasons }: { reasons: unknown }) => reasons)).toEqual([
      [{ code: 'POLICY_ELIGIBLE', message }],
      [{ code: 'DUPLICATE_OF_SLOT', message }],
      [{ code: 'WEBSITE_MOVED', message, detail: expect.any(String) }],
      [{ code: 'UNRESOLVED_IDENTITY', message }],
      [{ code: 'BLOCKED_FOR_REVIEW', message }],
      [{ code: 'WEBSITE_MOVED', message, detail: expect.any(String) }],
    ]);
  });

  it('duplicate_of_input_position: is the earlier row of a DUPLICATE, absent on all others', async () => {
    const { slots } = await enrich([...companies, { company_name: 'Acme', website_url: 'http://acme.test' }]);
    const earlier = slots.map(
      (slot: object) => Object.entries(slot).find(([key]) => key.startsWith('duplicate_'))?.[1],
    );
    expect(earlier).toEqual([undefined, 0, undefined, undefined, undefined, undefined, 0]);
    for (const slot of (await discover(2)).slots) expect(slot).not.toHaveProperty('duplicate_of_input_position');
  });

  it('company: is null when the identity never resolved, and carries source_id otherwise', async () => {
    const { slots } = await enrich(companies);
    for (const { status, company } of slots) expect(company === null).toBe(status === 'UNRESOLVED');
    expect([slots[0].company.source_id, slots[1].company.source_id]).toEqual(['crm-1', 'crm-2']);
  });

  it('company: embeds its prospects when ENRICHED, with what is told of their addresses', async () => {
    for (const { slots } of [await enrich(companies), await discover(2)]) {
      const { prospects } = slots[0].company;
      expect(prospects.length).toBeGreaterThan(0);
      for (const prospect of prospects) {
        expect(Object.keys(prospect)).toEqual(
          expect.arrayContaining([
            'email_status',
            'email_client_deliverable',
            'email_delivery_quality',
            'email_delivery_quality_reason',
          ]),
        );
        expect(prospect).not.toHaveProperty('validation_confidence');
        expect(prospect).not.toHaveProperty('bounce_risk_score');
      }
    }
  });

  it('company: has no contacts when PARTIAL', async () => {
    const { slots } = await enrich(companies);
    expect(slots[2]).toMatchObject({ status: 'PARTIAL', company: { prospects: [] } });
  });

  it('delivered_at: is a timestamp on every item', async () => {
    for (const { slots } of [await enrich(companies), await discover(2)])
      for (const { delivered_at } of slots) expect(delivered_at).toMatch(timestamp);
  });
});

describe('Result summary (on every results page, and as result_summary on the order)', () => {
  it('requested_count: is the rows submitted, or the briefings requested', async () => {
    expect((await enrich(companies)).page.summary.requested_count).toBe(6);
    expect((await discover(5, 'found:2')).page.summary.requested_count).toBe(5);
  });

  it('fully_enriched_count: is the slots with status ENRICHED', async () => {
    expect((await enrich(companies)).page.summary.fully_enriched_count).toBe(1);
    expect((await discover(5, 'found:2')).page.summary.fully_enriched_count).toBe(2);
  });

  it('annotated_count: is the slots that were returned with a reason instead', async () => {
    expect((await enrich(companies)).page.summary.annotated_count).toBe(5);
    expect((await discover(5, 'found:2')).page.summary.annotated_count).toBe(0);
  });

  it('reasons: count the annotated slots, each code once; a discovery summary lists none', async () => {
    const { page, order } = await enrich(companies);
    const worded = { message: expect.any(String), label: expect.any(String) };
    expect(page.summary.reasons).toHaveLength(4);
    expect(page.summary.reasons).toEqual(
      expect.arrayContaining([
        { code: 'DUPLICATE_OF_SLOT', count: 1, ...worded },
        { code: 'WEBSITE_MOVED', count: 2, ...worded },
        { code: 'UNRESOLVED_IDENTITY', count: 1, ...worded },
        { code: 'BLOCKED_FOR_REVIEW', count: 1, ...worded },
      ]),
    );
    for (const { label, message } of page.summary.reasons) expect(label.length).toBeLessThan(message.length);
    expect(order.result_summary).toEqual(page.summary);
    expect((await discover(2)).page.summary.reasons).toEqual([]);
  });
});
