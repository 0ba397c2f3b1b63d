import { createTestService } from '../sandbox/service/service-harness.ts';

const repeat = <T>(count: number, item: (place: number) => T) =>
  Array.from({ length: count }, (_, place) => item(place));
const lengths = { company_name: 500, website_url: 2_048, city: 255, country: 255, external_id: 255, reason: 2_000 };
/** An entry in which every field is as long as it may be, or longer by so many characters. */
const entryOf = (longer: Partial<typeof lengths> = {}) =>
  Object.fromEntries(
    Object.entries(lengths).map(([field, length]) => {
      const start = field === 'website_url' ? 'https://' : '';
      const more = longer[field as keyof typeof lengths] ?? 0;
      return [field, start.padEnd(length + more, 'x')];
    }),
  );

async function createEntries() {
  // The contract of the answers is checked elsewhere; at 50 MB it would take as long as the rest.
  const service = createTestService({ strictResponses: false });
  const path = `/blacklists/${await service.createBlacklist()}/entries`;
  const add = (entries: unknown[]) => service.ask('POST', path, { entries });
  const total = async () => (await service.ask('GET', path)).body.total;
  return { ...service, path, add, total };
}

describe('Limits', () => {
  it('blacklist name: 1 to 500 characters', async () => {
    const { ask } = createTestService();
    const statuses: number[] = [];
    for (const length of [0, 1, 500, 501])
      statuses.push((await ask('POST', '/blacklists', { name: 'n'.repeat(length) })).status);
    expect(statuses).toEqual([422, 201, 201, 422]);
  });

  it('blacklist description: 2,000 characters at most', async () => {
    const { ask } = createTestService();
    const statuses: number[] = [];
    for (const length of [0, 2_000, 2_001])
      statuses.push((await ask('POST', '/blacklists', { name: 'A', description: 'd'.repeat(length) })).status);
    expect(statuses).toEqual([201, 201, 422]);
  });

  it('entries per add request: 10,000 of the greatest lengths at once', async () => {
    const { ask, path, add, total } = await createEntries();
    const { status, body } = await add(repeat(10_000, () => entryOf()));
    expect([status, body.length]).toEqual([201, 10_000]);
    expect(await total()).toBe(10_000);
    const [last] = (await ask('GET', `${path}?limit=1&offset=9999`)).body.entries;
    expect(last).toMatchObject(entryOf());
  });

  it('entries per add request: neither 0 nor 10,001', async () => {
    const { add, total } = await createEntries();
    for (const count of [0, 10_001])
      expect((await add(repeat(count, (place) => ({ company_name: `Company ${place}` })))).status).toBe(422);
    expect(await total()).toBe(0);
    expect((await add([{ company_name: 'A' }])).status).toBe(201);
  });

  it.each(Object.keys(lengths))('entry field lengths: one character more in %s is refused', async (field) => {
    const { add, total } = await createEntries();
    expect((await add([entryOf({ [field]: 1 })])).status).toBe(422);
    expect(await total()).toBe(0);
    expect((await add([entryOf()])).body).toMatchObject([entryOf()]);
  });

  it('entry ids per remove request: 1 to 1,000', async () => {
    const { ask, path, add, total } = await createEntries();
    const { body } = await add(repeat(1_001, (place) => ({ company_name: `Company ${place}` })));
    const ids = body.map(({ id }: { id: string }) => id);
    const remove = async (entry_ids: string[]) => (await ask('DELETE', path, { entry_ids })).status;
    expect(await remove([])).toBe(422);
    expect(await remove(ids)).toBe(422);
    expect(await total()).toBe(1_001);
    expect(await remove(ids.slice(1))).toBe(204);
    expect(await total()).toBe(1);
    expect(await remove(ids.slice(0, 1))).toBe(204);
  });

  it('blacklist_ids per assignment: 100 at most, duplicates removed', async () => {
    const { ask, createProfile, createBlacklist } = createTestService();
    const path = `/prospect-searches/${await createProfile()}/blacklists`;
    const ids: string[] = [];
    for (let count = 0; count < 101; count += 1) ids.push(await createBlacklist());
    const assign = async (blacklist_ids: string[]) => (await ask('PUT', path, { blacklist_ids })).status;
    const assigned = async () => (await ask('GET', path)).body.blacklists.length;
    expect(await assign(ids.slice(0, 100))).toBe(204);
    expect(await assigned()).toBe(100);
    expect(await assign(ids)).toBe(422);
    expect(await assigned()).toBe(100);
    expect(await assign([...ids.slice(0, 30), ...ids.slice(0, 30)])).toBe(204);
    expect(await assigned()).toBe(30);
    expect(await assign([])).toBe(204);
  });

  it('entries page: limit 1 to 200, 50 when not sent; offset from 0, 0 when not sent', async () => {
    const { ask, path, add } = await createEntries();
    await add(repeat(201, (place) => ({ company_name: `Company ${place}` })));
    const read = async (query: string) => {
      const { status, body } = await ask('GET', `${path}${query}`);
      return status === 200 ? [body.entries.length, body.limit, body.offset] : status;
    };
    expect(await read('')).toEqual([50, 50, 0]);
    expect(await read('?limit=1')).toEqual([1, 1, 0]);
    expect(await read('?limit=200')).toEqual([200, 200, 0]);
    expect(await read('?limit=200&offset=200')).toEqual([1, 200, 200]);
    expect(await read('?offset=0')).toEqual([50, 50, 0]);
    for (const query of ['?limit=0', '?limit=201', '?offset=-1', '?limit=ten', '?offset=1.5'])
      expect(await read(query)).toBe(422);
  });

  it('results page: 50 when not sent, 100 at most', async () => {
    const { ask, createProfile, finishOrder } = createTestService();
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 101 };
    const path = `/orders/${await finishOrder(order)}/results`;
    const read = async (query: string) => {
      const { status, body } = await ask('GET', `${path}${query}`);
      return status === 200 ? [body.items.length, body.has_more, body.total] : status;
    };
    expect(await read('')).toEqual([50, true, 101]);
    expect(await read('?limit=100')).toEqual([100, true, 101]);
    expect(await read('?limit=100&offset=100')).toEqual([1, false, 101]);
    expect(await read('?limit=1&offset=0')).toEqual([1, true, 101]);
    for (const query of ['?limit=101', '?limit=0', '?offset=-1']) expect(await read(query)).toBe(422);
  });
});
