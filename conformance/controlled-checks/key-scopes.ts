import { operations, scopes, type OrderInput } from '../../src/service/contract/index.ts';
import type { Operation } from '../../src/service/contract/operation.ts';
import type { Answer, Call } from '../probe/caller.ts';
import type { Check } from '../probe/check.ts';
import { byBlacklist, byCreation, byOrder, bySearch } from '../checks/path-parameters.ts';
import { valueAt } from '../../src/service/contract/violations.ts';
import { createTestOrganization, profileInput, type TestOrganization } from './test-organization.ts';

/** "Authentication", 3. */
const issuableScopes = [
  'blacklists:read',
  'blacklists:write',
  'companies:read',
  'delivery:read',
  'orders:read',
  'orders:write',
  'prospect_searches:read',
  'prospects:read',
];

export const keyChecks: readonly Check[] = [
  {
    id: 'authentication.missing-scope',
    clause: 'Authentication 4, 5; Errors 403',
    title: 'a key without the scope gets 403 AUTHORIZATION_ERROR with required_scopes and user_scopes',
    needs: 'a key that lacks a scope',
    effect: 'read',
    async run(probe) {
      const test = createTestOrganization(probe);
      for (const [operation, call] of await scopedRequests(test)) {
        const required = operation.scopes;
        const others = scopes.filter((scope) => !required.includes(scope));
        expectForbidden(test, await sendWithScopes(test, others, operation, call), required, others);
        const { about, status } = await sendWithScopes(test, required, operation, call);
        probe.expect(status < 300, `${about}: must be allowed with ${required.join(', ')}, answered ${status}`);
      }
      const blacklist_ids = [await test.createBlacklist()];
      const order = { ...discovery(await test.createProfile()), blacklist_ids };
      const orderScopes = ['orders:read', 'orders:write'];
      const refused = await sendWithScopes(test, orderScopes, operations.createOrder, { body: order });
      expectForbidden(test, refused, [...orderScopes, 'blacklists:read'], orderScopes);
    },
  },
  {
    id: 'authentication.expired-key',
    clause: 'Authentication 5; Errors 401',
    title: 'an expired key is a 401',
    needs: 'a clock that can be moved',
    effect: 'read',
    async run(probe) {
      const { organizationId, server } = createTestOrganization(probe);
      const expiring = probe.withKey(server.createKey({ organizationId, scopes, validSeconds: 60 }));
      await expiring.ask(operations.listBlacklists, 200);
      await server.advance(61);
      const { body } = await expiring.answers(operations.listBlacklists, 401);
      probe.expect(valueAt(body, ['error']) === 'UNAUTHORIZED', 'an expired key: error must be UNAUTHORIZED');
    },
  },
  {
    id: 'authentication.issued-scopes',
    clause: 'Authentication 3; Change history 1.2.0',
    title: 'new keys have the eight scopes only; other scopes of older keys unlock nothing',
    needs: 'a server that issues keys with chosen scopes',
    effect: 'read',
    async run(probe) {
      const { organizationId, server, expectEqual } = createTestOrganization(probe);
      expectEqual('scopes of new keys', server.issuableScopes.toSorted(), issuableScopes);
      const older = probe.withKey(server.createKey({ organizationId, scopes: ['pipeline:read', 'admin'] }));
      const { status, body } = await older.raw.send(operations.listBlacklists);
      expectEqual('an older key', [status, valueAt(body, ['code'])], [403, 'AUTHORIZATION_ERROR']);
    },
  },
  {
    id: 'authentication.other-organization',
    clause: 'Authentication 7; Blacklists rule 4',
    title: 'ids of another organization are not found, and its blacklists are not listed',
    needs: 'a key of another organization',
    effect: 'read',
    async run(probe) {
      const owner = createTestOrganization(probe);
      const other = createTestOrganization(probe);
      const id = await owner.createBlacklist();
      for (const operation of [operations.getBlacklist, operations.listEntries, operations.deleteBlacklist]) {
        const answer = await other.probe.answers(operation, 404, { ...byBlacklist(id), code: 'BLACKLIST_NOT_FOUND' });
        const named = [valueAt(answer.body, ['identifier']), valueAt(answer.body, ['blacklist_id'])];
        other.expectEqual(`${answer.about} 404: identifier and blacklist_id`, named, [id, id]);
      }
      const { blacklists } = await other.probe.ask(operations.listBlacklists, 200);
      other.expectEqual('blacklists of another organization', blacklists, []);
      const profileId = await owner.createProfile();
      const orderId = await owner.finishOrder(discovery(profileId));
      const output = await owner.probe.ask(operations.createOutput, 202, {
        ...byOrder(orderId),
        body: { output_type: 'csv' },
      });
      const requests: readonly (readonly [Operation, Call])[] = [
        [operations.getOrder, byOrder(orderId)],
        [operations.listResults, byOrder(orderId)],
        [operations.listOutputs, byOrder(orderId)],
        [operations.getOutput, { params: { order_id: orderId, output_id: output.output_id } }],
        [operations.downloadExport, { params: { export_job_id: output.export_job_id } }],
        [operations.listDeliveredCompanies, bySearch(profileId)],
      ];
      for (const [operation, call] of requests) await other.probe.answers(operation, 404, call);
    },
  },
];

function discovery(profile_id: string): OrderInput {
  return { order_type: 'DISCOVERY', profile_id, briefing_quantity: 1, title: 'Spring' };
}

/** One request of each operation whose scope the specification or an assumption names; deletions come last. */
async function scopedRequests(test: TestOrganization): Promise<readonly (readonly [Operation, Call])[]> {
  const blacklist = byBlacklist(await test.createBlacklist([{ company_name: 'A' }, { company_name: 'B' }]));
  const { entries } = await test.probe.ask(operations.listEntries, 200, blacklist);
  const profileId = await test.createProfile();
  const body = profileInput({ profile_name: 'Polled' });
  const creation = await test.probe.ask(operations.createProfile, 202, { idempotencyKey: 'polled', body });
  const order = byOrder(await test.finishOrder(discovery(profileId)));
  return [
    [operations.createBlacklist, { body: { name: 'A' } }],
    [operations.listBlacklists, {}],
    [operations.getBlacklist, blacklist],
    [operations.updateBlacklist, { ...blacklist, body: { name: 'B' } }],
    [operations.addEntries, { ...blacklist, body: { entries: [{ company_name: 'C' }] } }],
    [operations.listEntries, blacklist],
    [operations.removeEntries, { ...blacklist, body: { entry_ids: entries.map(({ id }) => id) } }],
    [operations.assignBlacklists, { ...bySearch(profileId), body: { blacklist_ids: [] } }],
    [operations.listAssignedBlacklists, bySearch(profileId)],
    [operations.createProfile, { body: profileInput(), idempotencyKey: 'scope' }],
    [operations.getProfileCreation, byCreation(creation.profile_creation_id)],
    [operations.createOrder, { body: discovery(profileId) }],
    [operations.listOutputs, order],
    [operations.createOutput, { ...order, body: { output_type: 'csv' } }],
    [operations.listDeliveredCompanies, bySearch(profileId)],
    [operations.deleteBlacklist, blacklist],
  ];
}

function sendWithScopes(
  { probe, server, organizationId }: TestOrganization,
  held: readonly string[],
  operation: Operation,
  call: Call,
): Promise<Answer> {
  // Not `send` of the probe: it ends the check at a 403.
  return probe.withKey(server.createKey({ organizationId, scopes: held })).raw.send(operation, call);
}

function expectForbidden(
  { expectEqual }: TestOrganization,
  { about, status, body }: Answer,
  required: readonly string[],
  held: readonly string[],
): void {
  const listed = ['required_scopes', 'user_scopes'].map((field) => toSortedList(valueAt(body, [field])));
  const found = [status, valueAt(body, ['code']), typeof valueAt(body, ['message']), ...listed];
  expectEqual(about, found, [403, 'AUTHORIZATION_ERROR', 'string', required.toSorted(), held.toSorted()]);
}

function toSortedList(value: unknown): unknown {
  return Array.isArray(value) ? value.map(String).toSorted() : value;
}
