import { createBlacklistCalls } from './blacklists.ts';
import { createOrderCalls } from './orders.ts';
import { createOutputCalls } from './outputs.ts';
import { createProfileCalls } from './profiles.ts';
import { createResultCalls } from './results.ts';
import { createApi, type ProspectingSettings } from './transport.ts';

/** The client of the prospecting service. Every call checks its request by the contract before sending, and throws ProspectingError. */
export function createProspectingClient(
  settings: ProspectingSettings & { readonly resultsItems?: string | undefined },
) {
  const api = createApi(settings);
  return {
    blacklists: createBlacklistCalls(api),
    profiles: createProfileCalls(api),
    orders: createOrderCalls(api),
    results: createResultCalls(api, settings.resultsItems),
    outputs: createOutputCalls(api, settings),
  };
}
export type ProspectingClient = ReturnType<typeof createProspectingClient>;
