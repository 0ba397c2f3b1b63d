import { defaultReplyPolicy } from '../../../src/config/reply-policy.ts';
import ExcelJS from 'exceljs';
// A whole run with the sandbox, and then nothing of a forgotten person anywhere on the disk.
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { forget, previewForget } from '../../../src/delivery/erasure/forget.ts';
import { applyRetention, previewRetention } from '../../../src/delivery/erasure/retention.ts';
import { createErasureFailures } from '../../../src/ledger/erasure-failures.ts';
import { erasableTables } from '../../../src/ledger/erasable-places.ts';
import { CONTACT_KEY } from '../../../src/hubspot/managed-properties.ts';
import { readRefusal } from '../../../src/replies/refusal.ts';
import { addressKey } from '../../../src/ledger/identity.ts';
import type { Prospect } from '../../../src/service/contract/index.ts';
import { failure, plan } from '../../activities/activity-harness.ts';
import { createReady, range, reconcile, row } from '../../activities/order-steps.ts';

const day = 86_400;
/** The clock of the harness is behind. */
const context = {
  readRefusal: (body: string | null) => readRefusal(body, defaultReplyPolicy),
  now: () => new Date(Date.now() + 60_000),
  signal: new AbortController().signal,
};

/** An enrichment with a file of its own, in HubSpot, with spreadsheets. */
async function createDelivered() {
  const harness = await createReady();
  const order = await harness.collectEnrichment([row('Acme'), row('Bolt'), row('Crane')]);
  const { delivery } = plan();
  const kinds = ['csv', 'xlsx'] as const;
  const deliver = { orderId: order.orderId, runName: 'collecting' };
  const writeTo = async (directory: string) => {
    const spreadsheets = { directory: join(harness.folder, directory), kinds, rows: 'prospect' as const };
    harness.configureRun(plan({ runName: 'collecting', delivery: { ...delivery, spreadsheets } }));
    for (const kind of kinds) await harness.perform('writeSpreadsheet', { ...deliver, kind });
  };
  await harness.perform('projectToCrm', range(order));
  await writeTo('out');
  const slots = await harness.ledger.slots.readParsed(order.orderId, { from: 0, to: order.total });
  const person = slots.flatMap(({ slot }) => slot.company?.prospects ?? []).find(({ email }) => email);
  const company = slots
    .map(({ slot }) => slot.company)
    .find((each) => each?.prospects?.some((found) => found === person));
  if (!person?.email || !person.full_name || !company?.domain) throw new Error('the sandbox found nobody');
  const address = { kind: 'email', value: person.email.toLowerCase() } as const;
  const texts = { email: person.email, name: person.full_name, domain: company.domain };
  const others = slots.flatMap(({ slot }) => slot.company?.prospects ?? []).filter((each) => each !== person);
  const forgetPerson = async () => {
    const { identifiers } = await previewForget(harness.ledger, address);
    return forget(harness.ledger, identifiers, context);
  };
  return { ...harness, order, deliver, writeTo, person, company, others, address, texts, forgetPerson };
}

/** Every text that identifies the person; texts that others have as well do not count. */
function textsOf(person: Prospect, others: readonly Prospect[]): string[] {
  const known = JSON.stringify(others);
  const { email, full_name: name, phone, linkedin_url: profile } = person;
  return [email, name, phone, profile].flatMap((text) => (text && !known.includes(text) ? [text] : []));
}

/** Files below the folder that contain one of the texts: raw bytes, the write-ahead log included. */
function findInFiles(folder: string, texts: readonly string[]): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return files.flatMap((file) => {
    if (statSync(file).isDirectory()) return [];
    const bytes = readFileSync(file, 'latin1').toLowerCase();
    const raw = (text: string) => Buffer.from(text.toLowerCase()).toString('latin1');
    return texts.some((text) => bytes.includes(raw(text))) ? [file] : [];
  });
}

/** `table.column` of every text column that contains one of the texts. */
function findInTables(folder: string, texts: readonly string[]): string[] {
  const database = new DatabaseSync(join(folder, 'ledger.db'), { readOnly: true });
  const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
  const found = tables.flatMap(({ name }) => {
    const rows = database.prepare(`select * from "${String(name)}"`).all();
    return rows.flatMap((cells) =>
      Object.entries(cells).flatMap(([column, value]) =>
        typeof value === 'string' && texts.some((text) => value.toLowerCase().includes(text.toLowerCase()))
          ? [`${String(name)}.${column}`]
          : [],
      ),
    );
  });
  database.close();
  return [...new Set(found)];
}

const findAnywhere = (folder: string, texts: readonly string[]) => [
  ...findInTables(folder, texts),
  ...findInFiles(folder, texts),
];

describe('contact keys', () => {
  it('writes the plain key to HubSpot, and keeps only its keyed digest in the ledger', async () => {
    const harness = await createDelivered();
    const { ledger, order, perform, address, folder, hubspot } = harness;
    const read = () =>
      hubspot.objects.read('contacts', {
        ids: [addressKey(address.value)],
        idProperty: CONTACT_KEY,
        properties: ['email'],
      });
    const before = await read();
    // The ledger does not contain the key that HubSpot has.
    expect(before.size).toBe(1);
    expect(findInTables(folder, [addressKey(address.value)])).toEqual([]);
    await perform('projectToCrm', range(order, { projectionId: 'again' }));
    const again = await ledger.outcomes.read(order.orderId, { from: 0, to: order.total });
    const contacts = again.filter(({ item }) => item !== 'company').map(({ outcome }) => outcome);
    expect(contacts.filter((outcome) => outcome !== 'unchanged' && outcome !== 'skipped')).toEqual([]);
    expect((await read()).size).toBe(1);
  });
});

describe('previewForget', () => {
  it('lists only the records of this person, not those of people of the company who were forgotten earlier', async () => {
    const { ledger, order, company, person, forgetPerson } = await createDelivered();
    const colleague = company.prospects?.find((each) => each !== person && each.email);
    if (!colleague?.email) throw new Error('the sandbox found no colleague');
    await forgetPerson();
    const { records } = await previewForget(ledger, { kind: 'email', value: colleague.email.toLowerCase() });
    const outcomes = await ledger.outcomes.read(order.orderId, { from: 0, to: order.total });
    const own = await ledger.records.ids('contacts', [addressKey(colleague.email)]);
    expect(outcomes.length).toBeGreaterThan(2);
    expect(records).toEqual([...own.values()].map((id) => ({ object: 'contacts', id })));
  });
});

describe('forget', () => {
  // Guarantee: A forgotten person is in no table and no file of prospect-sync
  it('leaves no name, address, number or profile of the person in any table or file', async () => {
    const harness = await createDelivered();
    const { ledger, folder, person, others, order } = harness;
    const texts = textsOf(person, others);
    expect(texts.length).toBeGreaterThanOrEqual(2);
    const before = findInTables(folder, texts);
    expect(before).toContain('slots.json');
    for (const place of before) expect(erasableTables.some(({ name }) => name.includes(place))).toBe(true);
    expect(findInFiles(folder, texts).some((file) => file.endsWith('.csv'))).toBe(true);

    const given = harness.address;
    const preview = await previewForget(ledger, given);
    expect(preview).toMatchObject({ orders: 1, files: [expect.any(String), expect.any(String)] });
    expect(findInTables(folder, texts)).toEqual(before);
    const erased = await forget(ledger, preview.identifiers, context);
    expect(erased).toMatchObject({ compacted: true, files: { rewritten: preview.files, left: [] } });
    expect(erased.tables.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(0);
    expect(findAnywhere(folder, texts)).toEqual([]);
    expect(await ledger.slots.count(order.orderId)).toBe(order.total);
  });

  // Guarantee: Erasure does not break the proof
  it('keeps the proof of the order, without the person and and counts the slots without the person', async () => {
    const harness = await createDelivered();
    const { order } = harness;
    expect(await reconcile(harness, order)).toMatchObject({ reconciled: 3, findings: [] });
    await harness.forgetPerson();
    expect(await reconcile(harness, order)).toMatchObject({
      reconciled: 3,
      findings: [],
      erased: 1,
    });
    // The kept digest is all that is left of the erased content.
    const database = new DatabaseSync(join(harness.folder, 'ledger.db'));
    database.exec(`update slot_digests set digest = 'abc'`);
    database.close();
    expect((await reconcile(harness, order)).findings).toContainEqual(
      expect.objectContaining({ code: 'ledger_slot_changed', count: 3 }),
    );
  });

  it('keeps the proof of the order after a general address of a company is forgotten', async () => {
    const { order, ledger, ...harness } = await createDelivered();
    const [first] = await ledger.slots.read(order.orderId, { from: 0, to: 1 });
    const address = /"email":"(info@[^"]+)"/.exec(first?.json ?? '')?.[1] ?? '';
    expect(address).not.toBe('');
    const { identifiers } = await previewForget(ledger, { kind: 'email', value: address });
    await forget(ledger, identifiers, context);
    expect(findInTables(harness.folder, [address])).toEqual([]);
    expect(await reconcile({ ...harness, ledger }, order)).toMatchObject({ reconciled: 3, findings: [], erased: 1 });
    await harness.perform('collectResults', { orderId: order.orderId, from: 0, to: order.total });
    expect(findInTables(harness.folder, [address])).toEqual([]);
  });

  // Guarantee: A later order or `ingest` does not bring the person back
  it('stores the person neither when the order is collected again nor in another order', async () => {
    const harness = await createDelivered();
    const { ledger, person, others, order, perform, deliver, folder, hubspot } = harness;
    const texts = textsOf(person, others);
    await harness.forgetPerson();
    await perform('collectResults', { orderId: order.orderId, from: 0, to: order.total });
    const again = await harness.collectEnrichment([row('Acme'), row('Bolt'), row('Crane')]);
    await perform('projectToCrm', { ...range(again), projectionId: 'again' });
    await perform('writeSpreadsheet', { ...deliver, orderId: again.orderId, kind: 'csv' });
    expect(findAnywhere(folder, texts)).toEqual([]);
    // A later order of the same company needs no action.
    expect(await reconcile(harness, again)).toMatchObject({ reconciled: 3, findings: [], erased: 1 });
    const outcomes = await ledger.outcomes.read(again.orderId, { from: 0, to: again.total });
    const people = (await ledger.slots.readParsed(again.orderId, { from: 0, to: again.total })).flatMap(
      ({ slot }) => slot.company?.prospects ?? [],
    );
    expect(outcomes).toHaveLength(again.total + people.length);
    expect(outcomes.filter(({ rule }) => rule === 'forgotten')).toEqual([
      expect.objectContaining({ outcome: 'skipped', recordId: null, matchKey: null }),
    ]);
    // The contact in HubSpot is the user's: it is not deleted, and no second one is created.
    const contacts = await hubspot.objects.read('contacts', {
      ids: [harness.address.value],
      idProperty: 'email',
      properties: ['email'],
    });
    expect(contacts.size).toBe(1);
  });

  it('erases a company with all its people by its domain', async () => {
    const harness = await createDelivered();
    const { ledger, folder, company, order } = harness;
    const { identifiers } = await previewForget(ledger, { kind: 'domain', value: harness.texts.domain });
    await forget(ledger, identifiers, context);
    const texts = [harness.texts.domain, ...(company.prospects ?? []).flatMap(({ email }) => email ?? [])];
    expect(findAnywhere(folder, texts)).toEqual([]);
    expect(await reconcile(harness, order)).toMatchObject({ findings: [], erased: 1 });
    // The mark of the erasure is none of the words of the service.
    expect(await harness.perform('summarizeSlots', { orderId: order.orderId })).toMatchObject({ unknown: {} });
  });

  it('is completed by the next erasure when the process dies after any step', async () => {
    for (const diesAfter of ['tombstones', 'tables'] as const) {
      const harness = await createDelivered();
      const { ledger, folder, person, others } = harness;
      const { identifiers } = await previewForget(ledger, harness.address);
      const at = new Date(Date.now() + 60_000).toISOString();
      await ledger.tombstones.add(identifiers, at);
      if (diesAfter === 'tables') await ledger.erasures.forget(at, createErasureFailures(), () => []);
      await forget(ledger, identifiers.slice(0, 1), context);
      expect(findAnywhere(folder, textsOf(person, others))).toEqual([]);
    }
  });

  it('erases a file that was stored later than the erasure began, with rows that were read before it', async () => {
    const harness = await createDelivered();
    const { ledger, order, folder, person, others } = harness;
    for (const file of await ledger.files.list(order.orderId))
      await ledger.files.save({ ...file, writtenAt: '2099-01-01T00:00:00.000Z' });
    const { files } = await harness.forgetPerson();
    expect(files.rewritten).toHaveLength(2);
    expect(findInFiles(folder, textsOf(person, others))).toEqual([]);
  });

  it('lets what is written during an erasure be written again', async () => {
    const harness = await createDelivered();
    const { ledger, order } = harness;
    let times = 0;
    await ledger.erasures.untilUnchanged(order.orderId, async () => {
      times += 1;
      if (times === 1) await harness.forgetPerson();
    });
    expect(times).toBe(2);
  });

  it('stores the digests of a file that a process has replaced before it died', async () => {
    const harness = await createDelivered();
    const { ledger, order } = harness;
    const receipts = await ledger.files.list(order.orderId);
    await harness.forgetPerson();
    for (const receipt of receipts) await ledger.files.save(receipt);
    const { files } = await harness.forgetPerson();
    expect(files).toEqual({ rewritten: receipts.map(({ path }) => path), deleted: [], left: [] });
    expect((await harness.forgetPerson()).files).toEqual({ rewritten: [], deleted: [], left: [] });
  });

  it('leaves a file that was changed since it was written, and names it', async () => {
    const harness = await createDelivered();
    const { order, folder } = harness;
    const changed = join(folder, 'out', `${order.orderId}.csv`);
    writeFileSync(changed, 'my own notes');
    const { files } = await harness.forgetPerson();
    expect(files.left).toEqual([changed]);
    expect(readFileSync(changed, 'utf8')).toBe('my own notes');
  });

  it('finds the person in the files of a folder that the run no longer writes to', async () => {
    const harness = await createDelivered();
    const { folder, order } = harness;
    const paths = (name: string) => ['csv', 'xlsx'].map((kind) => join(folder, name, `${order.orderId}.${kind}`));
    await harness.writeTo('out2');
    await harness.writeTo('out3');
    const [edited = '', former = ''] = paths('out2');
    writeFileSync(edited, `name\ncall ${harness.texts.email} again\n`);
    expect((await previewForget(harness.ledger, harness.address)).files.toSorted()).toEqual(
      [...paths('out'), ...paths('out2'), ...paths('out3')].toSorted(),
    );
    const { files } = await harness.forgetPerson();
    expect(files).toEqual({ rewritten: paths('out3'), deleted: [...paths('out'), former], left: [edited] });
    expect(findInFiles(folder, textsOf(harness.person, harness.others))).toEqual([edited]);
    // Written there again, it is the file of the run.
    await harness.writeTo('out2');
    expect((await harness.forgetPerson()).files.deleted).toEqual([]);
  });

  it('names the kept copy of an edited file until the person is no longer in it', async () => {
    const harness = await createDelivered();
    const { order, folder, texts } = harness;
    const copy = join(folder, 'out', `${order.orderId}.edited-2026-11-27-0123abcd.csv`);
    const other = join(folder, 'out', `${order.orderId}.edited-2026-11-27-4567abcd.csv`);
    writeFileSync(copy, `name,remark\nAcme,call ${texts.email.toUpperCase()} again\n`);
    writeFileSync(other, 'name,remark\nAcme,call somebody else\n');
    expect((await harness.forgetPerson()).files.left).toEqual([copy]);
    expect((await harness.forgetPerson()).files.left).toEqual([copy]);
    writeFileSync(copy, 'name,remark\nAcme,\n');
    expect((await harness.forgetPerson()).files.left).toEqual([]);
  });

  it('searches every sheet of a kept workbook, and formatted texts', async () => {
    const harness = await createDelivered();
    const { order, folder, texts } = harness;
    const copy = join(folder, 'out', `${order.orderId}.edited-2026-11-27-0123abcd.xlsx`);
    const write = async (fill: (workbook: ExcelJS.Workbook) => void) => {
      const workbook = new ExcelJS.Workbook();
      workbook.addWorksheet('Results').addRow(['name', 'Acme']);
      fill(workbook);
      await workbook.xlsx.writeFile(copy);
      return (await harness.forgetPerson()).files.left;
    };
    const { email } = texts;
    expect(await write((workbook) => workbook.addWorksheet('Notes').addRow([null, `ask ${email}`]))).toEqual([copy]);
    const richText = [{ text: email.slice(0, 3), font: { bold: true } }, { text: email.slice(3) }];
    expect(await write((workbook) => workbook.addWorksheet('Notes').addRow([{ richText }]))).toEqual([copy]);
    expect(await write((workbook) => workbook.addWorksheet('Notes').addRow(['ask nobody']))).toEqual([]);
    writeFileSync(copy, 'no workbook');
    expect((await harness.forgetPerson()).files.left).toEqual([copy]);
  });

  it('deletes what a killed writer has left in the folder, once it is a day old', async () => {
    const harness = await createDelivered();
    const leftover = join(harness.folder, 'out', '.prospect-sync-1.part');
    // No file is written the second time.
    await harness.forgetPerson();
    writeFileSync(leftover, harness.texts.email);
    await harness.forgetPerson();
    expect(existsSync(leftover)).toBe(true);
    const before = new Date(Date.now() - 25 * 3_600_000);
    utimesSync(leftover, before, before);
    expect((await harness.forgetPerson()).files).toEqual({ rewritten: [], deleted: [], left: [] });
    expect(existsSync(leftover)).toBe(false);
  });
});

describe('retention', () => {
  it('erases orders after these days, keeps digests and outcomes, and says so to later commands', async () => {
    const harness = await createDelivered();
    const { ledger, folder, order, perform } = harness;
    await reconcile(harness, order);
    const certificate = await ledger.certificates.latest(order.orderId);
    const hashes = (await ledger.slots.read(order.orderId, { from: 0, to: 3 })).map(({ hash }) => hash);
    const at = (seconds: number) => new Date(Date.parse(certificate?.at ?? '') + seconds * 1_000);
    expect(await previewRetention(ledger, 30, at(29 * day))).toMatchObject({ orderIds: [], files: [] });
    const contextAt = { now: () => at(31 * day), signal: new AbortController().signal };
    // An application that died after the first statement.
    await ledger.erasures.markFile(order.orderId, 'csv', '2026-01-01');
    const applied = await applyRetention(ledger, 30, contextAt);
    expect(applied).toMatchObject({ orderIds: [order.orderId], compacted: true });
    expect(findInTables(folder, [harness.texts.email, harness.texts.name])).toEqual([]);
    expect((await ledger.slots.read(order.orderId, { from: 0, to: 3 })).map(({ hash }) => hash)).toEqual(hashes);
    expect(await ledger.certificates.latest(order.orderId)).toEqual(certificate);
    expect((await ledger.outcomes.tally(order.orderId)).companies.created).toBe(3);
    const input = { orderId: order.orderId, from: 0, to: 3 };
    for (const refused of [perform('collectResults', input), perform('openOrder', order)])
      expect(await failure(refused)).toMatchObject({
        type: 'OrderErased',
        nonRetryable: true,
        message: expect.stringContaining('was removed by retention on 20'),
      });
    expect(await applyRetention(ledger, 30, contextAt)).toMatchObject({ orderIds: [], files: { deleted: [] } });
  });

  it('continues an interrupted application', async () => {
    const harness = await createDelivered();
    const { ledger, folder, order } = harness;
    await ledger.erasures.expire('9999', {
      at: '2026-01-01T00:00:00.000Z',
      preview: false,
      failures: createErasureFailures(),
    });
    // The tables are erased, the files are not.
    expect(findInFiles(join(folder, 'out'), [harness.texts.email])).not.toEqual([]);
    await applyRetention(ledger, 30, context);
    expect(findInFiles(folder, [harness.texts.email])).toEqual([]);
    expect(await ledger.erasures.filesOf(order.orderId)).toEqual(new Set(['csv', 'xlsx']));
  });
});
