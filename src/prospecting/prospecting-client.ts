import { defaultRequestSettings, type RequestSettings } from '../contract/request-settings.ts';
import { createBlacklistCalls } from './blacklist-client.ts';
import { createOrderCalls } from './order-client.ts';
import { createOutputCalls } from './output-client.ts';
import { createProfileCalls } from './profile-client.ts';
import { createResultCalls } from './result-client.ts';
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
    blacklists: createBlacklistCalls(api),
    profiles: createProfileCalls(api),
    orders: createOrderCalls(api, { requests, orderIdPath }),
    results: createResultCalls(api, resultsItems),
    outputs: createOutputCalls(api, settings),
    /** Where the service is: what is learnt of it is kept by its address. */
    baseUrl,
    requests,
  };
}
export type ProspectingClient = ReturnType<typeof createProspectingClient>;
