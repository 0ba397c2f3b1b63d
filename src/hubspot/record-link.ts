import type { Account } from './portal-account.ts';

/** HubSpot's ids of the objects, as in the addresses of its UI. */
const objectTypeIds = { contacts: '0-1', companies: '0-2', notes: '0-46', tasks: '0-27' } as const;

export type LinkedObject = keyof typeof objectTypeIds;

/** Address of a record in HubSpot's UI. `app.hubspot.com` forwards to the data centre of the portal where that is unknown. */
export function toRecordLink(
  { portalId, dataHostingLocation = '' }: Pick<Account, 'portalId' | 'dataHostingLocation'>,
  { object, id }: { readonly object: LinkedObject; readonly id: string },
): string {
  const isElsewhere = dataHostingLocation !== 'na1' && /^[a-z]{2}\d$/.test(dataHostingLocation);
  const host = isElsewhere ? `app-${dataHostingLocation}.hubspot.com` : 'app.hubspot.com';
  return `https://${host}/contacts/${portalId}/record/${objectTypeIds[object]}/${encodeURIComponent(id)}`;
}
