import { createHubSpotSandbox, type HubSpotSandboxOptions } from '../../../sandbox/hubspot/hubspot-sandbox.ts';

type Properties = Record<'name' | 'domain' | 'city' | 'lifecyclestage' | 'our_key', string>;
type Some<T> = [T, ...T[]];

/** Every field that the tests name. Which of them an answer has is what the tests are about. */
interface Item {
  id: string;
  name: string;
  new: boolean;
  objectWriteTraceId: string;
  createdAt: string;
  updatedAt: string;
  archivedAt: string;
  properties: Properties;
  message: string;
  code: string;
  context: Record<string, string[]>;
  from: { id: string };
  to: Some<Item>;
  toObjectId: string;
  associationTypes: Some<{ typeId: number }>;
  paging?: { next: { after: string } };
}

interface Body extends Item {
  results: Some<Item>;
  errors: Some<Item>;
  total: number;
  label: string;
  subCategory: string;
  hasUniqueValue: boolean;
  options: object[];
}

export interface Answer {
  status: number;
  body: Body;
}

export function openPortal(options: HubSpotSandboxOptions = {}) {
  const sandbox = createHubSpotSandbox(options);
  const { portalId, token } = sandbox.createPortal({ name: 'Test portal' });
  const callWith = async (key: string | undefined, method: string, path: string, body?: unknown): Promise<Answer> => {
    const request = new Request(`https://api.hubapi.test${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const response = await sandbox.fetch(request);
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const call = (method: string, path: string, body?: unknown) => callWith(token, method, path, body);
  const batch = (type: string, action: string, inputs: unknown[], more: object = {}) =>
    call('POST', `/crm/v3/objects/${type}/batch/${action}`, { inputs, ...more });
  const search = (type: string, body: unknown) => call('POST', `/crm/v3/objects/${type}/search`, body);
  /** The ids of the created records, in the order of the arguments. */
  const create = async <T extends Record<string, string>[]>(type: string, ...records: T) => {
    const ids: string[] = [];
    for (const properties of records) {
      const { status, body } = await call('POST', `/crm/v3/objects/${type}`, { properties });
      if (status !== 201) throw new Error(JSON.stringify(body));
      ids.push(body.id);
    }
    return ids as { [K in keyof T]: string };
  };
  const unique = (type: string, name: string) =>
    call('POST', `/crm/v3/properties/${type}`, {
      name,
      label: name,
      type: 'string',
      fieldType: 'text',
      groupName: type === 'contacts' ? 'contactinformation' : 'companyinformation',
      hasUniqueValue: true,
    });
  /** The numbers of the types that link a record to records of another type, by the id of the linked record. */
  const typesOf = async (from: string, id: string, to: string) => {
    const { body } = await call('GET', `/crm/v4/objects/${from}/${id}/associations/${to}`);
    return Object.fromEntries(
      body.results.map((link) => [link.toObjectId, link.associationTypes.map((type) => type.typeId)]),
    );
  };
  return { sandbox, portalId, token, call, callWith, batch, search, create, unique, typesOf };
}

/** Types of associations that HubSpot defines. */
export const specs = (...ids: number[]) =>
  ids.map((id) => ({ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: id }));

export function properties(answer: Answer): Properties[] {
  return answer.body.results.map((result) => result.properties);
}
