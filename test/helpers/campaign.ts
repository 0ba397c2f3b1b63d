import type { createControlClient } from '../../sandbox/control/control-client.ts';

type Control = ReturnType<typeof createControlClient>;

/** Of the first organisation, whose key the sandbox printed. */
export async function firstOrganization(control: Control) {
  const { data } = await control.GET('/organizations');
  return { path: { organization_id: data?.organizations[0]?.organization_id ?? '' } };
}

/** Forwards all replies of a campaign to a receiver. @returns the signing secret of its address */
export async function forwardReplies(
  control: Control,
  { path }: Awaited<ReturnType<typeof firstOrganization>>,
  { campaign_id, url }: { readonly campaign_id: string; readonly url: string },
): Promise<string> {
  const params = { path };
  const address = await control.POST('/organizations/{organization_id}/addresses', {
    params,
    body: { role: 'owner', added_by: 'Olga', url },
  });
  const address_id = address.data?.address_id ?? '';
  await control.POST('/organizations/{organization_id}/actions', {
    params,
    body: { campaign_id, campaign_name: 'Autumn', address_id, added_by: 'Anna' },
  });
  const { data } = await control.GET('/organizations/{organization_id}/addresses/{address_id}/secret', {
    params: { path: { ...path, address_id }, query: { role: 'owner' } },
  });
  return data?.secret ?? '';
}
