import * as fc from 'fast-check';

import {
  apiFamilies,
  apiVersions,
  defaultVersions,
  familyOf,
  toSupportEnd,
  toVersionedPath,
} from '../../src/hubspot/hubspot-api-versions.ts';
import type { ApiFamily } from '../../src/hubspot/hubspot-api-versions.ts';
import { anyCharacter } from '../helpers/random-text.ts';

const legacy = {
  objects: '/crm/v3/objects',
  associations: '/crm/v4/associations',
  properties: '/crm/v3/properties',
  lists: '/crm/v3/lists',
  account: '/account-info/v3',
} satisfies Record<ApiFamily, string>;

const family = fc.constantFrom(...apiFamilies);
const version = fc.constantFrom(...apiVersions);
const versions = fc.record({
  objects: version,
  associations: version,
  properties: version,
  lists: version,
  account: version,
});
const rest = fc.webPath().chain((path) =>
  fc
    .string({ unit: anyCharacter })
    .map(encodeURIComponent)
    .map((query) => (query === '' ? path : `${path}?${query}`)),
);

describe('toVersionedPath', () => {
  it.each([
    ['/crm/v3/objects/companies/batch/upsert', '/crm/objects/2026-09/companies/batch/upsert'],
    ['/crm/v3/objects/contacts?limit=100&after=7', '/crm/objects/2026-09/contacts?limit=100&after=7'],
    [
      '/crm/v4/associations/contacts/companies/batch/associate/default',
      '/crm/associations/2026-09/contacts/companies/batch/associate/default',
    ],
    ['/crm/v3/properties/companies/groups', '/crm/properties/2026-09/companies/groups'],
    ['/crm-object-schemas/v3/schemas/companies', '/crm-object-schemas/2026-09/schemas/companies'],
    ['/crm/v3/lists/12/memberships?limit=100', '/crm/lists/2026-09/12/memberships?limit=100'],
    ['/account-info/v3/details', '/account-info/2026-09/details'],
  ])('rewrites %s', (path, dated) => {
    const all = {
      objects: '2026-09',
      associations: '2026-09',
      properties: '2026-09',
      lists: '2026-09',
      account: '2026-09',
    } as const;
    expect(toVersionedPath(path, all)).toBe(dated);
  });

  it('replaces the head of a path according to its family, and keeps the rest', () => {
    fc.assert(
      fc.property(family, versions, rest, (name, wanted, tail) => {
        const path = `${legacy[name]}/${tail}`;
        const sent = toVersionedPath(path, wanted);
        expect(sent).toBe(toVersionedPath(path, { ...defaultVersions, [name]: wanted[name] }));
        expect(sent.endsWith(`/${tail}`)).toBe(true);
        expect(sent.includes(`/${wanted[name]}/`) || wanted[name] === 'legacy').toBe(true);
        // A dated path matches no legacy path.
        expect(toVersionedPath(sent, wanted)).toBe(sent);
        expect(sent === path).toBe(wanted[name] === 'legacy');
      }),
    );
  });

  it('keeps paths of other families', () => {
    const all = { ...defaultVersions, objects: '2026-03', lists: '2026-03' } as const;
    for (const path of ['/crm/v3/objectsets/1', '/crm/v3/owners', '/crm/v3/listsand', '/']) {
      expect(toVersionedPath(path, all)).toBe(path);
      expect(familyOf(path)).toBe('other');
    }
  });
});

describe('familyOf', () => {
  it('separates searches, which have their own rate limit', () => {
    expect(familyOf('/crm/v3/objects/companies/search')).toBe('search');
    expect(familyOf('/crm/v3/objects/companies/batch/read')).toBe('objects');
    expect(familyOf('/crm/v3/lists/search')).toBe('lists');
    expect(familyOf('/account-info/v3/details')).toBe('account');
  });
});

describe('toSupportEnd', () => {
  it('returns the earlier of the dates that HubSpot documents', () => {
    expect(toSupportEnd('associations', 'legacy')).toBe('2027-03-30');
    expect(toSupportEnd('objects', 'legacy')).toBe('2027-09-01');
    expect(toSupportEnd('objects', '2026-03')).toBe('2027-09-01');
    expect(toSupportEnd('lists', '2026-09')).toBe('2028-03-01');
  });
});
