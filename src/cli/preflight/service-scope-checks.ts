/** Checks the scopes of the API key, by requests that change nothing. */
import { toConfigured } from '../exclusions-blacklists.ts';
import type { Config } from '../../config/config.ts';
import type { Check } from '../../hubspot/portal-checks.ts';
import { describeFailure } from './source-checks.ts';
import { ProspectingError } from '../../service/client/prospecting-error.ts';
import type { ProspectingClient } from '../../service/client/prospecting-client.ts';
import type { MissingScope, ProbedScope } from '../../service/client/scope-probes.ts';

/** Empty when the key is not accepted or the service is not available, which another check reports. */
export async function checkServiceScopes(
  config: Config,
  { scopes }: Pick<ProspectingClient, 'scopes'>,
  signal: AbortSignal,
): Promise<Check[]> {
  const check = 'service scopes';
  const needed = findNeededScopes(config);
  const missing: MissingScope[] = [];
  for (const scope of needed) {
    try {
      const found = await scopes.findMissing(scope);
      if (found !== null) missing.push(found);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProspectingError)) throw error;
      if (error.facts.kind !== 'http' || error.facts.status === 401) return [];
      const { status } = error.facts;
      // An order without any field is refused like every other one, for example for lack of credit.
      if (status === 402) return [{ check, ...describeFailure(error, 'check') }];
      const isOther = status === 404 || status === 405;
      const message = isOther
        ? `${error.message}: the service takes no orders at this address. Check service.base_url`
        : `could not be checked: ${error.message}`;
      return [{ check, state: isOther ? 'problem' : 'warning', message }];
    }
  }
  if (missing.length === 0) return [{ check, state: 'ok', message: `the key has ${needed.join(', ')}` }];
  const granted = missing.find((each) => each.granted !== undefined)?.granted;
  const required = [...new Set(missing.flatMap((each) => each.required))].filter((scope) => !granted?.includes(scope));
  const holds = granted === undefined ? '' : `; the key holds ${granted.join(', ') || 'none'}`;
  const message = `missing: ${required.join(', ')}${holds}. Create a key with these scopes in the dashboard of the service, and set service.api_key`;
  return [{ check, state: 'problem', message }];
}

/** The scopes that the configured runs and exclusions need. */
function findNeededScopes(config: Config): ProbedScope[] {
  const { exclusions, runs } = toConfigured(config);
  const changesBlacklists = exclusions.some(({ existing, attach }) => existing === undefined || attach !== undefined);
  return [
    'orders:read',
    ...(runs.length === 0 ? [] : (['orders:write'] as const)),
    ...(exclusions.length === 0 ? [] : (['blacklists:read'] as const)),
    ...(changesBlacklists ? (['blacklists:write'] as const) : []),
  ];
}
