import { defaultReplyPolicy } from '../../src/config/reply-policy.ts';
import { CamelCasePlugin, Kysely } from 'kysely';
import { createErasureFailures } from '../../src/ledger/erasure-failures.ts';
import { createKeyring } from '../../src/ledger/keyring.ts';
import type { DescribedEntry } from '../../src/ledger/blacklist-store.ts';
import type { Ledger, LedgerLocation } from '../../src/ledger/ledger.ts';
import { noEvidence } from '../../src/ledger/outcome-store.ts';
import { createPostgresDialect } from '../../src/ledger/postgres.ts';
import { createSqliteDialect } from '../../src/ledger/sqlite.ts';
import type { StoredSlot } from '../../src/ledger/stored-slot.ts';
import type { Tables } from '../../src/ledger/tables.ts';
import { addressKey, toListingId } from '../../src/ledger/identity.ts';
import { readRefusal } from '../../src/replies/refusal.ts';
import { reply } from '../replies/reply-body.ts';
import { onDatabasesOfAll } from './both-databases.ts';

const orderId = '11111111-2222-4333-8444-555555555555';
const email = 'jane@acme.de';
const jane = { kind: 'email', value: email } as const;
const acme = { kind: 'domain', value: 'acme.de' } as const;
const at = '2026-11-20T00:00:00.000Z';

function open(place: LedgerLocation): Kysely<Tables> {
  const dialect =
    'databaseUrl' in place
      ? createPostgresDialect(place)
      : createSqliteDialect({ busyTimeoutMilliseconds: 1_000, ...place });
  return new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
}

function createEntry(entryId: string, company: DescribedEntry['company']): DescribedEntry {
  const json = JSON.stringify({ company_name: company.name, website_url: company.website_url });
  return { entryId, blacklistId: 'list', lastSeenAt: at, json, company };
}

function createSlot(position: number, company: object): StoredSlot {
  const json = JSON.stringify({ input_position: position, status: 'ENRICHED', reason_codes: [], company });
  return { position, hash: `hash ${position}`, status: 'ENRICHED', reasonCodes: [], externalId: null, json };
}

const acmeSlot = createSlot(0, { domain: 'acme.de', prospects: [{ email, full_name: 'Jane Doe' }] });
const otherSlot = createSlot(1, { domain: 'other.de', prospects: [{ email: 'max@other.de' }] });

describe('ledger.erasures', () => {
  onDatabasesOfAll(({ newPlace, open: openLedger }) => {
    it('stores the keys of contacts as digests that only its secret yields, and finds them by the plain key', async () => {
      const place = await newPlace();
      const ledger = await openLedger(place);
      const key = addressKey(email);
      const item = {
        orderId,
        position: 0,
        projectionId: 'p',
        planned: null,
        rule: null,
        outcome: 'created',
        at,
      } as const;
      await ledger.outcomes.record([
        { ...item, ...noEvidence, item: 'company', recordId: '1', matchKey: 'acme.de' },
        { ...item, ...noEvidence, item: 'contact:0', recordId: '2', matchKey: key },
      ]);
      const values = new Map([['email', { value: null, digest: 'd', previous: null }]]);
      await ledger.writtenRecords.save('contacts', {
        merged: [{ recordId: `key ${key}`, orderId, writtenAt: at, values }],
      });
      const written = (await ledger.writtenRecords.read('contacts', [`key ${key}`])).get(`key ${key}`);
      expect(written?.values).toEqual(values);
      await ledger.records.save('contacts', [{ key, recordId: '2' }]);
      expect(await ledger.records.ids('contacts', [key])).toEqual(new Map([[key, '2']]));
      await ledger.slots.save(orderId, [acmeSlot]);
      expect(await ledger.outcomeQueries.trace({ contactKey: key })).toHaveLength(1);
      expect(await ledger.outcomeQueries.trace({ matchKey: 'acme.de' })).toHaveLength(1);
      const db = open(place);
      const stored = JSON.stringify([
        await db.selectFrom('records').selectAll().execute(),
        await db.selectFrom('outcomes').selectAll().execute(),
        await db.selectFrom('writtenRecords').selectAll().execute(),
      ]);
      await db.destroy();
      expect(stored).not.toContain(key);
    });

    it('has one secret for all processes, and another one for another ledger', async () => {
      const place = await newPlace();
      const [first, second] = await Promise.all([openLedger(place), openLedger(place)]);
      await first.records.save('contacts', [{ key: 'k', recordId: '1' }]);
      expect(await second.records.ids('contacts', ['k'])).toEqual(new Map([['k', '1']]));
      const keyring = createKeyring('c2VjcmV0');
      expect(keyring.contactKey('k')).not.toBe(createKeyring('b3RoZXI').contactKey('k'));
      expect(keyring.tombstone(jane)).not.toContain('jane');
    });

    it('stores later slots without who was forgotten, in every process, and with the digest of what was published', async () => {
      const place = await newPlace();
      const [first, second] = await Promise.all([openLedger(place), openLedger(place)]);
      await second.slots.save('earlier', [acmeSlot]);
      await first.tombstones.add([jane], at);
      await second.slots.save(orderId, [acmeSlot, otherSlot]);
      const [stored, other] = await first.slots.read(orderId, { from: 0, to: 2 });
      expect(stored).toMatchObject({ hash: 'hash 0' });
      expect(stored?.json).not.toMatch(/jane/i);
      expect(other).toEqual(otherSlot);
      expect(await first.erasures.ofOrder(orderId)).toMatchObject({ scope: 'people' });
      // Reading the same slots again is no change of the published set.
      await second.slots.save(orderId, [acmeSlot, otherSlot]);
      await expect(second.slots.save(orderId, [{ ...acmeSlot, hash: 'new' }])).rejects.toMatchObject({
        reason: 'changed',
      });
    });

    it('finds who is stored while the tombstone is added', async () => {
      const place = await newPlace();
      const [first, second] = await Promise.all([openLedger(place), openLedger(place)]);
      const slots = Array.from({ length: 40 }, (_, index) => [{ ...acmeSlot, position: index }]);
      await Promise.all([
        ...slots.map((slot) => second.slots.save(orderId, slot)),
        first.tombstones.add([jane], at).then(() => eraseForgotten(first)),
      ]);
      const stored = await first.slots.read(orderId, { from: 0, to: 40 });
      expect(stored).toHaveLength(40);
      expect(stored.filter(({ json }) => json.includes('jane'))).toEqual([]);
    });

    it('erases a reply of 4,000 nested brackets that names the person, and the places after it', async () => {
      const ledger = await openLedger();
      const [open, close] = ['['.repeat(4_000), ']'.repeat(4_000)];
      await ledger.replies.receive(
        { ...toReply('hostile', `${open}"jane@acme.de"${close}`), state: 'quarantined' },
        [],
      );
      await ledger.replies.receive({ ...toReply('other', `${open}${close}`), state: 'quarantined' }, []);
      await ledger.suppressions.add({ identifier: jane, at, by: 'Olga', reason: 'asked' });
      await ledger.tombstones.add([jane], at);
      const rows = (await eraseForgotten(ledger)).slice(-3, -1).map(({ rows: count }) => count);
      expect(rows).toEqual([1, 1]);
      expect((await ledger.replies.get('hostile'))?.body).toBeNull();
      expect((await ledger.replies.get('other'))?.body).toBe(`${open}${close}`);
    });

    it.each(['received', 'quarantined', 'test'] as const)(
      'stores a %s reply that names who was forgotten without its text, and one of others with it',
      async (state) => {
        const ledger = await openLedger();
        await ledger.tombstones.add([jane, { kind: 'domain', value: 'bolt.example' }], at);
        const bodies = {
          person: reply({}, { prospect_email: 'Jane@acme.de' }),
          text: reply({}, { prospect_email: 'a@other.de', reply_text: 'Ask *jane%40acme.de*.' }),
          domain: reply({}, { prospect_email: 'a@bolt.example' }),
          website: reply({}, { reply_text: 'See https://www.bolt.example/.' }),
          unreadable: `${'['.repeat(4_000)}jane@acme.de`,
        };
        for (const [id, body] of Object.entries(bodies)) {
          const stored = await ledger.replies.receive({ ...toReply(id, body), state }, []);
          expect(stored).toMatchObject({ state: state === 'received' ? 'quarantined' : state, reason: 'forgotten' });
          expect(await ledger.replies.get(id)).toMatchObject({ body: null, suppressedAt: null });
          // A repeated delivery changes nothing.
          expect(await ledger.replies.receive({ ...toReply(id, body), state }, [])).toEqual(stored);
        }
        const other = reply({}, { prospect_email: 'a@other.de', reply_from_email: 'a@other.de' });
        await ledger.replies.receive({ ...toReply('other', other), state, campaignId: 'for jane@acme.de' }, []);
        expect(await ledger.replies.get('other')).toMatchObject({ body: null, campaignId: null });
        expect(await ledger.replies.receive({ ...toReply('kept', other), state }, [])).toMatchObject({ state });
        expect((await ledger.replies.get('kept'))?.body).toBe(other);
      },
    );

    it.each([
      ['the company', acme],
      ['a person after whom it is named', { kind: 'name', value: 'jane doe@acme.de' }],
    ] as const)('erases the name of a suppressed company with %s, and does not keep it again', async (_, forgotten) => {
      const ledger = await openLedger();
      const suppressed = { at, by: 'Olga', reason: 'asked', name: ' Jane  Doe' };
      const other = { kind: 'domain', value: 'other.de' } as const;
      for (const identifier of [acme, other]) await ledger.suppressions.add({ identifier, ...suppressed });
      const names = async () => (await Array.fromAsync(ledger.suppressions.companies())).flat();
      const known = { domain: 'other.de', names: [{ company_name: 'Jane  Doe' }] };
      expect(await names()).toEqual([{ ...known, domain: 'acme.de' }, known]);
      await ledger.tombstones.add([forgotten], at);
      await ledger.suppressions.add({ identifier: acme, ...suppressed, name: 'JANE Doe' });
      expect((await eraseForgotten(ledger)).at(-1)).toMatchObject({ place: 'suppressed_names', rows: 1 });
      await ledger.suppressions.add({ identifier: acme, ...suppressed });
      expect(await names()).toEqual([{ domain: 'acme.de', names: [] }, known]);
    });

    // Guarantee: A later reply does not bring the person back
    it('suppresses a forgotten person who refuses later, or whose refusal was not processed, by the digest only', async () => {
      const place = await newPlace();
      const ledger = await openLedger(place);
      const max = { kind: 'email', value: 'max@acme.de' } as const;
      const refusal = (email: string) => toRefusal({ prospect_email: email, reply_from_email: email });
      await ledger.replies.receive({ ...toReply('before', refusal(max.value)), ...refused }, [max]);
      expect(await ledger.suppressions.isSuppressed(max)).toBe(true);
      await ledger.tombstones.add([jane, max], at);
      const failures = createErasureFailures();
      await ledger.erasures.forget(at, failures, (body) => readRefusal(body, defaultReplyPolicy));
      expect(failures.failed).toEqual([]);
      expect(await ledger.replies.get('before')).toMatchObject({
        state: 'quarantined',
        reason: 'forgotten',
        body: null,
        suppressedAt: at,
      });
      await ledger.replies.receive({ ...toReply('later', refusal(email)), ...refused }, [jane]);
      expect(await ledger.replies.get('later')).toMatchObject({ body: null, suppressedAt: expect.any(String) });
      // A person whom a user adds.
      const joe = { kind: 'email', value: 'joe@acme.de' } as const;
      await ledger.tombstones.add([joe], at);
      await ledger.suppressions.add({ identifier: joe, at, by: 'Olga', reason: 'joe@acme.de called.' });
      for (const identifier of [jane, max, joe]) expect(await ledger.suppressions.isSuppressed(identifier)).toBe(true);
      expect(JSON.stringify(await ledger.suppressions.list({ withRemoved: true }))).not.toMatch(/acme/i);
      expect(await ledger.suppressions.remove({ identifier: joe, at, by: 'joe@acme.de', reason: 'r' })).toBe(true);
      expect(JSON.stringify(await ledger.suppressions.list({ withRemoved: true }))).not.toMatch(/acme/i);
    });

    // Guarantee: A later reply does not bring the person back
    it('stores no reply of a person who is forgotten while it is received', async () => {
      const place = await newPlace();
      const [first, second] = await Promise.all([openLedger(place), openLedger(place)]);
      const body = reply({}, { prospect_email: email });
      const ids = Array.from({ length: 40 }, (_, index) => `reply ${index}`);
      await Promise.all([
        ...ids.map((id) => second.replies.receive(toReply(id, body), [])),
        first.tombstones.add([jane], at).then(() => eraseForgotten(first)),
      ]);
      for (const id of ids) expect((await first.replies.get(id))?.body).toBeNull();
    });

    // Guarantee: One place that cannot be erased does not stop the erasure of others
    it('erases the other places when one fails, names it without the person, and continues when it is repeated', async () => {
      const place = await newPlace();
      const ledger = await openLedger(place);
      await saveOrder(ledger, orderId, 1);
      await ledger.slots.save(orderId, [acmeSlot]);
      await ledger.replies.receive(toReply('reply', '"jane@acme.de"'), []);
      await ledger.tombstones.add([jane], at);
      const db = open(place);
      const rename = (from: string, to: string) => db.schema.alterTable(from).renameTo(to).execute();
      // The first place fails.
      await rename('slots', 'slots_of_before');
      const failures = createErasureFailures();
      await ledger.erasures.forget(at, failures, () => []);
      expect(failures.failed).toEqual([
        { place: expect.stringContaining('slots.json'), problem: expect.stringMatching(/^LedgerError: \w+$/) },
      ]);
      expect((await ledger.replies.get('reply'))?.body).toBeNull();
      const expired = createErasureFailures();
      await ledger.erasures.expire('2999-01-01', { at, preview: false, failures: expired });
      expect(expired.failed[0]).toMatchObject({ place: expect.stringContaining('slots.json') });
      await rename('slots_of_before', 'slots');
      await db.destroy();
      await eraseForgotten(ledger);
      expect((await ledger.slots.read(orderId, { from: 0, to: 1 }))[0]?.json).not.toMatch(/jane/i);
      expect(await expire(ledger, '2999-01-01', at)).toMatchObject({ orderIds: [orderId] });
      expect(await expire(ledger, '2999-01-01', at)).toMatchObject({ orderIds: [] });
    });

    it('erases the domain of a company whose order has expired from the keys of HubSpot records, and names the record', async () => {
      const ledger = await openLedger();
      const keys = ['acme.de', 'other.de', 'shop.acme.de'];
      await ledger.records.save(
        'companies',
        keys.map((key, index) => ({ key, recordId: `${index}` })),
      );
      const { records } = await ledger.erasures.previewForget([acme], createErasureFailures());
      expect(records.map(({ object, id }) => `${object} ${id}`)).toEqual(['companies 0', 'companies 2']);
      await ledger.tombstones.add([acme], at);
      await eraseForgotten(ledger);
      expect(await ledger.records.ids('companies', keys)).toEqual(new Map([['other.de', '1']]));
    });

    it('stores neither written values nor a website text of who was forgotten while they were in progress', async () => {
      const place = await newPlace();
      const [first, second] = await Promise.all([openLedger(place), openLedger(place)]);
      const toValues = (value: string) => new Map([['email', { value, digest: null, previous: null }]]);
      const facts = { orderId, writtenAt: at };
      const nothing = {
        erasedAt: null,
        failures: 0,
        path: null,
        sha256: null,
        observedAt: at,
        fingerprint: 'f',
        fetchedAt: at,
      };
      const markdown = 'Boss: [Jane](mailto:jane@acme.de)';
      const ids = Array.from({ length: 20 }, (_, index) => `${index}`);
      const save = async (id: string) => {
        await second.writtenRecords.save('contacts', { merged: [{ recordId: id, ...facts, values: toValues(email) }] });
        await second.websites.save(orderId, { position: Number(id), markdown, urls: [], ...nothing });
      };
      await Promise.all([...ids.map(save), first.tombstones.add([jane], at).then(() => eraseForgotten(first))]);
      await save('20');
      expect(await first.writtenRecords.read('contacts', [...ids, '20'])).toEqual(new Map());
      const websites = await first.websites.read(orderId, { from: 0, to: 21 });
      expect(websites).toHaveLength(21);
      expect(websites.filter((website) => website.markdown !== null)).toEqual([]);
    });

    it('keeps no external id of who was forgotten, in slots of before and of later, except ids of HubSpot records', async () => {
      const ledger = await openLedger();
      await saveOrder(ledger, orderId, 3);
      const facts = { runName: 'r', kind: 'enrichment', status: 'COMPLETED', profileId: null, requestedCount: 1 };
      await ledger.orders.save({ orderId: 'crm', ...facts, externalIdsAreRecordIds: true });
      const withId = (slot: StoredSlot, externalId: string): StoredSlot => {
        const json = JSON.stringify({ ...JSON.parse(slot.json), external_id: externalId });
        return { ...slot, externalId, json };
      };
      const slots = [
        withId(acmeSlot, 'Acme GmbH'),
        withId(otherSlot, 'jane%40acme.de'),
        { ...withId(otherSlot, 'C-7'), position: 2 },
      ];
      await ledger.slots.save(orderId, slots);
      await ledger.slots.save('crm', [withId(acmeSlot, '4711')]);
      await ledger.tombstones.add([acme, jane], at);
      await eraseForgotten(ledger);
      await ledger.slots.save('later', slots);
      for (const order of [orderId, 'later']) {
        const stored = await ledger.slots.read(order, { from: 0, to: 3 });
        expect(stored.map(({ externalId }) => externalId)).toEqual([null, null, 'C-7']);
        expect(JSON.stringify(stored)).not.toMatch(/jane|acme/i);
      }
      expect(await ledger.slots.read('crm', { from: 0, to: 1 })).toMatchObject([{ externalId: '4711' }]);
    });

    it('empties the cells of rows that name a forgotten person by the full name, before and later', async () => {
      const ledger = await openLedger();
      const report = { kind: 'csv', rows: 3, blank: 0, unusable: 0, ordered: 3, columns: null } as const;
      const source = { report, headers: ['a', 'b', 'c'] };
      const toRow = (cells: string[], position: number) => ({
        position,
        company: { company_name: 'x', website_url: `https://${cells[2]}` },
        sourceRow: position + 2,
        ownJson: JSON.stringify(cells),
      });
      const rows = [
        ['Jane', 'Doe', 'www.acme.de'],
        ['boss: *jane@acme.de*', '', 'other.de'],
        ['Jane Doe', '', 'other.de'],
      ].map(toRow);
      const rejected = rows.map(({ sourceRow, ownJson }) => ({ sourceRow, ownJson, reasons: ['r'] }));
      await ledger.drafts.save('draft', rows, source, [], rejected);
      await ledger.tombstones.add([jane, { kind: 'name', value: 'jane doe@acme.de' }], at);
      await eraseForgotten(ledger);
      await ledger.drafts.save('later', rows, source, [], rejected);
      const kept = [
        ['', '', ''],
        ['', '', ''],
        ['Jane Doe', '', 'other.de'],
      ];
      for (const draft of ['draft', 'later']) {
        const origins = await ledger.drafts.origins(draft, { from: 0, to: 3 });
        expect([...origins.values()].map(({ ownCells }) => ownCells)).toEqual(kept);
        const listed = (await Array.fromAsync(ledger.rejectedRows.list(draft))).flat();
        expect(listed.map(({ ownCells }) => ownCells)).toEqual(kept);
      }
    });

    it('erases drafts, frozen entries and stagings of a company, and leaves those of others', async () => {
      const ledger = await openLedger();
      const rows = ['acme.de', 'other.de'].map((domain, position) => ({
        position,
        company: { company_name: domain, website_url: `https://${domain}` },
        sourceRow: position + 2,
        ownJson: JSON.stringify([domain, `info@${domain}`, 7]),
      }));
      const report = { kind: 'csv', rows: 2, blank: 0, unusable: 0, ordered: 2, columns: null } as const;
      const toExcluded = ({ sourceRow, company }: (typeof rows)[number]) =>
        ({
          sourceRow,
          company,
          exclusion: 'customers',
          tier: 'name',
          entryId: 'e',
          reason: 'Beta is a customer',
        }) as const;
      const source = { report, headers: ['Website', 'Mail', 'Size'] };
      const toRejected = ({ sourceRow, ownJson }: (typeof rows)[number]) => ({
        sourceRow,
        ownJson,
        reasons: ['city: too long'],
      });
      await ledger.drafts.save('draft', rows, source, rows.map(toExcluded), rows.map(toRejected));
      const texts = rows.map(({ company }) => JSON.stringify(company));
      const entries = rows.map(({ company }, index) =>
        createEntry(`entry ${index}`, { name: company.company_name, website_url: company.website_url ?? null }),
      );
      await ledger.exclusionSnapshots.describe(entries);
      await ledger.exclusionSnapshots.save(
        { digest: 'snapshot', entries: 2, frozenAt: at },
        yieldOnce(entries.map(({ entryId }) => entryId.replace(' ', '-'))),
      );
      await ledger.exclusions.addFound('sync', [
        { recordId: '1', source: 'crm', properties: { name: 'Acme', domain: 'acme.de' } },
      ]);
      for (const [index, text] of texts.entries()) await ledger.replies.receive(toReply(`reply ${index}`, text), []);
      const suppressed = { at, by: 'Olga', reason: 'asked' };
      for (const value of ['jane@acme.de', 'joe@other.de'])
        await ledger.suppressions.add({ identifier: { kind: 'email', value }, ...suppressed });
      await ledger.tombstones.add([acme], at);
      const erased = await eraseForgotten(ledger);
      expect(erased.map(({ rows: count }) => count)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0]);
      expect((await ledger.replies.get('reply 0'))?.body).toBeNull();
      expect((await ledger.replies.get('reply 1'))?.body).toBe(texts[1]);
      // The person stays suppressed, without the address.
      expect(await ledger.suppressions.isSuppressed({ kind: 'email', value: 'jane@acme.de' })).toBe(true);
      const values = (await ledger.suppressions.list({ withRemoved: false })).map(({ value }) => value);
      expect(new Set(values)).toEqual(new Set([null, 'joe@other.de']));
      expect(await Array.fromAsync(ledger.drafts.stream('draft'))).toEqual([[null, rows[1]?.company]]);
      await expect(ledger.drafts.read('draft')).rejects.toThrow('company_name');
      expect((await ledger.drafts.origins('draft', { from: 0, to: 2 })).get(0)?.ownCells).toEqual(['', '', '']);
      await ledger.exclusionSnapshots.describe(entries);
      await ledger.drafts.save('later draft', rows, source, rows.map(toExcluded), rows.map(toRejected));
      for (const draft of ['draft', 'later draft'])
        expect((await Array.fromAsync(ledger.rejectedRows.list(draft))).flat()).toEqual([
          { sourceRow: 2, reasons: 'city: too long', ownCells: ['', '', ''] },
          { sourceRow: 3, reasons: 'city: too long', ownCells: ['other.de', 'info@other.de', 7] },
        ]);
      const later = await ledger.drafts.origins('later draft', { from: 0, to: 2 });
      expect([later.get(0)?.ownCells, later.get(1)?.ownCells[0]]).toEqual([['', '', ''], 'other.de']);
      // What was submitted again, unlike what was left out, is in the draft until it is forgotten again.
      expect((await eraseForgotten(ledger)).map(({ rows: count }) => count)).toEqual([
        0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      ]);
    });

    it('erases the values before and after a change, of the people of slots and of others, and leaves those of others', async () => {
      const ledger = await openLedger();
      await saveOrder(ledger, orderId, 1);
      const changed = (recordId: string, before: string) => ({
        object: 'contacts' as const,
        recordId,
        at,
        changes: { phone: { before, after: '+49 1' } },
      });
      const records = [changed('1', '0731'), changed('2', `call ${email}`), changed('3', '0731')];
      await ledger.writtenRecords.save('contacts', { changed: { orderId, records } });
      await ledger.slots.save(orderId, [acmeSlot]);
      const outcome = { orderId, position: 0, item: 'contact:0', projectionId: 'p', at, rule: null } as const;
      const found = { recordId: '1', planned: null, ...noEvidence, matchKey: addressKey(email) };
      await ledger.outcomes.record([{ ...outcome, ...found, outcome: 'updated' }]);
      await ledger.tombstones.add([jane], at);
      await eraseForgotten(ledger);
      const kept = (await Array.fromAsync(ledger.valueChanges.list(orderId))).flat();
      expect(kept.map(({ recordId }) => recordId)).toEqual(['3']);
      // A delivery in progress stores them no more.
      await ledger.writtenRecords.save('contacts', { changed: { orderId, records: records.slice(1) } });
      expect((await Array.fromAsync(ledger.valueChanges.list(orderId))).flat()).toEqual(kept);
      await expire(ledger, '2999-01-01', at);
      expect(await Array.fromAsync(ledger.valueChanges.list(orderId))).toEqual([]);
    });

    it('erases the written values of companies and contacts with the same ids, however many there are', async () => {
      const ledger = await openLedger();
      await saveOrder(ledger, orderId, 0);
      const toRecord = (recordId: string) => ({
        recordId,
        orderId,
        writtenAt: at,
        values: new Map([['city', { value: 'Ulm', digest: null, previous: null }]]),
      });
      // The first id is that of a company only, so that the end of a page parts two records of one id.
      const ids = Array.from({ length: 400 }, (_, index) => String(1_000 + index));
      await ledger.writtenRecords.save('companies', { merged: ['0', ...ids].map(toRecord) });
      await ledger.writtenRecords.save('contacts', { merged: ids.map(toRecord) });
      await expire(ledger, '2999-01-01', at);
      for (const type of ['companies', 'contacts'] as const) {
        const records = [...(await ledger.writtenRecords.read(type, ids)).values()];
        const left = records.filter(({ values }) => values.get('city')?.value !== null);
        expect([records.length, left]).toEqual([400, []]);
      }
    });

    it('lets the values of a legacy listing expire, and forgets its people with the keys of their records', async () => {
      const ledger = await openLedger();
      const listingId = toListingId(orderId);
      const key = addressKey(email);
      const record = (recordId: string, value: string) => ({
        recordId,
        orderId: listingId,
        writtenAt: at,
        values: new Map([['email', { value, digest: null, previous: null }]]),
      });
      await ledger.writtenRecords.save('contacts', { merged: [record('7', email), record('8', 'max@other.de')] });
      await ledger.records.save('contacts', [{ key, recordId: '7' }]);
      const { records } = await ledger.erasures.previewForget([jane], createErasureFailures());
      expect(records).toEqual([{ object: 'contacts', id: '7' }]);
      await ledger.tombstones.add([jane], at);
      await eraseForgotten(ledger);
      expect([...(await ledger.writtenRecords.read('contacts', ['7', '8'])).keys()]).toEqual(['8']);
      expect(await ledger.records.ids('contacts', [key])).toEqual(new Map());
      const value = async () =>
        (await ledger.writtenRecords.read('contacts', ['8'])).get('8')?.values.get('email')?.value;
      // The first run of retention only notes that it has seen the listing.
      await expire(ledger, at, at);
      expect(await value()).toBe('max@other.de');
      await expire(ledger, '2999-01-01', at);
      expect(await value()).toBeNull();
    });

    it('is compacted later when it was interrupted, also without an expired order', async () => {
      const place = await newPlace();
      const ledger = await openLedger(place);
      await expire(ledger, '2999-01-01', at);
      expect(await ledger.erasures.needsCompaction()).toBe(false);
      await ledger.replies.receive({ ...toReply('done', '{}'), state: 'processed' }, []);
      await expire(ledger, '2999-01-01', at);
      // PostgreSQL removes the rows by itself.
      expect(await ledger.erasures.needsCompaction()).toBe('dataDir' in place);
    });

    it('erases the website texts of a company or an expired order, and names their files until they are deleted', async () => {
      const ledger = await openLedger();
      await ledger.slots.save(orderId, [acmeSlot, otherSlot]);
      const website = (position: number) => {
        const nothing = { erasedAt: null, failures: 0, path: null, sha256: null };
        return { position, markdown: 'text', observedAt: at, urls: ['u'], fingerprint: 'f', fetchedAt: at, ...nothing };
      };
      const read = () => ledger.websites.read(orderId, { from: 0, to: 2 });
      for (const position of [0, 1]) {
        await ledger.websites.save(orderId, website(position));
        await ledger.websites.saveFile(orderId, position, { path: `/x/${position}.md`, sha256: 'a' });
      }
      await ledger.tombstones.add([acme], at);
      await eraseForgotten(ledger);
      expect(await read()).toMatchObject([
        { markdown: null, urls: [], fingerprint: null, erasedAt: at },
        { markdown: 'text', urls: ['u'], erasedAt: null },
      ]);
      expect(await ledger.websites.erasedFiles()).toEqual([{ orderId, position: 0, path: '/x/0.md', sha256: 'a' }]);
      // A process that had fetched the text before.
      await ledger.websites.save(orderId, website(0));
      await ledger.websites.saveFile(orderId, 0, { path: '/y/0.md', sha256: 'b' });
      expect(await ledger.websites.erasedFiles()).toMatchObject([{ path: '/x/0.md' }]);
      await ledger.websites.removeFile({ orderId, position: 0 });
      expect(await ledger.websites.erasedFiles()).toEqual([]);
      await saveOrder(ledger, orderId, 2);
      await expire(ledger, '2999-01-01', at);
      expect((await read()).map(({ markdown }) => markdown)).toEqual([null, null]);
      expect(await ledger.websites.erasedFiles()).toMatchObject([{ path: '/x/1.md' }]);
    });

    it('lets orders, drafts, snapshots and stagings expire, and keeps those that are younger or in use', async () => {
      const ledger = await openLedger();
      await saveOrder(ledger, orderId, 2);
      await saveOrder(ledger, 'running', null);
      await ledger.slots.save(orderId, [acmeSlot, otherSlot]);
      await ledger.slots.save('running', [acmeSlot]);
      await ledger.exclusionSnapshots.describe([
        createEntry('a', { name: 'Acme', website_url: null }),
        createEntry('b', { name: 'Other', website_url: null }),
      ]);
      const snapshot = (id: string) => ({ digest: id, entries: 1, frozenAt: '2020-01-01T00:00:00.000Z' });
      for (const id of ['a', 'b']) await ledger.exclusionSnapshots.save(snapshot(id), yieldOnce([id]));
      const attached = { blacklistId: '1', orderedAt: at };
      await ledger.exclusionSnapshots.attach([
        { orderId, digest: 'a', ...attached },
        { orderId: 'running', digest: 'b', ...attached },
      ]);
      await ledger.exclusions.addFound('dead sync', [{ recordId: '1', source: 'crm', properties: {} }]);
      await ledger.replies.receive(toReply('open', '{}'), []);
      await ledger.replies.receive({ ...toReply('done', '{}'), state: 'processed' }, []);
      await ledger.suppressions.add({ identifier: acme, at, by: 'Olga', reason: 'asked', name: 'Acme' });
      const apply = (cutoff: string, now = at) => expire(ledger, cutoff, now);
      expect(await apply('2020-01-01')).toMatchObject({ orderIds: [] });
      const { orderIds, tables } = await apply('2999-01-01');
      expect(orderIds).toEqual([orderId]);
      expect(tables.map(({ rows }) => rows)).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 0]);
      expect(await Array.fromAsync(ledger.suppressions.companies())).toEqual([
        [{ domain: 'acme.de', names: [{ company_name: 'Acme' }] }],
      ]);
      expect((await ledger.slots.read(orderId, { from: 0, to: 2 })).map(({ hash }) => hash)).toEqual([
        'hash 0',
        'hash 1',
      ]);
      expect((await ledger.slots.read('running', { from: 0, to: 1 }))[0]?.json).toBe(acmeSlot.json);
      expect(await ledger.exclusionSnapshots.has('a')).toBe(false);
      expect(await ledger.exclusionSnapshots.has('b')).toBe(true);
      expect(await apply('2999-01-01')).toMatchObject({ orderIds: [] });
      expect(await ledger.erasures.compact()).toBe(true);
    });
  });
});

const refused = { state: 'received', classification: 'do_not_contact' } as const;
const toRefusal = (data: object) =>
  reply({ type: 'reply.do_not_contact' }, { ...data, classification: 'do_not_contact' });

/** Fails when a place fails. */
async function eraseForgotten({ erasures }: Ledger) {
  const failures = createErasureFailures();
  const erased = await erasures.forget(at, failures, () => []);
  expect(failures.failed).toEqual([]);
  return erased;
}

/** The same for retention. */
async function expire({ erasures }: Ledger, cutoff: string, now: string) {
  const failures = createErasureFailures();
  const expired = await erasures.expire(cutoff, { at: now, preview: false, failures });
  expect(failures.failed).toEqual([]);
  return expired;
}

/** An order; published unless its total is null. */
async function saveOrder(ledger: Ledger, id: string, total: number | null): Promise<void> {
  const facts = { runName: 'r', kind: 'discovery', status: 'COMPLETED', profileId: null, requestedCount: 2 };
  await ledger.orders.save({ orderId: id, ...facts, externalIdsAreRecordIds: false });
  if (total !== null) await ledger.orders.publish(id, { total, summaryJson: '{}' });
}

/** The content of a snapshot of exclusions. */
async function* yieldOnce(ids: string[]) {
  yield ids;
}

function toReply(webhookId: string, body: string): Parameters<Ledger['replies']['receive']>[0] {
  const facts = { reason: null, classification: 'interested', replyAt: null, campaignId: null };
  return { webhookId, receivedAt: '2020-01-01T00:00:00.000Z', state: 'received', body, ...facts };
}
