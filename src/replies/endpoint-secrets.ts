/** The configured signing secrets of both endpoints, for checks. */
import type { Config } from '../config/config.ts';
import type { EndpointName } from './delivery-warnings.ts';
import { tryToLoadSecret } from './webhook-secrets.ts';

export interface EndpointSecret {
  readonly endpoint: EndpointName;
  /** From 0, the newest first. */
  readonly index: number;
  /** Whether the endpoint has no other one. */
  readonly isOnly: boolean;
  /** `replies.secrets[0]` */
  readonly setting: string;
  readonly fingerprint: string | null;
  /** Why it cannot be used. */
  readonly problem: string | null;
  /** Says that an earlier setting holds the same secret. */
  readonly repetition: string | null;
}

export async function loadEndpointSecrets({
  replies,
  orderStatus,
}: Pick<Config, 'replies' | 'orderStatus'>): Promise<EndpointSecret[]> {
  const endpoints = [
    ['replies', replies.secrets],
    ['order_status', orderStatus.secrets],
  ] as const;
  const settings = endpoints.flatMap(([endpoint, references]) =>
    references.map((reference, index) => {
      const setting = `${endpoint}.secrets[${index}]`;
      return { reference, endpoint, index, isOnly: references.length === 1, setting };
    }),
  );
  const loaded = await Promise.all(
    settings.map(async ({ reference, ...setting }) => {
      const { secret, problem } = await tryToLoadSecret(reference);
      return { ...setting, fingerprint: secret?.fingerprint ?? null, problem };
    }),
  );
  return loaded.map((each, at) => {
    const same = loaded
      .slice(0, at)
      .find(({ fingerprint }) => fingerprint !== null && fingerprint === each.fingerprint);
    return { ...each, repetition: same === undefined ? null : toRepetition(each.setting, same.setting) };
  });
}

function toRepetition(setting: string, earlier: string): string {
  return `${setting} is the same secret as ${earlier}, but the service gives each receiver address its own, and another one at a rotation: copy the secret that the service shows for this address`;
}
