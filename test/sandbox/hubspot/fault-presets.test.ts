import { faultPresets, type FaultPreset } from '../../../sandbox/hubspot/fault-presets.ts';
import { openPortal } from './hubspot-harness.ts';

const companies = '/crm/objects/2026-09/companies';

/** What one call to create a company meets, and whether the company is there afterwards. */
async function meet(preset: FaultPreset, more: object = {}) {
  const { sandbox, portalId, token, call } = openPortal();
  sandbox.faults(portalId).add({ ...faultPresets[preset], path: '/crm/objects/', method: 'POST', times: 1, ...more });
  const headers = { authorization: `Bearer ${token}` };
  const body = JSON.stringify({ properties: { name: 'A' } });
  // Set before the delay of the answer, and shorter: timers of one process fire in the order of their times.
  let isLate = false;
  setTimeout(() => (isLate = true), 10);
  const answer = await sandbox
    .fetch(new Request(`https://api.hubapi.test${companies}`, { method: 'POST', headers, body }))
    .then(async (response) => ({
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      limits: [...response.headers.keys()].filter((name) => name.startsWith('x-hubspot-ratelimit-')).length,
      type: response.headers.get('content-type'),
      text: await response.text(),
    }))
    .catch((error: unknown) => ({ error }));
  const wasLate = isLate;
  const written = (await call('GET', companies)).body.results.length;
  const again = (await call('POST', companies, { properties: { name: 'B' } })).status;
  return { answer, wasLate, written, again };
}

describe('faultPresets', () => {
  it.each([
    ['locked', 423, null, '"category":"LOCKED"', 0],
    ['migrating', 477, '5', '"category":"MIGRATION_IN_PROGRESS"', 0],
    ['error_after_commit', 500, null, '"message":"internal error"', 1],
    ['daily_limit', 429, null, '"policyName":"DAILY"', 0],
    ['ten_secondly_limit', 429, null, '"message":"You have reached your ten_secondly_rolling limit."', 0],
    ['secondly_limit', 429, null, '"policyName":"SECONDLY"', 0],
    ['conflict', 409, null, '"message":"Company already exists. Existing ID: 101"', 0],
  ] as const)('%s', async (preset, status, retryAfter, words, written) => {
    const met = await meet(preset);
    expect(met).toMatchObject({ answer: { status, retryAfter, type: 'application/json' }, written, again: 201 });
    expect(met.answer).toMatchObject({ text: expect.stringContaining(words) });
  });

  it.each([
    ['bad_gateway', 502, 0],
    ['timeout', 504, 0],
    ['timeout_after_commit', 504, 1],
  ] as const)('%s has neither body nor type', async (preset, status, written) => {
    expect(await meet(preset)).toMatchObject({
      answer: { status, retryAfter: null, type: null, text: '' },
      written,
      again: 201,
    });
  });

  it.each([
    ['reset', 0],
    ['reset_after_commit', 1],
  ] as const)('%s breaks the connection', async (preset, written) => {
    expect(await meet(preset)).toMatchObject({
      answer: { error: { message: 'fetch failed', cause: { code: 'ECONNRESET' } } },
      written,
      again: 201,
    });
  });

  it('slow answers late, but answers', async () => {
    expect(faultPresets.slow.delay_ms).toBeGreaterThan(1_000);
    expect(await meet('slow', { delay_ms: 20 })).toMatchObject({ answer: { status: 201 }, wasLate: true, written: 1 });
  });

  it.each([
    ['daily_limit', 2],
    ['ten_secondly_limit', 3],
    ['secondly_limit', 0],
  ] as const)('%s comes with its headers', async (preset, limits) => {
    expect((await meet(preset)).answer).toMatchObject({ limits });
  });

  it.each([
    ['/crm/v3/objects/contacts', 'Contact'],
    ['/crm/objects/2026-03/0-3/batch/create', 'Deal'],
    ['/crm/v3/objects/companies/batch/upsert', 'Company'],
    ['/crm/v4/associations/contacts/companies/batch/create', 'Contact'],
  ])('conflict names the object type of %s', async (path, name) => {
    const { sandbox, portalId, call } = openPortal();
    sandbox.faults(portalId).add({ ...faultPresets.conflict, path: '*', times: 1 });
    expect((await call('POST', path, {})).body.message).toBe(`${name} already exists. Existing ID: 101`);
  });

  it('are all tested here', () => {
    expect(Object.keys(faultPresets)).toHaveLength(13);
  });
});
