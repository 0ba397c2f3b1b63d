import { createHubSpotClient, type HubSpotClientOptions } from '../../src/hubspot/hubspot-client.ts';
import { managedProperties, propertyGroup } from '../../src/hubspot/managed-properties.ts';
import type { CrmRecord, ObjectType } from '../../src/hubspot/hubspot-record.ts';
import { defaultMapping } from '../../src/delivery/mapping/default-mapping.ts';
import { propertyNames } from '../../src/delivery/crm/record-match.ts';
import {
  createHubSpotSandbox,
  type HubSpotSandboxOptions,
  type PortalRequest,
} from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createJumpingClock } from './jumping-clock.ts';

export interface SandboxPortalOptions {
  readonly sandbox?: HubSpotSandboxOptions;
  readonly portal?: Partial<PortalRequest>;
  /** Options of the client, for example its versions and its clock. */
  readonly client?: Partial<HubSpotClientOptions>;
}

const baseUrl = 'http://hubspot.test';

/** A portal of the sandbox HubSpot, its client, and the changes that users make in it. */
export function createSandboxPortal(options: SandboxPortalOptions = {}) {
  const sandbox = createHubSpotSandbox(options.sandbox);
  const { portalId, token } = sandbox.createPortal({ name: 'test', ...options.portal });
  const connect = (changes: Partial<HubSpotClientOptions> = {}) =>
    createHubSpotClient({
      baseUrl,
      token,
      fetch: sandbox.fetch,
      ...createJumpingClock(),
      ...options.client,
      ...changes,
    });
  const client = connect();
  /** A client whose token has these scopes only. */
  const connectWithScopes = (scopes: string[], changes: Partial<HubSpotClientOptions> = {}) =>
    connect({ token: sandbox.createToken({ portalId, scopes }), ...changes });

  /** Sends a request for which the client has no function; fails unless HubSpot accepts it. */
  async function send<Body>(method: string, path: string, body?: object): Promise<Body> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await sandbox.fetch(new Request(baseUrl + path, init));
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as Body;
  }

  return {
    sandbox,
    portalId,
    token,
    connect,
    connectWithScopes,
    client,
    send,

    /** Creates the properties of prospect-sync. */
    ensureProperties: async (): Promise<void> => {
      for (const type of ['companies', 'contacts'] as const) {
        await client.properties.ensure(type, { group: propertyGroup, properties: managedProperties[type] });
      }
    },

    /** The ids of the created records. */
    createRecords: async (type: ObjectType, records: readonly Record<string, string>[]): Promise<string[]> => {
      const created = await client.objects.create(
        type,
        records.map((properties) => ({ properties })),
      );
      return created.map((result) => {
        if (!result.ok) throw result.error;
        return result.id;
      });
    },

    /** All records, with the properties of the default mapping. */
    records: async (type: ObjectType): Promise<CrmRecord[]> => {
      const properties = propertyNames(type === 'companies' ? type : 'contacts', defaultMapping);
      return (await Array.fromAsync(client.objects.list(type, { properties }))).flat();
    },

    /** Merges two records, and returns the id of the result. */
    merge: async (type: ObjectType, primaryObjectId: string, objectIdToMerge: string): Promise<string> => {
      const body = { primaryObjectId, objectIdToMerge };
      return (await send<{ id: string }>('POST', `/crm/v3/objects/${type}/merge`, body)).id;
    },

    /** Removes the link of a contact and a company. */
    unlink: async (contactId: string, companyId: string): Promise<void> => {
      const inputs = [{ from: { id: contactId }, to: [{ id: companyId }] }];
      await send('POST', '/crm/v4/associations/contacts/companies/batch/archive', { inputs });
    },
  };
}
