import { createSandboxPortal } from '../helpers/sandbox-portal.ts';
import { createStubPortal, json, rejection } from './stub-portal.ts';

describe('lists.get', () => {
  it('throws when HubSpot rejects the request for another reason', async () => {
    const { client } = createStubPortal(() => json(403, { category: 'MISSING_SCOPES', message: 'x' }));
    expect(await rejection(client.lists.get('12'))).toMatchObject({ category: 'MISSING_SCOPES' });
  });
});

describe('lists.members', () => {
  it('yields nothing for an empty list', async () => {
    const { client } = createStubPortal(() => json(200, { results: [] }));
    const pagesSeen: string[][] = [];
    for await (const page of client.lists.members('12')) pagesSeen.push(page);
    expect(pagesSeen).toEqual([]);
  });

  it('throws when the paging cursor does not advance', async () => {
    const { client } = createStubPortal(() =>
      json(200, { results: [{ recordId: '1' }], paging: { next: { after: '1' } } }),
    );
    const walk = client.lists.members('12');
    await walk.next();
    expect(await rejection(walk.next())).toMatchObject({ kind: 'answer', code: 'CURSOR_STANDS_STILL' });
  });
});

describe('lists.names', () => {
  it('reads the names of a type from all pages', async () => {
    const { client } = createSandboxPortal();
    const names = Array.from({ length: 501 }, (_, index) => `List ${index}`);
    for (const name of names) await client.lists.create('companies', name);
    await client.lists.create('contacts', 'People');
    expect((await client.lists.names('companies')).toSorted()).toEqual(names.toSorted());
    expect(await client.lists.names('contacts')).toEqual(['People']);
  });

  it('ends when the offset does not advance', async () => {
    const lists = [{ name: 'A', objectTypeId: '0-2' }];
    const { client } = createStubPortal(() => json(200, { lists, offset: 0, hasMore: true }));
    expect(await client.lists.names('companies')).toEqual(['A']);
  });
});
