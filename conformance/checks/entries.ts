import { limits, operations, type Entry, type EntryInput } from '../../src/service/contract/index.ts';
import { need, type Check } from '../probe/check.ts';
import type { RefusalCase } from '../probe/probe.ts';
import { createTestBlacklist } from './test-blacklists.ts';
import { byBlacklist } from './path-parameters.ts';

const { addEntries, getBlacklist } = operations;
const most = limits.entriesPerAdd.max;
const optional = ['website_url', 'city', 'country', 'external_id', 'reason'] as const;

export const entryChecks: readonly Check[] = [
  {
    id: 'entries.add',
    clause: 'Endpoints, POST entries; Resources, Blacklist entry',
    title: 'one entry is answered as a flat list; optional fields that were not sent are null',
    effect: 'write',
    async run(probe, state) {
      const { id } = await createTestBlacklist(probe, state, 'one entry');
      const [entry, ...others] = await probe.ask(addEntries, 201, {
        ...byBlacklist(id),
        body: { entries: [{ company_name: 'Conformance One' }] },
      });
      if (!entry) return probe.expect(false, 'POST entries: the list of created entries is empty');
      probe.expect(others.length === 0, `POST entries: one entry sent, ${others.length + 1} answered`);
      probe.expect(entry.company_name === 'Conformance One', 'POST entries: company_name must be as it was sent');
      const filled = optional.filter((field) => entry[field] !== null);
      probe.expect(filled.length === 0, `POST entries: ${filled.join(', ')} not sent, must be null`);
      const { entry_count } = await probe.ask(getBlacklist, 200, byBlacklist(id));
      probe.expect(entry_count === 1, `entry_count must be 1 after one entry, found ${entry_count}`);
    },
  },
  {
    id: 'entries.longest',
    clause: 'Limits: entry field lengths; Resources, Blacklist entry',
    title: 'fields at their greatest length, and the three forms of website_url, are kept whole',
    effect: 'write',
    async run(probe, state) {
      const { id } = await createTestBlacklist(probe, state, 'longest');
      const entries = [longestEntry(), ...websites.map((website_url) => ({ company_name: 'Form', website_url }))];
      const created = await probe.ask(addEntries, 201, { ...byBlacklist(id), body: { entries } });
      const { entries: read } = await probe.ask(operations.listEntries, 200, byBlacklist(id));
      for (const [source, found] of [
        ['POST', created],
        ['GET', read],
      ] as const) {
        const lost = entries.filter((sent) => !found.some((entry) => isKept(sent, entry)));
        const fields = lost.map((sent) => (sent.website_url === undefined ? 'an entry' : describeForm(sent)));
        probe.expect(lost.length === 0, `${source} entries: not kept as sent: ${fields.join('; ')}`);
      }
    },
  },
  {
    id: 'entries.most',
    clause: 'Limits: entries per add request',
    title: '10,000 entries in one request are created, each once, and counted',
    effect: 'write',
    async run(probe, state) {
      const { id } = need(state.testBlacklist, 'a blacklist that could be created');
      const entries = Array.from({ length: most }, (_, index) => ({
        company_name: `Conformance ${index}`,
        external_id: `conformance-${index}`,
      }));
      const created = await probe.ask(addEntries, 201, { ...byBlacklist(id), body: { entries } });
      const ids = new Set(created.map((entry) => entry.id));
      const externalIds = new Set(created.map(({ external_id }) => external_id));
      probe.expect(created.length === most, `POST entries: ${most} sent, ${created.length} answered`);
      probe.expect(ids.size === created.length, 'POST entries: entry ids must be unique');
      probe.expect(
        externalIds.size === most,
        `POST entries: ${most} sent, ${externalIds.size} different ones answered`,
      );
      state.entryIds = [...ids];
      const { entry_count } = await probe.ask(getBlacklist, 200, byBlacklist(id));
      probe.expect(entry_count === most, `entry_count must be ${most}, found ${entry_count}`);
    },
  },
  {
    id: 'entries.add-refusals',
    clause: 'Errors, Validation errors; Limits',
    title: 'what breaks a rule of an entry is 422, and nothing of the request is added',
    effect: 'write',
    async run(probe, state) {
      const { id } = await createTestBlacklist(probe, state, 'refused entries');
      await probe.refuses(addEntries, 422, refusedEntries(id));
      const { entry_count } = await probe.ask(getBlacklist, 200, byBlacklist(id));
      probe.expect(entry_count === 0, `POST entries: refused requests added ${entry_count} entries`);
      // "must start with http://, https:// or www." may be meant in any case.
      const entries = [{ company_name: 'Upper', website_url: 'HTTPS://conformance.example' }];
      const upper = { what: 'website_url in upper case', ...byBlacklist(id), body: { entries } };
      await probe.refuses(addEntries, 422, [{ ...upper, or: [201], open: 'A46' }]);
    },
  },
];

const websites = ['http://conformance.example', 'https://conformance.example', 'www.conformance.example'];

function longestEntry(): EntryInput {
  const { companyName, websiteUrl, city, country, externalId, reason } = limits.entry;
  return {
    company_name: 'n'.repeat(companyName),
    website_url: 'https://conformance.example/'.padEnd(websiteUrl, 'p'),
    city: 'c'.repeat(city),
    country: 'o'.repeat(country),
    external_id: 'x'.repeat(externalId),
    reason: 'r'.repeat(reason),
  };
}

function refusedEntries(id: string): RefusalCase[] {
  const good = { company_name: 'Good' };
  const { companyName, websiteUrl, city, country, externalId, reason } = limits.entry;
  const longUrl = 'https://conformance.example/'.padEnd(websiteUrl + 1, 'p');
  const rows: readonly (readonly [string, unknown])[] = [
    ['an empty list of entries', []],
    ['entries that are no list', {}],
    ['an entry without company_name', [{ city: 'A' }]],
    ['a null company_name', [{ company_name: null }]],
    ['company_name of 501 characters', [{ company_name: 'n'.repeat(companyName + 1) }]],
    ['website_url without http://, https:// or www.', [{ ...good, website_url: 'conformance.example' }]],
    ['website_url of 2,049 characters', [{ ...good, website_url: longUrl }]],
    ['city of 256 characters', [{ ...good, city: 'c'.repeat(city + 1) }]],
    ['country of 256 characters', [{ ...good, country: 'o'.repeat(country + 1) }]],
    ['external_id of 256 characters', [{ ...good, external_id: 'x'.repeat(externalId + 1) }]],
    ['reason of 2,001 characters', [{ ...good, reason: 'r'.repeat(reason + 1) }]],
    ['a good entry beside one without company_name', [good, {}]],
    ['a good entry beside one with a wrong website_url', [good, { ...good, website_url: 'conformance.example' }]],
    ['10,001 entries', Array.from({ length: most + 1 }, () => good)],
  ];
  const cases = rows.map(([what, entries]) => ({ what, ...byBlacklist(id), body: { entries } }));
  return [...cases, { what: 'a body without entries', ...byBlacklist(id), body: {} }];
}

function isKept(sent: EntryInput, found: Entry): boolean {
  return (
    sent.company_name === found.company_name &&
    optional.every((field) => (sent[field] ?? null) === (found[field] ?? null))
  );
}

function describeForm({ website_url }: EntryInput): string {
  return website_url && website_url.length > 50 ? 'the entry with the longest fields' : `the form ${website_url}`;
}
