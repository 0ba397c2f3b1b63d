import * as fc from 'fast-check';
import { fingerprintOf } from '../../../sandbox/service/idempotency.ts';
import { createTestService, profileInput } from './service-harness.ts';
import { runsOf } from '../../helpers/sample.ts';

const profiles = '/search-profile-creations';

describe('an Idempotency-Key', () => {
  it('ignores the order of fields and white space in the body', async () => {
    const { ask } = createTestService();
    const body = profileInput({ target_cities: ['Bern', 'Basel'] });
    const first = await ask('POST', profiles, body, { idempotencyKey: 'k' });
    const turned = JSON.stringify(Object.fromEntries(Object.entries(body).toReversed()), null, 2);
    expect((await ask('POST', profiles, turned, { idempotencyKey: 'k' })).text).toBe(first.text);
  });

  it('is optional on orders, and belongs to its operation and organisation', async () => {
    const { ask, service, createProfile } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 1 };
    const id = async (options: { idempotencyKey?: string }) =>
      (await ask('POST', '/orders', order, options)).body.order_id;
    expect(await id({})).not.toBe(await id({}));
    expect(await id({ idempotencyKey: 'profile 1' })).toBe(await id({ idempotencyKey: 'profile 1' }));

    const { apiKey } = service.createOrganization({ name: 'other' });
    const mine = await ask('POST', profiles, profileInput(), { idempotencyKey: 'shared' });
    const theirs = await ask('POST', profiles, profileInput({ profile_name: 'B' }), {
      idempotencyKey: 'shared',
      apiKey,
    });
    expect(theirs.status).toBe(202);
    expect(theirs.body.profile_creation_id).not.toBe(mine.body.profile_creation_id);
  });

  it('is not stored for a refused request', async () => {
    const { ask, pass } = createTestService();
    const profile_id = await createTestService().createProfile();
    const order = { order_type: 'DISCOVERY', profile_id, briefing_quantity: 1 };
    expect((await ask('POST', '/orders', order, { idempotencyKey: 'k' })).status).toBe(404);
    await ask('POST', profiles, profileInput(), { idempotencyKey: 'p' });
    pass(2);
    expect((await ask('POST', '/orders', order, { idempotencyKey: 'k' })).status).toBe(201);
  });

  it('creates one order for concurrent equal requests, and conflicts for different ones', async () => {
    const requests = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(requests, async (quantities) => {
        const { ask, createProfile } = createTestService();
        const profile_id = await createProfile();
        const answers = await Promise.all(
          quantities.map((briefing_quantity) =>
            ask('POST', '/orders', { order_type: 'DISCOVERY', profile_id, briefing_quantity }, { idempotencyKey: 'k' }),
          ),
        );
        const created = answers.filter(({ status }) => status === 201);
        expect(new Set(created.map(({ text }) => text)).size).toBe(1);
        const winner = created[0]?.body.briefing_quantity;
        expect(answers.map(({ status }) => status)).toEqual(quantities.map((q) => (q === winner ? 201 : 409)));
      }),
      { numRuns: runsOf(25) },
    );
  });
});

describe('a key whose first request is still being answered', () => {
  it('returns 409 until the first answer is sent, then replays it', async () => {
    const { ask, service, createProfile } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 1 };
    const place = () => ask('POST', '/orders', order, { idempotencyKey: 'k' });
    service.faults.add({ path: '/api/v1/orders', times: 1, delay_ms: 30 });
    const first = place();
    const meanwhile = await place();
    expect([meanwhile.status, meanwhile.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
    expect((await ask('POST', '/orders', order, { idempotencyKey: 'another' })).status).toBe(201);
    expect((await place()).body.code).toBe('IDEMPOTENCY_KEY_IN_USE');
    const { text } = await first;
    expect((await place()).text).toBe(text);
  });
});

describe('fingerprintOf', () => {
  it('differs for other values, not for another order of fields', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (body, added) => {
        const turned = Object.fromEntries(Object.entries(body).toReversed());
        expect(fingerprintOf({ body: turned })).toBe(fingerprintOf({ body }));
        expect(fingerprintOf({ body, added })).not.toBe(fingerprintOf({ body }));
      }),
    );
    expect(fingerprintOf({ a: [1, { c: 1, b: 2 }] })).toBe(fingerprintOf({ a: [1, { b: 2, c: 1 }] }));
    expect(fingerprintOf({ a: [1, 2] })).not.toBe(fingerprintOf({ a: [2, 1] }));
    expect(fingerprintOf({ a: null })).not.toBe(fingerprintOf({}));
    expect(fingerprintOf('1')).not.toBe(fingerprintOf(1));
  });
});
