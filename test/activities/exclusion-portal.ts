/** Deals, lists and a do-not-contact property in the CRM stand-in, made by its own API. */
import type { ActivityHarness } from './harness.ts';

const scopes = [
  'crm.objects.companies.read',
  'crm.objects.companies.write',
  'crm.objects.deals.read',
  'crm.objects.deals.write',
  'crm.lists.read',
  'crm.lists.write',
  'crm.schemas.companies.write',
];

export function exclusionPortal({ portals, portalId }: ActivityHarness) {
  const token = portals.createToken({ portalId, scopes });
  async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const response = await portals.fetch(
      new Request(`https://hubspot.test${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as Body;
  }
  return {
    async deal(stage: string, companies: readonly string[], properties: Record<string, string> = {}): Promise<string> {
      const { id } = await call<{ id: string }>('POST', '/crm/v3/objects/deals', {
        properties: { dealname: 'D', dealstage: stage, ...properties },
      });
      if (companies.length > 0) {
        await call('POST', '/crm/v4/associations/deals/companies/batch/associate/default', {
          inputs: companies.map((company) => ({ from: { id }, to: { id: company } })),
        });
      }
      return id;
    },
    moveDeal: (id: string, stage: string) =>
      call('PATCH', `/crm/v3/objects/deals/${id}`, { properties: { dealstage: stage } }),
    async list(members: readonly string[], objectTypeId = '0-2'): Promise<string> {
      const { list } = await call<{ list: { listId: string } }>('POST', '/crm/v3/lists', {
        name: `List ${(lists += 1)}`,
        objectTypeId,
        processingType: 'MANUAL',
      });
      if (members.length > 0) await call('PUT', `/crm/v3/lists/${list.listId}/memberships/add`, members);
      return list.listId;
    },
    leaveList: (listId: string, members: readonly string[]) =>
      call('PUT', `/crm/v3/lists/${listId}/memberships/remove`, members),
    change: (id: string, properties: Record<string, string>) =>
      call('PATCH', `/crm/v3/objects/companies/${id}`, { properties }),
    archive: (id: string) => call('DELETE', `/crm/v3/objects/companies/${id}`),
    flag: (name: string) =>
      call('POST', '/crm/v3/properties/companies', {
        name,
        label: name,
        type: 'bool',
        fieldType: 'booleancheckbox',
        groupName: 'companyinformation',
        options: [
          { label: 'Yes', value: 'true' },
          { label: 'No', value: 'false' },
        ],
      }),
    asked: () =>
      portals
        .journal(portalId)
        .entries()
        .map(({ method, path }) => `${method} ${path.replace(/\?.*$/, '')}`),
  };
}

let lists = 0;
