import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readListing } from '../../../src/delivery/crm/legacy-listing.ts';
import { openLedger, type Ledger } from '../../../src/ledger/ledger.ts';
import { readListingPage, type ListingPage } from '../../../src/service/reading/read-listing.ts';
import { noFieldSettings } from '../../../src/service/reading/shape.ts';

const person = (email: string) => ({ email, full_name: 'Jane Doe' });
const company = (domain: string, ...emails: string[]) => ({ domain, name: domain, prospects: emails.map(person) });

let folder: string;
let ledger: Ledger;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-listing-'));
  ledger = await openLedger({ dataDir: folder });
});
afterEach(async () => {
  await ledger.close();
  await rm(folder, { recursive: true });
});

/** The companies that are read from these pages, and the offsets that were requested. */
async function read(pages: readonly Partial<ListingPage>[]) {
  const offsets: number[] = [];
  const readPage = (offset: number) => {
    offsets.push(offset);
    return Promise.resolve({ companies: [], total: null, hasMore: null, ...pages[offsets.length - 1] });
  };
  const source = { ledger, baseUrl: 'https://service.example', fields: noFieldSettings, readPage };
  const slots = (await Array.fromAsync(readListing(source))).flat();
  const people = ({ slot }: (typeof slots)[number]) => slot.company?.prospects?.map(({ email }) => email);
  return { offsets, read: slots.map((each) => [each.position, each.slot.company?.domain, people(each)]) };
}

describe('readListing', () => {
  it('reads until an empty page when the service says neither a total nor whether more follows', async () => {
    expect(await read([{ companies: [company('a.de')] }, { companies: [company('b.de')] }])).toMatchObject({
      offsets: [0, 1, 2],
      read: [
        [0, 'a.de', []],
        [1, 'b.de', []],
      ],
    });
  });

  it.each([{ total: 1 }, { hasMore: false }])('ends after the page with %j', async (end) => {
    expect((await read([{ companies: [company('a.de')], ...end }])).offsets).toEqual([0]);
  });

  it('returns each company and each person once', async () => {
    const first = [company('a.de', 'jane@a.de'), company('b.de', 'jane@a.de', 'max@b.de')];
    const { read: slots } = await read([{ companies: first }, { companies: [company('b.de'), company('c.de')] }]);
    expect(slots).toEqual([
      [0, 'a.de', ['jane@a.de']],
      [1, 'b.de', ['max@b.de']],
      [3, 'c.de', []],
    ]);
  });

  it('fails when a page repeats the one before it', async () => {
    const page = { companies: [company('a.de')], hasMore: true };
    await expect(read([page, page])).rejects.toThrow('the page at offset 1 repeats the page before it');
  });
});

describe('readListingPage', () => {
  it('names the fields of an answer without a list of companies', () => {
    expect(readListingPage({ rows: [] })).toEqual({
      problem: expect.stringContaining('companies: expected a list of objects, found none (the answer has rows)'),
    });
  });
});
