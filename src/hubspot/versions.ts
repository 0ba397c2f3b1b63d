// Which paths a call takes. The SDK builds legacy ones; the version that is set for the family of the call decides what is sent.

export const apiVersions = ['legacy', '2026-03', '2026-09'] as const;
export type ApiVersion = (typeof apiVersions)[number];

interface Family {
  /** As the SDK, or the account call, builds it. */
  readonly legacy: string;
  /** A dated path is `<before>/<version>/…`. */
  readonly before: string;
  /** First day on which HubSpot does not mend the legacy paths any more. Nothing says that they are switched off then. */
  readonly legacyEnds: string;
}

const families = {
  objects: { legacy: '/crm/v3/objects', before: '/crm/objects', legacyEnds: '2027-09-01' },
  associations: { legacy: '/crm/v4/associations', before: '/crm/associations', legacyEnds: '2027-03-30' },
  properties: { legacy: '/crm/v3/properties', before: '/crm/properties', legacyEnds: '2027-09-01' },
  lists: { legacy: '/crm/v3/lists', before: '/crm/lists', legacyEnds: '2027-09-01' },
  account: { legacy: '/account-info/v3', before: '/account-info', legacyEnds: '2027-09-01' },
} as const satisfies Record<string, Family>;

/** Each has a version of its own. Search belongs to objects. */
export type ApiFamily = keyof typeof families;
export type ApiVersions = Readonly<Record<ApiFamily, ApiVersion>>;

export const apiFamilies = ['objects', 'associations', 'properties', 'lists', 'account'] as const satisfies ApiFamily[];

/** The legacy one each: what the SDK was made for. */
export const defaultVersions: ApiVersions = {
  objects: 'legacy',
  associations: 'legacy',
  properties: 'legacy',
  lists: 'legacy',
  account: 'legacy',
};

/** Search has limits of its own, hence a name of its own. */
export type CallFamily = ApiFamily | 'search' | 'other';

interface Call {
  readonly method: string;
  /** Legacy, with its query. */
  readonly path: string;
}

/** The path that is sent: the same when the family's version is legacy, or when it belongs to none. */
export function toVersionedPath(path: string, versions: ApiVersions): string {
  const name = familyNameOf(path);
  if (name === undefined || versions[name] === 'legacy') return path;
  const { legacy, before } = families[name];
  return `${before}/${versions[name]}${path.slice(legacy.length)}`;
}

/** @param path a legacy one */
export function familyOf(path: string): CallFamily {
  const name = familyNameOf(path) ?? 'other';
  return name === 'objects' && /\/search(?:\?|$)/.test(path) ? 'search' : name;
}

/** Whether a call changes nothing. What is not known to read is taken for a write. */
export function isRead({ method, path }: Call): boolean {
  return method === 'GET' || (method === 'POST' && /^[^?]*\/(?:search|batch\/read)(?:\?|$)/.test(path));
}

/** A dated version is supported for 18 months from the first of its month. */
export function supportEnds(family: ApiFamily, version: ApiVersion): string {
  if (version === 'legacy') return families[family].legacyEnds;
  const [year = 0, month = 0] = version.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + 18, 1)).toISOString().slice(0, 10);
}

function familyNameOf(path: string): ApiFamily | undefined {
  return apiFamilies.find((name) => {
    const { legacy } = families[name];
    return path.startsWith(legacy) && /^(?:[/?]|$)/.test(path.slice(legacy.length));
  });
}
