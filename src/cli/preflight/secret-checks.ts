/** Check of `doctor` on the signing secrets of webhooks, which `receive` reads when it starts. */
import type { Config } from '../../config/config.ts';
import type { Check } from '../../hubspot/portal-checks.ts';
import { loadEndpointSecrets } from '../../replies/endpoint-secrets.ts';

export async function checkSigningSecrets(config: Config): Promise<Check[]> {
  const secrets = await loadEndpointSecrets(config);
  return secrets.map(({ setting, problem, repetition }): Check => {
    const check = 'signing secret';
    if (problem !== null) return { check, state: 'problem', message: `${problem} (${setting})` };
    if (repetition !== null) return { check, state: 'warning', message: repetition };
    return { check, state: 'ok', message: `it can be read (${setting})` };
  });
}
