// Rewrites the legacy paths that the SDK builds to the configured API version of their family.

export const apiVersions = ['legacy', '2026-03', '2026-09'] as const;
export type ApiVersion = (typeof apiVersions)[number];

/** Families have separate versions. Search belongs to objects, object schemas to properties. */
export const apiFamilies = ['objects', 'associations', 'properties', 'lists', 'account'] as const;
export type ApiFamily = (typeof apiFamilies)[number];
export type ApiVersions = Readonly<Record<ApiFamily, ApiVersion>>;

/** `legacy`: as the SDK, or the account call, builds it. A dated path is `<before>/<version>/…`. */
const roots: readonly { readonly family: ApiFamily; readonly legacy: string; readonly before: string }[] = [
  { family: 'objects', legacy: '/crm/v3/objects', before: '/crm/objects' },
  { family: 'associations', legacy: '/crm/v4/associations', before: '/crm/associations' },
  { family: 'properties', legacy: '/crm/v3/properties', before: '/crm/properties' },
  { family: 'properties', legacy: '/crm-object-schemas/v3', before: '/crm-object-schemas' },
  { family: 'lists', legacy: '/crm/v3/lists', before: '/crm/lists' },
  { family: 'account', legacy: '/account-info/v3', before: '/account-info' },
];

/** First day without support. HubSpot does not say that it switches the paths off then. */
const legacyEnds = {
  objects: '2027-09-01',
  associations: '2027-03-30',
  properties: '2027-09-01',
  lists: '2027-09-01',
  account: '2027-09-01',
} as const satisfies Record<ApiFamily, string>;

/** Legacy, which the SDK supports. */
export const defaultVersions: ApiVersions = {
  objects: 'legacy',
  associations: 'legacy',
  properties: 'legacy',
  lists: 'legacy',
  account: 'legacy',
};

/** Search has its own rate limit. */
export type CallFamily = ApiFamily | 'search' | 'other';

/** Unchanged for version legacy and for paths of no family. */
export function toVersionedPath(path: string, versions: ApiVersions): string {
  const root = rootOf(path);
  if (root === undefined || versions[root.family] === 'legacy') return path;
  return `${root.before}/${versions[root.family]}${path.slice(root.legacy.length)}`;
}

/** @param path a legacy one */
export function familyOf(path: string): CallFamily {
  const family = rootOf(path)?.family ?? 'other';
  return family === 'objects' && /\/search(?:\?|$)/.test(path) ? 'search' : family;
}

/** A dated version is supported for 18 months from the first of its month. */
export function toSupportEnd(family: ApiFamily, version: ApiVersion): string {
  if (version === 'legacy') return legacyEnds[family];
  const [year = 0, month = 0] = version.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + 18, 1)).toISOString().slice(0, 10);
}

function rootOf(path: string) {
  return roots.find(({ legacy }) => path.startsWith(legacy) && /^(?:[/?]|$)/.test(path.slice(legacy.length)));
}
