/** Blacklist entries: paged by position and matched by index at any size. */
import { comparableName, domainOf, type Entry, type MatchingTier } from '../../src/service/contract/index.ts';
import type { Database, Row } from './state-database.ts';

export interface Entries {
  add(blacklistId: string, entries: readonly Entry[]): void;
  /** Ignores unknown ids. @returns the number of removed entries */
  remove(blacklistId: string, ids: readonly string[]): number;
  removeAll(blacklistId: string): void;
  count(blacklistId: string): number;
  page(blacklistId: string, page: { readonly limit: number; readonly offset: number }): Entry[];
  /** The best tier on which a company matches an entry of these blacklists, or null ("Blacklist matching"). */
  match(blacklistIds: readonly string[], company: Matched): { readonly tier: MatchingTier; readonly id: string } | null;
}

/** A company as it is compared; `domain` and names as `domainOf` and `comparableName` give them. */
export interface Matched {
  readonly external_id: string | null;
  readonly domain: string | null;
  readonly name: string;
  readonly city: string | null;
}

/** `block` counts the entries of each range of places, so that a late page is found without reading those before it. */
export const entriesSchema = `
  CREATE TABLE IF NOT EXISTS entries (
    place INTEGER PRIMARY KEY,
    blacklist TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    company_name TEXT NOT NULL,
    website_url TEXT,
    city TEXT,
    country TEXT,
    external_id TEXT,
    reason TEXT,
    created_at TEXT NOT NULL,
    domain TEXT,
    name_key TEXT NOT NULL,
    city_key TEXT
  );
  CREATE INDEX IF NOT EXISTS entries_in_order ON entries (blacklist, place);
  CREATE INDEX IF NOT EXISTS entries_by_external_id ON entries (external_id, blacklist) WHERE external_id IS NOT NULL;
  CREATE INDEX IF NOT EXISTS entries_by_domain ON entries (domain, blacklist) WHERE domain IS NOT NULL;
  CREATE INDEX IF NOT EXISTS entries_by_name ON entries (name_key, blacklist, city_key);
  CREATE TABLE IF NOT EXISTS entry_blocks (
    blacklist TEXT NOT NULL,
    block INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    PRIMARY KEY (blacklist, block)
  ) WITHOUT ROWID;
`;

const placesPerBlock = 4_096;

const insertion = `
  INSERT INTO entries (blacklist, id, company_name, website_url, city, country, external_id, reason, created_at,
    domain, name_key, city_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING place`;
const counting = `
  INSERT INTO entry_blocks (blacklist, block, entries) VALUES (?, ?, ?)
  ON CONFLICT (blacklist, block) DO UPDATE SET entries = entries + excluded.entries`;

/** Tiers of one blacklist at a time: an IN list would cost more than the few look-ups that it saves. */
const lookUps = {
  external_id: 'SELECT id FROM entries WHERE external_id = ? AND blacklist = ? LIMIT 1',
  website_domain: 'SELECT id FROM entries WHERE domain = ? AND blacklist = ? LIMIT 1',
  name_and_city: 'SELECT id FROM entries WHERE name_key = ? AND blacklist = ? AND city_key = ? LIMIT 1',
  name: 'SELECT id FROM entries WHERE name_key = ? AND blacklist = ? LIMIT 1',
} as const satisfies Record<MatchingTier, string>;

export function createEntries(database: Database): Entries {
  const countBlocks = (blacklist: string, places: readonly number[], sign: 1 | -1) => {
    const counts = new Map<number, number>();
    for (const place of places) {
      const block = Math.floor(place / placesPerBlock);
      counts.set(block, (counts.get(block) ?? 0) + sign);
    }
    for (const [block, count] of counts) database.run(counting, blacklist, block, count);
  };

  return {
    add(blacklist, entries) {
      const places = entries.map((entry) => Number(database.get(insertion, ...toValues(blacklist, entry))?.['place']));
      countBlocks(blacklist, places, 1);
    },
    remove(blacklist, ids) {
      const places: number[] = [];
      for (const id of ids) {
        const row = database.get('DELETE FROM entries WHERE id = ? AND blacklist = ? RETURNING place', id, blacklist);
        if (row) places.push(Number(row['place']));
      }
      countBlocks(blacklist, places, -1);
      return places.length;
    },
    removeAll(blacklist) {
      database.run('DELETE FROM entries WHERE blacklist = ?', blacklist);
      database.run('DELETE FROM entry_blocks WHERE blacklist = ?', blacklist);
    },
    count: (blacklist) =>
      Number(database.get('SELECT total(entries) AS n FROM entry_blocks WHERE blacklist = ?', blacklist)?.['n'] ?? 0),
    page(blacklist, { limit, offset }) {
      let skipped = 0;
      let from = 0;
      for (const { block, entries } of database.all(
        'SELECT block, entries FROM entry_blocks WHERE blacklist = ? ORDER BY block',
        blacklist,
      )) {
        from = Number(block) * placesPerBlock;
        if (skipped + Number(entries) > offset) break;
        skipped += Number(entries);
        from += placesPerBlock;
      }
      return database
        .all(
          'SELECT * FROM entries WHERE blacklist = ? AND place >= ? ORDER BY place LIMIT ? OFFSET ?',
          blacklist,
          from,
          limit,
          offset - skipped,
        )
        .map(toEntry);
    },
    match(blacklists, { external_id, domain, name, city }) {
      const find = (tier: MatchingTier, ...keys: (string | null)[]) => {
        const [key = null, last = null] = keys;
        if (key === null) return null;
        for (const blacklist of blacklists) {
          const row = database.get(lookUps[tier], key, blacklist, ...(last === null ? [] : [last]));
          if (row) return { tier, id: String(row['id']) };
        }
        return null;
      };
      return (
        find('external_id', external_id) ??
        find('website_domain', domain) ??
        (city === null ? null : find('name_and_city', name, city)) ??
        find('name', name)
      );
    },
  };
}

function toValues(blacklist: string, entry: Entry) {
  const { id, company_name, website_url, city, country, external_id, reason, created_at } = entry;
  const shown = [blacklist, id, company_name, website_url, city, country, external_id, reason, created_at] as const;
  // An empty external_id or city is no key.
  const keys = [domainOf(website_url), comparableName(company_name), city ? comparableName(city) : null] as const;
  return [...shown, ...keys] as const;
}

function toEntry(row: Row): Entry {
  const text = (column: string) => (row[column] === null ? null : String(row[column]));
  return {
    id: String(row['id']),
    company_name: String(row['company_name']),
    website_url: text('website_url'),
    city: text('city'),
    country: text('country'),
    external_id: text('external_id'),
    reason: text('reason'),
    created_at: String(row['created_at']),
  };
}
