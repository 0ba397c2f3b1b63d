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

/** The company or contact at an address of HubSpot's UI, in its present or its earlier form; null for any other text. */
export function readRecordLink(
  text: string,
): { readonly object: 'companies' | 'contacts'; readonly id: string } | null {
  const [, type, id] = recordAddress.exec(text.trim()) ?? [];
  if (type === undefined || id === undefined) return null;
  return { object: /^(?:record\/0-1|contact)$/i.test(type) ? 'contacts' : 'companies', id };
}

const recordAddress =
  /^(?:https?:\/\/)?app(?:-[a-z]{2}\d)?\.hubspot\.com\/contacts\/\d+\/(record\/0-[12]|company|contact)\/(\d+)(?:[/?#].*)?$/is;
