import { defaultRequestSettings, type RequestSettings } from '../contract/request-settings.ts';
import { createBlacklistClient } from './blacklist-client.ts';
import { createOrderClient } from './order-client.ts';
import { createOutputClient } from './output-client.ts';
import { createProfileClient } from './profile-client.ts';
import { createResultClient } from './result-client.ts';
import { createApi, type ProspectingSettings } from './service-transport.ts';

/** The client of the prospecting service. Every call checks its request against the contract, and throws ProspectingError only. */
export function createProspectingClient(
  settings: ProspectingSettings & {
    /** Configured name of the slots in a page of results. */
    readonly resultsItems?: string | null | undefined;
    /** `service.requests`. */
    readonly requests?: RequestSettings;
    /** `service.fields.order.order_id`. */
    readonly orderIdPath?: string | null | undefined;
  },
) {
  const { baseUrl, resultsItems = null, requests = defaultRequestSettings, orderIdPath = null } = settings;
  const api = createApi(settings);
  return {
    blacklists: createBlacklistClient(api),
    profiles: createProfileClient(api),
    orders: createOrderClient(api, { requests, orderIdPath }),
    results: createResultClient(api, resultsItems),
    outputs: createOutputClient(api, settings),
    /** The ledger stores the service's shape by this address. */
    baseUrl,
    requests,
  };
}
export type ProspectingClient = ReturnType<typeof createProspectingClient>;
