import { createTestService } from '../sandbox/service/service-harness.ts';

const longest = { company_name: 500, website_url: 2_048, city: 255, country: 255, external_id: 255, reason: 2_000 };

/** Not in conformance/: an answer of 50 MB is larger than what a check reads. */
describe('Limits', () => {
  it('entries per add request: 10,000 entries with every field at its greatest length are added at once', async () => {
    // The contract of the answers is checked elsewhere; at 50 MB it would take as long as the rest.
    const { ask, createBlacklist } = createTestService({ strictResponses: false });
    const path = `/blacklists/${await createBlacklist()}/entries`;
    const texts = Object.entries(longest).map(([field, length]) => {
      return [field, (field === 'website_url' ? 'https://' : '').padEnd(length, 'x')];
    });
    const entry = Object.fromEntries(texts);
    const { status, body } = await ask('POST', path, { entries: Array.from({ length: 10_000 }, () => entry) });
    expect([status, body.length]).toEqual([201, 10_000]);
    const page = (await ask('GET', `${path}?limit=1&offset=9999`)).body;
    expect(page).toMatchObject({ total: 10_000, entries: [entry] });
  });
});
