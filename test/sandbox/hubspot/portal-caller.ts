import { createHubSpotSandbox, type HubSpotSandboxOptions } from '../../../src/sandbox/hubspot/sandbox.ts';

export interface Answer {
  status: number;
  // Tests look into bodies of every shape.
  body: any;
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
  /** The ids of created records, in the order of the given properties. */
  const create = async (type: string, ...records: Record<string, string>[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const properties of records) {
      const { status, body } = await call('POST', `/crm/v3/objects/${type}`, { properties });
      if (status !== 201) throw new Error(JSON.stringify(body));
      ids.push(body.id);
    }
    return ids;
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
  return { sandbox, portalId, token, call, callWith, batch, search, create, unique };
}

export function properties(answer: Answer): Record<string, string>[] {
  return answer.body.results.map((result: { properties: Record<string, string> }) => result.properties);
}
