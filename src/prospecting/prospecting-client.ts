import { defaultRequestSettings, type RequestSettings } from '../contract/request-settings.ts';
import { createBlacklistClient } from './blacklist-client.ts';
import { createOrderClient } from './order-client.ts';
import { createOutputClient } from './output-client.ts';
import { createProfileClient } from './profile-client.ts';
import { createResultClient } from './result-client.ts';
import { createApi, type ProspectingSettings } from './service-transport.ts';

/** The client of the prospecting service. Every call checks its request by the contract before sending, and throws ProspectingError. */
export function createProspectingClient(
  settings: ProspectingSettings & {
    /** Name of a results page's array of slots, where it is configured. */
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
    /** Where the service is: what is learnt of it is kept by its address. */
    baseUrl,
    requests,
  };
}
export type ProspectingClient = ReturnType<typeof createProspectingClient>;
