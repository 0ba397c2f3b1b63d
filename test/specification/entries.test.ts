import { createTestService } from '../sandbox/service/service-harness.ts';
import { timestamp, uuid } from './surroundings.ts';

const { ask, createBlacklist } = createTestService();

/** Adds an entry to a blacklist of its own. */
async function add(entry: Record<string, unknown>) {
  const path = `/blacklists/${await createBlacklist()}/entries`;
  const { status, body } = await ask('POST', path, { entries: [entry] });
  const stored = (await ask('GET', path)).body.entries;
  return { status, created: status === 201 ? body[0] : null, stored: stored[0] ?? null };
}

/** What becomes of an optional text at its greatest length, one character beyond it, null, and not sent. */
async function tryOptionalText(field: string, longest: string) {
  const longer = await add({ company_name: 'A', [field]: `${longest}x` });
  const ofWrongType = await add({ company_name: 'A', [field]: 7 });
  const kept: unknown[] = [];
  for (const value of [longest, null, undefined]) {
    const { created, stored } = await add({ company_name: 'A', [field]: value });
    kept.push(created, stored);
  }
  return { kept, refused: [longer, ofWrongType] };
}

/** Each as created and as read back: the whole text, null for null, null for what was not sent; other fields stay null. */
function optional(field: string, longest: string) {
  const nothing = { website_url: null, city: null, country: null, external_id: null, reason: null };
  const empty = { id: expect.any(String), company_name: 'A', ...nothing, created_at: expect.any(String) };
  const full = { ...empty, [field]: longest };
  return { kept: [full, full, empty, empty, empty, empty], refused: [notAdded, notAdded] };
}

const notAdded = { status: 422, created: null, stored: null };

describe('Blacklist entry', () => {
  it('id: is a UUID that the service assigns, never the client', async () => {
    const { created, stored } = await add({ company_name: 'A' });
    expect(created.id).toMatch(uuid);
    expect(stored.id).toBe(created.id);
    const own = '11111111-1111-4111-8111-111111111111';
    expect((await add({ company_name: 'A', id: own })).created?.id).not.toBe(own);
  });

  it('company_name: is required, 500 characters at most', async () => {
    const longest = 'n'.repeat(500);
    const { status, created, stored } = await add({ company_name: longest });
    expect([status, created.company_name, stored.company_name]).toEqual([201, longest, longest]);
    for (const company_name of [undefined, null, 7, `${longest}x`]) {
      expect(await add({ company_name, city: 'Bern' })).toEqual(notAdded);
    }
  });

  it.each(['http://', 'https://', 'www.'])('website_url: may start with %s', async (prefix) => {
    const website_url = `${prefix}acme.example`;
    expect((await add({ company_name: 'A', website_url })).stored.website_url).toBe(website_url);
  });

  it.each(['acme.example', 'ftp://acme.example', '//www.acme.example', ' https://acme.example', ''])(
    'website_url: may not be "%s"',
    async (website_url) => {
      expect((await add({ company_name: 'A', website_url })).status).toBe(422);
    },
  );

  it('website_url: takes 2,048 characters, refuses 2,049, is null when not sent', async () => {
    const longest = `https://${'a'.repeat(2_040)}`;
    expect(await tryOptionalText('website_url', longest)).toEqual(optional('website_url', longest));
  });

  it('city: takes 255 characters, refuses 256, is null when not sent', async () => {
    const longest = 'c'.repeat(255);
    expect(await tryOptionalText('city', longest)).toEqual(optional('city', longest));
  });

  it('country: takes 255 characters, refuses 256, is null when not sent', async () => {
    const longest = 'c'.repeat(255);
    expect(await tryOptionalText('country', longest)).toEqual(optional('country', longest));
  });

  it('external_id: takes 255 characters, refuses 256, is null when not sent', async () => {
    const longest = 'x'.repeat(255);
    expect(await tryOptionalText('external_id', longest)).toEqual(optional('external_id', longest));
  });

  it('reason: takes 2,000 characters, refuses 2,001, is null when not sent', async () => {
    const longest = 'r'.repeat(2_000);
    expect(await tryOptionalText('reason', longest)).toEqual(optional('reason', longest));
  });

  it('created_at: is the moment of adding in UTC, assigned by the service', async () => {
    const { ask, pass, createBlacklist } = createTestService();
    const path = `/blacklists/${await createBlacklist([{ company_name: 'A' }])}/entries`;
    pass(90);
    const [later] = (await ask('POST', path, { entries: [{ company_name: 'B' }] })).body;
    const [first, second] = (await ask('GET', path)).body.entries;
    expect(first.created_at).toMatch(timestamp);
    expect(second).toEqual(later);
    expect(Date.parse(second.created_at) - Date.parse(first.created_at)).toBe(90_000);
  });
});
