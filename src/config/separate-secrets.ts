/** Secrets of different systems must differ: otherwise one system gets the secret of another. */
import type { Environment } from '../base/host/environment-variables.ts';
import { getOwnProperty } from '../base/json/own-property.ts';
import { fromEnvironment } from './environment.ts';
import { childOf } from './partial-validation.ts';
import { fieldName, problemAt, type PathProblem } from './problems.ts';

/** Where each secret is used. The service itself sends the last two, and may send the same one to both. */
const places = [
  { path: ['service', 'api_key'], receiver: 'the service' },
  { path: ['hubspot', 'token'], receiver: 'HubSpot' },
  { path: ['replies', 'key', 'value'], receiver: 'the webhooks' },
  { path: ['order_status', 'key', 'value'], receiver: 'the webhooks' },
] as const;

/** Values are never shown. */
export function checkSeparateSecrets(file: unknown, env: Environment): PathProblem[] {
  const secrets = places.flatMap(({ path, receiver }) => {
    const reference = fromEnvironment.safeParse(path.reduce<unknown>(childOf, file));
    const value = reference.success ? getOwnProperty(env, reference.data.env) : undefined;
    return value === undefined || value === '' ? [] : [{ path, receiver, value }];
  });
  return secrets.flatMap(({ path, receiver, value }, index) => {
    const same = secrets.slice(0, index).find((other) => other.value === value && other.receiver !== receiver);
    if (same === undefined) return [];
    const rule = `has the same value as ${fieldName(same.path)}: the secret of ${same.receiver} would be used for ${receiver} too`;
    return [
      problemAt([...path, 'env'], rule, 'Set one of the two variables to its own secret; the value is not shown here'),
    ];
  });
}
