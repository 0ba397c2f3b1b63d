import { operations } from '../../../src/service/contract/index.ts';

/** Copied by hand from the specification, independently of the table. */
const specified = `
POST /api/v1/blacklists
GET /api/v1/blacklists
GET /api/v1/blacklists/{blacklist_id}
PATCH /api/v1/blacklists/{blacklist_id}
DELETE /api/v1/blacklists/{blacklist_id}
POST /api/v1/blacklists/{blacklist_id}/entries
GET /api/v1/blacklists/{blacklist_id}/entries
DELETE /api/v1/blacklists/{blacklist_id}/entries
GET /api/v1/prospect-searches/{prospect_search_id}/blacklists
PUT /api/v1/prospect-searches/{prospect_search_id}/blacklists
POST /api/v1/search-profile-creations
GET /api/v1/search-profile-creations/{profile_creation_id}
POST /api/v1/orders
GET /api/v1/orders/{order_id}
GET /api/v1/orders/{order_id}/results
POST /api/v1/orders/{order_id}/export
POST /api/v1/orders/{order_id}/outputs
GET /api/v1/orders/{order_id}/outputs
GET /api/v1/orders/{order_id}/outputs/{output_id}
GET /api/v1/exports/jobs/{export_job_id}/download
GET /api/v1/deliveries/{prospect_search_id}/companies
GET /api/v1/deliveries/{prospect_search_id}/companies/{company_id}/website-markdown`
  .trim()
  .split('\n');

describe('operations', () => {
  it('are the 22 operations of the specification', () => {
    const listed = Object.values(operations).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    // The specification does not show the path of the order list (A79).
    expect(listed.toSorted()).toEqual([...specified, 'GET /api/v1/orders'].toSorted());
  });

  it('define every parameter of their path', () => {
    for (const operation of Object.values(operations)) {
      const named = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(Object.keys(operation.params?.shape ?? {})).toEqual(named);
    }
  });

  it('require blacklist scopes for blacklist paths', () => {
    for (const operation of Object.values(operations)) {
      if (!operation.path.includes('blacklists')) continue;
      expect(operation.scopes).toEqual([operation.method === 'get' ? 'blacklists:read' : 'blacklists:write']);
    }
  });
});
