/** The sources of exclusions in the sandbox HubSpot: deals, lists and a do-not-contact property. */
import type { ActivityHarness } from './activity-harness.ts';

type Portal = Pick<ActivityHarness, 'portals' | 'portalId' | 'sendToHubSpot'>;

export function exclusionPortal({ portals, portalId, sendToHubSpot: send }: Portal) {
  return {
    async deal(stage: string, companies: readonly string[], properties: Record<string, string> = {}): Promise<string> {
      const { id } = await send<{ id: string }>('POST', '/crm/v3/objects/deals', {
        properties: { dealname: 'D', dealstage: stage, ...properties },
      });
      if (companies.length > 0) {
        await send('POST', '/crm/v4/associations/deals/companies/batch/associate/default', {
          inputs: companies.map((company) => ({ from: { id }, to: { id: company } })),
        });
      }
      return id;
    },
    moveDeal: (id: string, stage: string) =>
      send('PATCH', `/crm/v3/objects/deals/${id}`, { properties: { dealstage: stage } }),
    async list(members: readonly string[], objectTypeId = '0-2'): Promise<string> {
      const { list } = await send<{ list: { listId: string } }>('POST', '/crm/v3/lists', {
        name: `List ${(lists += 1)}`,
        objectTypeId,
        processingType: 'MANUAL',
      });
      if (members.length > 0) await send('PUT', `/crm/v3/lists/${list.listId}/memberships/add`, members);
      return list.listId;
    },
    leaveList: (listId: string, members: readonly string[]) =>
      send('PUT', `/crm/v3/lists/${listId}/memberships/remove`, members),
    change: (id: string, properties: Record<string, string>) =>
      send('PATCH', `/crm/v3/objects/companies/${id}`, { properties }),
    archive: (id: string) => send('DELETE', `/crm/v3/objects/companies/${id}`),
    flag: (name: string) =>
      send('POST', '/crm/v3/properties/companies', {
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
