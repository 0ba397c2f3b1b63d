/** What both sides hold and were asked, as far as it tells whether anything was done twice. */
import { createHubSpotClient } from '../../src/hubspot/hubspot-client.ts';
import { createControlClient } from '../../sandbox/control/control-client.ts';
import type { RunningSandbox } from '../helpers/command.ts';

/** The idempotency keys of all orders that the service carried out: the same key is the same order. */
export async function readOrderKeys({ ready: { control } }: RunningSandbox): Promise<string[]> {
  const query = { method: 'POST', path: '/api/v1/orders', limit: 20_000 };
  const { data } = await createControlClient({ baseUrl: control.url }).GET('/journal', { params: { query } });
  const placed = data?.entries.filter(({ path, status }) => path === query.path && status >= 200 && status < 300);
  return [...new Set(placed?.map(({ idempotency_key: key }) => key ?? 'none'))];
}

/** Of every record of the CRM its id, our own key and, of companies, the domain; null where it has none. */
export async function readCrm({ ready: { hubspot } }: RunningSandbox) {
  const crm = createHubSpotClient({ baseUrl: hubspot.url, token: hubspot.token });
  const read = async (type: 'companies' | 'contacts', keyProperty: string) => {
    const found: { id: string; key: string | null; domain: string | null }[] = [];
    for await (const page of crm.objects.list(type, { properties: [keyProperty, 'domain'] })) {
      for (const { id, properties } of page) {
        found.push({ id, key: properties[keyProperty] || null, domain: properties['domain'] || null });
      }
    }
    return found;
  };
  return {
    companies: await read('companies', 'prospect_sync_company_key'),
    contacts: await read('contacts', 'prospect_sync_contact_key'),
  };
}

/** The texts of all notes or tasks. */
export async function readItems({ ready: { hubspot } }: RunningSandbox, type: 'notes' | 'tasks'): Promise<string[]> {
  const text = { notes: 'hs_note_body', tasks: 'hs_task_body' }[type];
  const headers = { authorization: `Bearer ${hubspot.token}` };
  const texts: string[] = [];
  for (let after = ''; ;) {
    const page = `${hubspot.url}/crm/v3/objects/${type}?limit=100&properties=${text}${after === '' ? '' : `&after=${after}`}`;
    const answer = (await (await fetch(page, { headers })).json()) as {
      results: { properties: Record<string, string> }[];
      paging?: { next?: { after: string } };
    };
    texts.push(...answer.results.map(({ properties }) => properties[text] ?? ''));
    const next = answer.paging?.next?.after;
    if (next === undefined) return texts;
    after = next;
  }
}

/** Those that occur more than once. */
export function repeated(values: readonly (string | null)[]): string[] {
  const present = values.filter((value) => value !== null);
  return present.filter((value, place) => present.indexOf(value) !== place);
}
