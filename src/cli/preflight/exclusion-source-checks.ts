/** Checks that what the exclusions name in HubSpot exists: a misspelt stage or list would exclude fewer companies, silently. */
import { assertCompanyList, assertLifecycleStages, assertProperty } from '../../companies/crm-companies.ts';
import type { Config } from '../../config/config.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import type { Check } from '../../hubspot/portal-checks.ts';
import { describeFailure, type PreflightDepth } from './source-checks.ts';

/** One check for each exclusion with sources in HubSpot. */
export async function checkExclusionSources(
  { exclusions }: Pick<Config, 'exclusions'>,
  hubspot: HubSpotClient,
  { signal, depth }: { readonly signal: AbortSignal; readonly depth: PreflightDepth },
): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [name, { source }] of Object.entries(exclusions)) {
    const { lifecycleStages, lists, doNotContact } = source;
    if (lifecycleStages.length === 0 && lists.length === 0 && doNotContact === null) continue;
    const check = `sources of exclusions.${name}`;
    try {
      await assertLifecycleStages(hubspot, lifecycleStages, signal);
      for (const list of lists) await assertCompanyList(hubspot, list, signal);
      if (doNotContact !== null) await assertProperty(hubspot, doNotContact, signal);
      const named = [
        ...lifecycleStages,
        ...lists.map((list) => `list ${list}`),
        ...(doNotContact ? [doNotContact] : []),
      ];
      checks.push({ check, state: 'ok', says: named.join(', ') });
    } catch (error) {
      signal.throwIfAborted();
      checks.push({ check, ...describeFailure(error, depth) });
    }
  }
  return checks;
}
