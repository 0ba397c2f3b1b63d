import { createSandboxPortal } from '../helpers/sandbox-portal.ts';
import { createStubPortal, json, rejection } from './stub-portal.ts';

describe('objects.requireWriteScope', () => {
  it('sends an empty batch, and reports the missing scope', async () => {
    const { sandbox, portalId, connectWithScopes } = createSandboxPortal();
    const reader = connectWithScopes(['crm.objects.companies.read']);
    expect(await rejection(reader.objects.requireWriteScope('companies'))).toMatchObject({
      status: 403,
      requiredScopes: ['crm.objects.companies.write'],
    });
    await connectWithScopes(['crm.objects.companies.write']).objects.requireWriteScope('companies');
    const statuses = sandbox
      .journal(portalId)
      .entries()
      .map(({ path, status }) => `${path} ${status}`);
    expect(statuses).toEqual([403, 400].map((status) => `/crm/v3/objects/companies/batch/update ${status}`));
  });

  it.each([200, 207, 400, 404, 500, 502])('accepts status %d as proof of the write scope', async (status) => {
    const { client, calls } = createStubPortal(() => json(status, {}));
    await client.objects.requireWriteScope('contacts');
    expect(calls.map(({ body }) => body)).toEqual([{ inputs: [] }]);
  });

  it.each([401, 403, 423, 429, 477])('throws on status %d', async (status) => {
    const { client } = createStubPortal(() => json(status, {}, { 'retry-after': '60' }));
    expect(await rejection(client.objects.requireWriteScope('contacts'))).toMatchObject({ kind: 'http', status });
  });

  it('sends nothing to another portal than the expected one', async () => {
    const { client } = createStubPortal(() => json(200, { portalId: 7, accountType: 'STANDARD' }), {
      portal: { id: 8 },
    });
    expect(await rejection(client.objects.requireWriteScope('contacts'))).toMatchObject({ code: 'WRONG_PORTAL' });
  });
});
