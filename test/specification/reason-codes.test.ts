import { discover, enrich } from './surroundings.ts';

/** A row that ends with a reason code: what is told of it, and the company beside it. */
async function endingWith(code: string, scheme = 'https://acme.') {
  const website_url = `${scheme}${code.toLowerCase().replaceAll('_', '-')}.example`;
  const { slots, page } = await enrich([{ company_name: 'Acme', website_url }]);
  const { status, reason_codes, reasons, company } = slots[0];
  const summary = page.summary.reasons.map((reason: { code: string; count: number }) => [reason.code, reason.count]);
  return { ended: { status, reason_codes, reasons }, company, summary, website_url };
}

const ended = (status: string, code: string, detail?: unknown) => ({
  status,
  reason_codes: [code],
  reasons: [{ code, message: expect.stringMatching(/\w+ \w+/), ...(detail === undefined ? {} : { detail }) }],
});

describe('Reason codes', () => {
  it('POLICY_ELIGIBLE: is ENRICHED, without detail, in orders of both kinds', async () => {
    const { slots, page } = await enrich([{ company_name: 'Acme' }]);
    expect(slots).toMatchObject([ended('ENRICHED', 'POLICY_ELIGIBLE')]);
    expect(page.summary.reasons).toEqual([]);
    for (const slot of (await discover(2)).slots) expect(slot).toMatchObject(ended('ENRICHED', 'POLICY_ELIGIBLE'));
  });

  it('HISTORICAL_DELIVERY_CONFIRMED: is ENRICHED, without detail, on legacy orders', async () => {
    const legacy = await enrich([{ company_name: 'Acme' }], 'outcome:HISTORICAL');
    expect(legacy.slots).toMatchObject([ended('ENRICHED', 'HISTORICAL_DELIVERY_CONFIRMED')]);
    expect(legacy.slots[0].reasons[0]).not.toHaveProperty('detail');
    expect(legacy.page.summary.fully_enriched_count).toBe(1);
  });

  it('HISTORICAL_POLICY_EXCLUDED: is PARTIAL, without detail', async () => {
    const { ended: end, summary } = await endingWith('HISTORICAL_POLICY_EXCLUDED');
    expect(end).toEqual(ended('PARTIAL', 'HISTORICAL_POLICY_EXCLUDED'));
    expect(summary).toEqual([['HISTORICAL_POLICY_EXCLUDED', 1]]);
  });

  it('WEBSITE_UNREACHABLE: is PARTIAL, with the URL tried', async () => {
    const { ended: end, website_url } = await endingWith('WEBSITE_UNREACHABLE');
    expect(end).toEqual(ended('PARTIAL', 'WEBSITE_UNREACHABLE', website_url));
    const bare = await endingWith('WEBSITE_UNREACHABLE', 'www.acme.');
    expect(URL.canParse(bare.ended.reasons[0].detail)).toBe(true);
  });

  it("WEBSITE_MOVED: is PARTIAL, with the origin redirected to, which is not the company's own", async () => {
    const { ended: end, website_url } = await endingWith('WEBSITE_MOVED');
    expect(end).toEqual(ended('PARTIAL', 'WEBSITE_MOVED', expect.any(String)));
    const { detail } = end.reasons[0];
    expect(new URL(detail).origin).toBe(detail);
    expect(detail).not.toBe(new URL(website_url).origin);
  });

  it.each([
    'WEBSITE_BLOCKED',
    'WEBSITE_EMPTY',
    'NO_PEOPLE_FOUND',
    'NO_EMAIL_FOUND',
    'NOT_PROCESSED',
    'REQUIRED_CONTACT_PATH_MISSING',
    'COMPANY_SCORE_BELOW_MINIMUM',
    'PROSPECT_SCORE_BELOW_MINIMUM',
  ])('%s: is PARTIAL, without detail and without contacts', async (code) => {
    const { ended: end, company, summary } = await endingWith(code);
    expect(end).toEqual(ended('PARTIAL', code));
    expect(company.prospects).toEqual([]);
    expect(summary).toEqual([[code, 1]]);
  });

  it('UNRESOLVED_IDENTITY: is UNRESOLVED, without detail and without a company', async () => {
    const { ended: end, company, summary } = await endingWith('UNRESOLVED_IDENTITY');
    expect([end, company]).toEqual([ended('UNRESOLVED', 'UNRESOLVED_IDENTITY'), null]);
    expect(summary).toEqual([['UNRESOLVED_IDENTITY', 1]]);
  });

  it('DUPLICATE_OF_SLOT: is DUPLICATE, without detail, on the later of two rows with the same company', async () => {
    const row = { company_name: 'Acme', website_url: 'https://acme.test' };
    const { slots, page } = await enrich([row, { company_name: 'Other' }, row]);
    expect(slots[0].status).toBe('ENRICHED');
    expect(slots[2]).toMatchObject({ ...ended('DUPLICATE', 'DUPLICATE_OF_SLOT'), duplicate_of_input_position: 0 });
    expect(slots[2].reasons[0]).not.toHaveProperty('detail');
    expect(page.summary.reasons).toMatchObject([{ code: 'DUPLICATE_OF_SLOT', count: 1 }]);
  });

  it('BLOCKED_FOR_REVIEW: is BLOCKED, without detail', async () => {
    const { ended: end, summary } = await endingWith('BLOCKED_FOR_REVIEW');
    expect(end).toEqual(ended('BLOCKED', 'BLOCKED_FOR_REVIEW'));
    expect(summary).toEqual([['BLOCKED_FOR_REVIEW', 1]]);
  });

  it('RESULT_LIMIT_EXCEEDED: stands on what a discovery order found outside the requested quantity', async () => {
    const { slots, page } = await discover(2, 'outcome:RESULT_LIMIT_EXCEEDED');
    const outside = slots.filter((slot: { reason_codes: string[] }) =>
      slot.reason_codes.includes('RESULT_LIMIT_EXCEEDED'),
    );
    expect(outside.length).toBeGreaterThan(0);
    expect(slots.slice(0, 2)).toMatchObject([{ status: 'ENRICHED' }, { status: 'ENRICHED' }]);
    expect(slots.slice(2)).toEqual(outside);
    expect(outside[0].reasons).toEqual([{ code: 'RESULT_LIMIT_EXCEEDED', message: expect.any(String) }]);
    expect(page.summary).toMatchObject({ requested_count: 2, fully_enriched_count: 2, reasons: [] });
  });
});
