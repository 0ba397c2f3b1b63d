/** Blacklist matching by the specification: four tiers, best first. An index replaces a scan. */
import { normalizeText } from '../../base/text/normalize-text.ts';

export const matchingTiers = ['external_id', 'website_domain', 'name_and_city', 'name'] as const;
export type MatchingTier = (typeof matchingTiers)[number];

/** A blacklist entry or a company; the `external_id` of a company is its source id. */
export interface Comparable {
  readonly company_name: string;
  readonly website_url?: string | null | undefined;
  readonly city?: string | null | undefined;
  readonly external_id?: string | null | undefined;
}

export interface BlacklistMatch {
  readonly tier: MatchingTier;
  readonly id: string;
}

/** DNS has no longer names. */
const longestHost = 253;
/** A host with user name and port. */
const longestAuthority = 320;

/**
 * The domain of a website address (A27): host in lower case and punycode, without `www.`, port and trailing dot.
 * Accepts http://, https://, www. and bare hosts; null when there is no valid host.
 */
export function domainOf(website: string | null | undefined): string | null {
  if (!website) return null;
  const text = website.trim();
  const scheme = /^[a-z][a-z0-9+.-]{0,20}:\/\//i.exec(text)?.[0] ?? '';
  const [authority = ''] = text.slice(scheme.length).split(/[/?#\\]/, 1);
  // The URL parser needs quadratic time for a long name that is not ASCII.
  if (authority.length > longestAuthority) return null;
  const url = URL.parse(`${scheme || 'http://'}${authority}`);
  const host = url?.hostname.replace(/\.$/, '').replace(/^www\./, '');
  return host?.includes('.') && host.length <= longestHost ? host : null;
}

/** Normalizes a name or city for comparison (A28). */
export function comparableName(text: string): string {
  return normalizeText(text, 'NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Index over the entries of one or more blacklists; every operation takes constant time. */
export function createBlacklistIndex() {
  const idsByKey = new Map<string, Set<string>>();

  return {
    add(id: string, entry: Comparable): void {
      for (const [, key] of tierKeys(entry)) {
        const ids = idsByKey.get(key);
        if (ids) ids.add(id);
        else idsByKey.set(key, new Set([id]));
      }
    },
    remove(id: string, entry: Comparable): void {
      for (const [, key] of tierKeys(entry)) {
        const ids = idsByKey.get(key);
        ids?.delete(id);
        if (ids?.size === 0) idsByKey.delete(key);
      }
    },
    /** The match of the best tier, or null. */
    match(company: Comparable): BlacklistMatch | null {
      for (const [tier, key] of tierKeys(company)) {
        const [id] = idsByKey.get(key) ?? [];
        if (id !== undefined) return { tier, id };
      }
      return null;
    },
  };
}
export type BlacklistIndex = ReturnType<typeof createBlacklistIndex>;

function* tierKeys(side: Comparable): Generator<[MatchingTier, string]> {
  if (side.external_id) yield ['external_id', `1:${side.external_id}`];
  const domain = domainOf(side.website_url);
  if (domain !== null) yield ['website_domain', `2:${domain}`];
  const name = comparableName(side.company_name);
  if (side.city) yield ['name_and_city', `3:${name}\n${comparableName(side.city)}`];
  yield ['name', `4:${name}`];
}
