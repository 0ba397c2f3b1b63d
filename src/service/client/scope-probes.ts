/** Requests that need one scope each and change nothing: the service must refuse them for another reason than a missing scope. */
import type { Scope } from '../contract/enum-values.ts';
import { ProspectingError } from './prospecting-error.ts';
import type { Api } from './service-transport.ts';

/** No order and no blacklist has this id. */
const unknownId = '00000000-0000-4000-8000-000000000000';

export type ProbedScope = Extract<Scope, 'orders:read' | 'orders:write' | 'blacklists:read' | 'blacklists:write'>;

/** The scopes that the service reports as granted and required; null: the key has the probed scope. */
export interface MissingScope {
  readonly required: readonly string[];
  readonly granted: readonly string[] | undefined;
}

export function createScopeProbes(api: Api) {
  const probes: Readonly<Record<ProbedScope, () => Promise<unknown>>> = {
    'orders:read': () => api.GET('/api/v1/orders/{order_id}', { params: { path: { order_id: unknownId } } }),
    // An order without any field and without an Idempotency-Key cannot be placed.
    'orders:write': () => api.POST('/api/v1/orders', { params: {}, body: {} }),
    'blacklists:read': () => api.GET('/api/v1/blacklists'),
    'blacklists:write': () =>
      api.PATCH('/api/v1/blacklists/{blacklist_id}', { params: { path: { blacklist_id: unknownId } }, body: {} }),
  };
  return {
    /** @throws ProspectingError when the answer does not show whether the key has the scope */
    async findMissing(scope: ProbedScope): Promise<MissingScope | null> {
      try {
        await probes[scope]();
        return null;
      } catch (error) {
        if (!(error instanceof ProspectingError)) throw error;
        const { kind, status = 0, requiredScopes, grantedScopes } = error.facts;
        if (kind === 'http' && status === 403) return { required: requiredScopes ?? [scope], granted: grantedScopes };
        // Orders are placed at an address that every service has; the other probes name what does not exist.
        const expected = scope === 'orders:write' ? [400, 409, 422] : [400, 404, 409, 422];
        if (kind === 'http' && expected.includes(status)) return null;
        throw error;
      }
    },
  };
}
