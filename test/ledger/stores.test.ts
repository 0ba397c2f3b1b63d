import { nothingCounted } from '../../src/service/reading/shape.ts';
import { encodeCells, type DraftSource } from '../../src/ledger/draft-source.ts';
import type { OrderFacts } from '../../src/ledger/order-store.ts';
import { onBothDatabases } from './both-databases.ts';

const order: OrderFacts = {
  orderId: 'order-1',
  runName: 'dach-weekly',
  kind: 'enrichment',
  status: 'RECEIVED',
  profileId: 'profile-1',
  requestedCount: 150,
  externalIdsAreRecordIds: true,
};
const publication = { total: 150, summaryJson: '{"requested_count":150}' };

onBothDatabases(({ open, newPlace }) => {
  const draftRow = (position: number, name: string) => {
    return { position, company: { company_name: name }, sourceRow: null, ownJson: null };
  };

  function draftSource(ordered: number): DraftSource {
    const columns = { used: { company_name: 'Firma' }, ignored: ['Umsatz'] };
    return {
      report: { kind: 'xlsx', rows: ordered, blank: 0, unusable: 0, ordered, columns },
      headers: ['Firma', 'Umsatz'],
    };
  }

  describe('profiles', () => {
    it('are found by their content hash, as last saved', async () => {
      const { profiles } = await open();
      const profile = {
        contentHash: 'c',
        searchHash: 's',
        generation: 0,
        creationId: 'creation-1',
        profileId: null,
        status: 'PENDING',
      };
      await profiles.save(profile);
      expect(await profiles.get('c')).toEqual(profile);
      await profiles.save({ ...profile, generation: 1, creationId: 'creation-2', profileId: 'p', status: 'SUCCEEDED' });
      expect(await profiles.get('c')).toMatchObject({ generation: 1, creationId: 'creation-2', profileId: 'p' });
      expect(await profiles.get('other')).toBeUndefined();
      await profiles.save({ ...profile, contentHash: 'd', profileId: 'q' });
      await profiles.save({ ...profile, contentHash: 'e' });
      expect(await profiles.idsOfSearch('s')).toEqual(new Set(['p', 'q']));
      expect(await profiles.idsOfSearch('c')).toEqual(new Set());
    });
  });

  describe('applied schedules', () => {
    it('are known with their pauses in their own namespace and task queue, until others are applied or they are forgotten', async () => {
      const { appliedSchedules } = await open();
      const [here, elsewhere] = [
        { namespace: 'default', queue: 'ours' },
        { namespace: 'default', queue: 'another' },
      ];
      await appliedSchedules.save(elsewhere, 'weekly', 'holidays');
      await appliedSchedules.replace(here, new Map([['weekly', null]]));
      await appliedSchedules.replace(
        here,
        new Map([
          ['daily', 'budget'],
          ['hourly', ''],
        ]),
      );
      expect(await appliedSchedules.list(here)).toEqual(
        new Map([
          ['daily', 'budget'],
          ['hourly', ''],
        ]),
      );
      await appliedSchedules.save(here, 'daily', null);
      await appliedSchedules.forget(here, 'hourly');
      expect(await appliedSchedules.list(here)).toEqual(new Map([['daily', null]]));
      expect(await appliedSchedules.list(elsewhere)).toEqual(new Map([['weekly', 'holidays']]));
      expect(await appliedSchedules.list({ ...here, namespace: 'other' })).toEqual(new Map());
    });
  });

  describe('blacklists', () => {
    it('are found by name until they are deleted', async () => {
      const { blacklists } = await open();
      await blacklists.save({ name: 'customers', blacklistId: '1' });
      await blacklists.save({ name: 'customers', blacklistId: '2' });
      expect(await blacklists.get('customers')).toEqual({ name: 'customers', blacklistId: '2' });
      await blacklists.forget('2');
      expect(await blacklists.get('customers')).toBeUndefined();
    });
  });

  describe('drafts.save', () => {
    it('keeps the first rows in the order of their positions, and returns their number', async () => {
      const { drafts } = await open();
      const rows = Array.from({ length: 1_203 }, (_, position) => draftRow(position, `Company ${position}`));
      expect(await drafts.save('draft', rows.toReversed(), draftSource(1_203))).toEqual(draftSource(1_203));
      expect(await drafts.save('draft', [draftRow(0, 'Other')], draftSource(1))).toEqual(draftSource(1_203));
      expect(await drafts.read('draft')).toEqual(rows.map(({ company }) => company));
      expect(await drafts.count('draft')).toBe(1_203);
    });

    it('keeps one draft when two are saved at once', async () => {
      const { drafts } = await open();
      const rowsOf = (name: string, count: number) =>
        Array.from({ length: count }, (_, position) => draftRow(position, name));
      const kept = await Promise.all([
        drafts.save('draft', rowsOf('a', 700), draftSource(700)),
        drafts.save('draft', rowsOf('b', 900), draftSource(900)),
      ]);
      expect(kept[0]).toEqual(kept[1]);
      const stored = await drafts.read('draft');
      expect(stored).toHaveLength(kept[0].report.ordered);
      expect(new Set(stored.map(({ company_name: name }) => name)).size).toBe(1);
    });

    it('keeps nothing when a row is rejected', async () => {
      const { drafts } = await open();
      const twice = [...Array.from({ length: 600 }, (_, position) => position), 0];
      const refused = drafts.save(
        'draft',
        twice.map((position) => draftRow(position, 'Erika Mustermann')),
        draftSource(601),
      );
      await expect(refused).rejects.toMatchObject({ name: 'LedgerError', reason: 'failed' });
      await expect(refused).rejects.not.toThrow(/Mustermann/);
      expect(await drafts.count('draft')).toBe(0);
      expect(await drafts.save('draft', [], draftSource(0))).toEqual(draftSource(0));
      expect(await drafts.save('draft', [draftRow(0, 'a')], draftSource(1))).toEqual(draftSource(0));
    });

    it('keeps the cells of the user’s file for each row, and finds them by the order', async () => {
      const { drafts, orderRequests } = await open();
      const ownCells = ['Müller', 1001.5, true, new Date('2026-03-31T00:00:00Z'), ''];
      const rows = [draftRow(0, 'a'), { ...draftRow(1, 'b'), sourceRow: 4, ownJson: encodeCells(ownCells) }];
      await drafts.save('draft', rows, draftSource(2));
      const submission = { kind: 'enrichment' as const, quantity: 2 };
      const sent = { title: 'Weekly', profileId: 'p', bodyJson: '{}', at: '' };
      const request = { runName: 'weekly', runKey: 'draft', ...sent, ...submission };
      await orderRequests.open({ idempotencyKey: 'first', ...request });
      await orderRequests.open({ idempotencyKey: 'second', ...request });
      await orderRequests.settleRun('weekly', 'order');
      const found = await drafts.ofOrder('order');
      expect(found).toEqual({ draftId: 'draft', ...draftSource(2) });
      expect(await drafts.ofOrder('other')).toBeNull();
      expect([...(await drafts.origins('draft', { from: 0, to: 9 }))]).toEqual([[1, { sourceRow: 4, ownCells }]]);
    });
  });

  describe('orders', () => {
    it('keep their publication and known fields when they are saved again', async () => {
      const { orders } = await open();
      await orders.save({ ...order, minDeliveredPercent: 80 });
      const none = {
        features: null,
        delivered: null,
        delivery: null,
        maxWithoutPeoplePercent: null,
        publishedAt: null,
        title: null,
        deliveringRun: null,
      };
      const saved = { ...order, ...none, minDeliveredPercent: 80 };
      expect(await orders.get('order-1')).toEqual({
        ...saved,
        total: null,
        summaryJson: null,
      });
      await orders.publish('order-1', publication);
      await orders.saveDelivered('order-1', 7);
      await orders.save({ ...order, runName: null, profileId: null, status: 'IN_PROGRESS' });
      const status = 'IN_PROGRESS';
      expect(await orders.get('order-1')).toEqual({ ...saved, ...publication, status, delivered: 7 });
      const quantities = [['order-1', { ordered: order.requestedCount, delivered: 7 }]];
      expect([...(await orders.quantities(['order-1', 'order-2']))]).toEqual(quantities);
      expect(await orders.get('order-2')).toBeUndefined();
    });

    it('accept one published total only, which may be 0', async () => {
      const { orders } = await open();
      await orders.save({ ...order, externalIdsAreRecordIds: false });
      await orders.publish('order-1', { ...publication, total: 0 });
      await orders.publish('order-1', { ...publication, total: 0, summaryJson: '{}' });
      await expect(orders.publish('order-1', publication)).rejects.toMatchObject({ reason: 'changed' });
      expect(await orders.get('order-1')).toMatchObject({
        total: 0,
        summaryJson: '{}',
        externalIdsAreRecordIds: false,
      });
    });

    it('must be saved before they are published', async () => {
      const { orders } = await open();
      await expect(orders.publish('order-1', publication)).rejects.toMatchObject({ reason: 'unknown' });
    });
  });

  describe('records', () => {
    it('are found by key, separately for companies and contacts, also for many keys', async () => {
      const { records } = await open();
      const rows = Array.from({ length: 1_203 }, (_, index) => ({ key: `key-${index}`, recordId: `id-${index}` }));
      await records.save('companies', rows);
      await records.save('contacts', [{ key: 'key-0', recordId: 'contact' }]);
      await records.save('companies', [{ key: 'key-1', recordId: 'replaced' }]);
      const found = await records.ids('companies', [...rows.map((row) => row.key), 'unknown', 'key-1']);
      expect(found.size).toBe(1_203);
      expect(found.get('key-0')).toBe('id-0');
      expect(found.get('key-1')).toBe('replaced');
      expect((await records.ids('companies', ['key-0', 'key-2'])).size).toBe(2);
      expect(await records.ids('contacts', ['key-0'])).toEqual(new Map([['key-0', 'contact']]));
      expect(await records.ids('contacts', [])).toEqual(new Map());
    });
  });

  describe('written records', () => {
    const values = new Map([['name', { value: 'Acme', digest: null, previous: null }]]);
    const written = (recordId: string) => ({
      recordId,
      orderId: 'order-1',
      writtenAt: '2026-11-23T08:00:00.000Z',
      values,
    });
    const ids = ['key acme', '1'];

    it.each([
      ['before the record is known', ['key', 'id']],
      ['after the record is known', ['id', 'key']],
    ])('have one row for each record when an attempt stores them under the key %s', async (_, order) => {
      const { records, writtenRecords } = await open();
      for (const step of order) {
        if (step === 'key') await writtenRecords.save('companies', { merged: [written('key acme')] });
        else await records.save('companies', [{ key: 'acme', recordId: '1' }]);
      }
      const rows = await writtenRecords.read('companies', ids);
      expect([...rows.keys()]).toEqual(order[0] === 'key' ? ['1'] : []);
    });

    it('have one row for each record when two attempts store them at once', async () => {
      const place = await newPlace();
      const [paused, next] = [await open(place), await open(place)];
      for (let round = 0; round < 20; round += 1) {
        const key = `acme-${round}`;
        await next.writtenRecords.save('companies', { merged: [written(`${round}`)] });
        await Promise.all([
          paused.writtenRecords.save('companies', { merged: [written(`key ${key}`)] }),
          next.records.save('companies', [{ key, recordId: `${round}` }]),
        ]);
        const rows = await next.writtenRecords.read('companies', [`key ${key}`, `${round}`]);
        expect([...rows.keys()]).toEqual([`${round}`]);
      }
    });
  });

  describe('files', () => {
    it('are stored once per order and kind, of any size', async () => {
      const { files } = await open();
      const facts = {
        orderId: 'order-1',
        path: '/out/order-1',
        rows: 3,
        sha256: 'f',
        writtenAt: '2026-11-23T08:00:00Z',
      };
      const layout = { rows: 'slot', columns: { Size: 'company.name' } } as const;
      const contentOf = (sha256: string) => ({ layout, keys: ['position'], sha256 });
      await files.save({ ...facts, kind: 'xlsx', bytes: 5_000_000_000, content: null });
      await files.save({ ...facts, kind: 'csv', bytes: 1, content: contentOf('1') });
      await files.save({ ...facts, kind: 'csv', bytes: 2, content: contentOf('2') });
      expect(await files.list('order-1')).toEqual([
        { ...facts, kind: 'csv', bytes: 2, content: contentOf('2') },
        { ...facts, kind: 'xlsx', bytes: 5_000_000_000, content: null },
      ]);
      expect(await files.list('order-2')).toEqual([]);
    });
  });

  describe('certificates.latest', () => {
    it('returns the last certificate of the order', async () => {
      const { certificates } = await open();
      const certificate = {
        orderId: 'order-1',
        at: '2026-11-23T09:00:00Z',
        reconciled: 150,
        total: 150,
        findingsJson: '[]',
        documentJson: '{"format":"…"}',
        path: '/out/order-1.certificate.json',
      };
      await certificates.save(certificate);
      await certificates.save({ ...certificate, at: '2026-11-22T09:00:00Z', reconciled: 149 });
      expect(await certificates.latest('order-1')).toEqual(certificate);
      expect(await certificates.latest('order-2')).toBeUndefined();
    });
  });

  describe('orders.save', () => {
    it('keeps the ordered features, whatever a later answer contains', async () => {
      const { orders } = await open();
      await orders.save({ ...order, features: ['COMPANY_DATA', 'CONTACTS'] });
      await orders.save({ ...order, features: ['ANALYSIS'] });
      await orders.save({ ...order, features: null });
      expect((await orders.get('order-1'))?.features).toEqual(['COMPANY_DATA', 'CONTACTS']);
    });
  });

  describe('shapes', () => {
    it('are stored by scope and operation, as last saved, until they are deleted', async () => {
      const { shapes } = await open();
      const learned = (enriched: number) => {
        const counts = { ...nothingCounted, enriched };
        return { shape: { company: {}, prospect: {} }, counts, unusable: {}, unread: {} };
      };
      const row = { scope: 'service a', operation: 'listResults', json: '{}', learntAt: '2026-11-22T10:00:00.000Z' };
      await shapes.save(row);
      await shapes.save({ ...row, json: JSON.stringify(learned(7)) });
      await shapes.save({ ...row, operation: 'createOrder' });
      await shapes.save({ ...row, scope: 'service b' });
      expect(await shapes.results('service a')).toEqual({ ...learned(7), learntAt: row.learntAt });
      expect((await shapes.list('service a')).map(({ operation }) => operation)).toEqual([
        'createOrder',
        'listResults',
      ]);
      expect(await shapes.forget('service a')).toBe(2);
      expect(await shapes.list('service a')).toEqual([]);
      expect(await shapes.list('service b')).toHaveLength(1);
    });

    it('let slots of orders without a learned shape be read by their earlier field names', async () => {
      const { slots } = await open();
      const company = { id: 'c', name: 'Acme', prospects: [{ email: 'a@acme.example' }] };
      const json = JSON.stringify({ input_position: 0, status: 'ENRICHED', company });
      const stored = { position: 0, hash: 'h', status: 'ENRICHED', reasonCodes: [], externalId: null, json };
      await slots.save('order-1', [stored]);
      const [parsed] = await slots.readParsed('order-1', { from: 0, to: 1 });
      expect(parsed?.slot.company).toMatchObject({ id: 'c', name: 'Acme', prospects: [{ email: 'a@acme.example' }] });
    });
  });

  describe('orderRequests', () => {
    const request = {
      idempotencyKey: 'key-1',
      runName: 'weekly',
      runKey: 'run/weekly/1#a',
      title: 'Weekly',
      profileId: 'p',
      bodyJson: '{"a":1}',
      at: '2026-11-22T10:00:00.000Z',
      kind: 'discovery' as const,
      quantity: 300,
    };

    it('keep the first body of a key, and return the oldest open request first', async () => {
      const { orderRequests } = await open();
      await orderRequests.open(request);
      await orderRequests.open({ ...request, bodyJson: '{"a":2}' });
      await orderRequests.open({ ...request, idempotencyKey: 'key-0', at: '2026-11-21T10:00:00.000Z' });
      await orderRequests.open({ ...request, idempotencyKey: 'key-2', runName: 'monthly' });
      expect((await orderRequests.get('key-1'))?.bodyJson).toBe('{"a":1}');
      expect((await orderRequests.unresolvedOf('weekly'))?.idempotencyKey).toBe('key-0');
    });

    it('are stored only while the number of requests is the known one, of several writers at once by one', async () => {
      const { orderRequests } = await open();
      const known = await orderRequests.count();
      const keys = Array.from({ length: 8 }, (_, number) => `key-${number}`);
      const stored = await Promise.all(
        keys.map((idempotencyKey) => orderRequests.open({ ...request, idempotencyKey }, known)),
      );
      expect(stored.filter(Boolean)).toHaveLength(1);
      expect(await orderRequests.count()).toBe(known + 1);
    });

    it('delete their body once their outcome is known', async () => {
      const { orderRequests } = await open();
      await orderRequests.open(request);
      await orderRequests.settle('key-1', { state: 'placed', orderId: 'order-1' });
      expect(await orderRequests.get('key-1')).toMatchObject({ state: 'placed', orderId: 'order-1', bodyJson: null });
      await orderRequests.open({ ...request, idempotencyKey: 'key-2' });
      await orderRequests.settle('key-2', { state: 'refused' });
      expect(await orderRequests.get('key-2')).toMatchObject({ state: 'refused', orderId: null, bodyJson: null });
      expect(await orderRequests.unresolvedOf('weekly')).toBeUndefined();
    });

    it('are settled by the order that a user names for their run', async () => {
      const { orderRequests } = await open();
      await orderRequests.open(request);
      await orderRequests.open({ ...request, idempotencyKey: 'key-2', runName: 'monthly' });
      await orderRequests.settleRun('weekly', 'order-9');
      expect(await orderRequests.get('key-1')).toMatchObject({ state: 'placed', orderId: 'order-9' });
      expect(await orderRequests.unresolvedOf('monthly')).toBeDefined();
    });
  });

  describe('slots.firstMissing', () => {
    it('is the first missing position', async () => {
      const { slots } = await open();
      const slot = (position: number) => ({
        position,
        hash: `h${position}`,
        status: 'ENRICHED',
        reasonCodes: [],
        externalId: null,
        json: '{}',
      });
      expect(await slots.firstMissing('order-1', { from: 0, to: 9 })).toBe(0);
      await slots.save('order-1', [0, 1, 2].map(slot));
      expect(await slots.firstMissing('order-1', { from: 0, to: 9 })).toBe(3);
      expect(await slots.firstMissing('order-1', { from: 3, to: 9 })).toBe(3);
      await slots.save('order-1', [slot(5)]);
      expect(await slots.firstMissing('order-1', { from: 0, to: 9 })).toBe(0);
    });
  });
});
