import { createStubPortal, json, rejection } from './stub-portal.ts';

const list = {
  listId: '12',
  listVersion: 1,
  name: 'Do not contact',
  objectTypeId: '0-2',
  processingType: 'MANUAL',
  processingStatus: 'COMPLETE',
};

describe('lists.get', () => {
  it('returns the name and the object type', async () => {
    const { client, calls } = createStubPortal(() => json(200, { list }));
    expect(await client.lists.get('12')).toEqual({ name: 'Do not contact', objectTypeId: '0-2' });
    expect(calls[0]?.path).toBe('/crm/v3/lists/12');
  });

  it('returns undefined when the list does not exist', async () => {
    const { client } = createStubPortal(() => json(404, { category: 'OBJECT_NOT_FOUND', message: 'x' }));
    expect(await client.lists.get('12')).toBeUndefined();
  });

  it('throws when HubSpot rejects the request for another reason', async () => {
    const { client } = createStubPortal(() => json(403, { category: 'MISSING_SCOPES', message: 'x' }));
    expect(await rejection(client.lists.get('12'))).toMatchObject({ category: 'MISSING_SCOPES' });
  });
});

describe('lists.members', () => {
  const pages = [100, 100, 30].map((count, page) =>
    Array.from({ length: count }, (_, index) => ({
      recordId: `${page * 100 + index + 1}`,
      membershipTimestamp: '2026-11-21T12:00:00.000Z',
    })),
  );

  it('reads all pages up to the short last one', async () => {
    const { client, calls } = createStubPortal(({ query }) => {
      const page = Number(query.get('after') ?? 0);
      const next = page + 1 < pages.length ? { paging: { next: { after: `${page + 1}` } } } : {};
      return json(200, { results: pages[page], ...next });
    });
    const ids: string[] = [];
    for await (const page of client.lists.members('12')) ids.push(...page);
    expect(ids).toEqual(Array.from({ length: 230 }, (_, index) => `${index + 1}`));
    expect(calls.map(({ path, query }) => [path, query.get('limit'), query.get('after')])).toEqual([
      ['/crm/v3/lists/12/memberships', '100', null],
      ['/crm/v3/lists/12/memberships', '100', '1'],
      ['/crm/v3/lists/12/memberships', '100', '2'],
    ]);
  });

  it('yields nothing for an empty list', async () => {
    const { client } = createStubPortal(() => json(200, { results: [] }));
    const pagesSeen: string[][] = [];
    for await (const page of client.lists.members('12')) pagesSeen.push(page);
    expect(pagesSeen).toEqual([]);
  });

  it('throws when the paging cursor does not advance', async () => {
    const { client } = createStubPortal(() => json(200, { results: pages[0], paging: { next: { after: '1' } } }));
    const walk = client.lists.members('12');
    await walk.next();
    expect(await rejection(walk.next())).toMatchObject({ kind: 'answer', code: 'CURSOR_STANDS_STILL' });
  });
});
