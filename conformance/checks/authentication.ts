import { closedRoutes, operations } from '../../src/service/contract/index.ts';
import type { Operation } from '../../src/service/contract/operation.ts';
import type { Call } from '../probe/caller.ts';
import type { Check } from '../probe/check.ts';
import { valueAt } from '../../src/service/contract/violations.ts';
import { describeStatus } from '../probe/read-response.ts';
import type { Probe } from '../probe/probe.ts';

export const authenticationChecks: readonly Check[] = [
  {
    id: 'authentication.missing-key',
    clause: 'Authentication 1, 5; Errors 401',
    title: 'a read without the Authorization header is a 401 with error, message and request_id',
    effect: 'read',
    run: (probe, { unknownId }) => refusesKey(probe, unknownId, [null]),
  },
  {
    id: 'authentication.wrong-key',
    clause: 'Authentication 5; Errors 401',
    title: 'a read with an unknown key or another scheme is a 401 with error, message and request_id',
    effect: 'read',
    run: (probe, { unknownId }) =>
      refusesKey(probe, unknownId, [`Bearer sk_unknown_${unknownId}`, `Basic ${unknownId}`]),
  },
  {
    id: 'authentication.missing-key-write',
    clause: 'Authentication 1, 5; Errors 401',
    title: 'a change without a key is a 401 and changes nothing',
    effect: 'write',
    async run(probe, { namePrefix, unknownId }) {
      const calls: readonly (readonly [Operation, Call])[] = [
        [operations.createBlacklist, { body: { name: `${namePrefix} without a key` } }],
        [operations.updateBlacklist, { params: { blacklist_id: unknownId }, body: { name: namePrefix } }],
        [operations.deleteBlacklist, { params: { blacklist_id: unknownId } }],
        [operations.addEntries, { params: { blacklist_id: unknownId }, body: { entries: [{ company_name: 'A' }] } }],
        [operations.removeEntries, { params: { blacklist_id: unknownId }, body: { entry_ids: [unknownId] } }],
        [operations.assignBlacklists, { params: { prospect_search_id: unknownId }, body: { blacklist_ids: [] } }],
      ];
      for (const [operation, call] of calls) await isUnauthorized(probe, operation, { ...call, authorization: null });
      const { blacklists } = await probe.ask(operations.listBlacklists, 200);
      probe.expect(!blacklists.some(({ name }) => name === `${namePrefix} without a key`), 'a blacklist was created');
    },
  },
  {
    id: 'authentication.closed-routes',
    clause: 'Authentication 6; Errors 403',
    title: 'live pipeline routes answer 403 API_KEY_ROUTE_FORBIDDEN',
    effect: 'read',
    async run(probe) {
      for (const path of closedRoutes) {
        const answer = await probe.raw.send({ method: 'get', path });
        const observation = `GET ${path}: must answer 403 (API_KEY_ROUTE_FORBIDDEN), answered ${describeStatus(answer)}`;
        // The paths are an assumption; the specification requires that a key gets no data from a live pipeline route.
        const isForbidden = answer.status === 403;
        if (!isForbidden && answer.status >= 300) probe.note(`assumed A31: ${observation}`);
        else probe.expect(isForbidden && valueAt(answer.body, ['code']) === 'API_KEY_ROUTE_FORBIDDEN', observation);
        if (!isForbidden) continue;
        probe.expect(typeof valueAt(answer.body, ['message']) === 'string', `GET ${path} 403: message must be string`);
      }
    },
  },
];

/** Every operation that reads, with ids that do not exist. */
export function readsOfUnknownIds(unknownId: string): { operation: Operation; call: Call }[] {
  const all: readonly Operation[] = Object.values(operations);
  return all
    .filter(({ method }) => method === 'get')
    .map((operation) => {
      const names = Object.keys(operation.params?.shape ?? {});
      return { operation, call: { params: Object.fromEntries(names.map((name) => [name, unknownId])) } };
    });
}

async function refusesKey(probe: Probe, unknownId: string, headers: readonly (string | null)[]): Promise<void> {
  for (const { operation, call } of readsOfUnknownIds(unknownId)) {
    for (const authorization of headers) await isUnauthorized(probe, operation, { ...call, authorization });
  }
}

async function isUnauthorized(probe: Probe, operation: Operation, call: Call): Promise<void> {
  const { about, status, body } = await probe.answers(operation, 401, call);
  if (status !== 401) return;
  probe.expect(valueAt(body, ['error']) === 'UNAUTHORIZED', `${about} 401: error must be UNAUTHORIZED`);
  probe.expect(valueAt(body, ['request_id']) !== '', `${about} 401: request_id must not be empty`);
}
