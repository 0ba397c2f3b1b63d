import type { Fault, FaultRule } from '../fault-rules.ts';
import { findObjectType, labelsOf } from './object-types.ts';

const correlationId = '00000000-0000-4000-a000-000000000000';

/** Stands for the object type of the path in the message of a preset: `Contact`. */
const objectName = '{ObjectName}';

type Effect = Omit<Fault, 'method' | 'path' | 'organization_id' | 'api_key' | 'call' | 'times'>;

/**
 * Known failures of HubSpot, as fault rules. The bodies of 423 and 477 are not documented;
 * those of 429 and 409 are HubSpot's own.
 */
export const faultPresets = {
  /** Too many concurrent writes to one resource; clients wait two seconds or longer. */
  locked: { status: 423, body: problem('The resource is locked by another operation.', 'LOCKED') },
  /** The account moves to another data centre; clients wait as long as Retry-After says, a day at most. */
  migrating: {
    status: 477,
    headers: { 'retry-after': '5' },
    body: problem('The account is being migrated between data centers.', 'MIGRATION_IN_PROGRESS'),
  },
  /** A proxy before HubSpot fails: no body and no content type. */
  bad_gateway: { status: 502 },
  timeout: { status: 504 },
  /** The write is executed, and the answer is an error. */
  error_after_commit: { status: 500, body: problem('internal error'), commit: true },
  timeout_after_commit: { status: 504, commit: true },
  reset: { reset: true },
  reset_after_commit: { reset: true, commit: true },
  slow: { delay_ms: 5_000 },
  daily_limit: {
    status: 429,
    headers: { 'x-hubspot-ratelimit-daily': '625000', 'x-hubspot-ratelimit-daily-remaining': '0' },
    body: limit('DAILY'),
  },
  ten_secondly_limit: {
    status: 429,
    headers: {
      'x-hubspot-ratelimit-max': '190',
      'x-hubspot-ratelimit-remaining': '0',
      'x-hubspot-ratelimit-interval-milliseconds': '10000',
    },
    body: limit('TEN_SECONDLY_ROLLING'),
  },
  /** The limit of the search, whose answers have no rate limit headers. */
  secondly_limit: { status: 429, body: limit('SECONDLY') },
  /** A unique value already exists: no row is written, and only the first conflict is named. */
  conflict: { status: 409, body: problem(`${objectName} already exists. Existing ID: 101`, 'CONFLICT') },
} as const satisfies Readonly<Record<string, Effect>>;

export type FaultPreset = keyof typeof faultPresets;

function problem(message: string, category?: string) {
  return { status: 'error', message, correlationId, ...(category !== undefined && { category }) };
}

function limit(policyName: string) {
  const message = `You have reached your ${policyName.toLowerCase()} limit.`;
  return { status: 'error', message, errorType: 'RATE_LIMIT', correlationId, policyName, requestId: correlationId };
}

const objectPath = /\/objects\/(?:\d{4}-\d\d\/)?([^/]+)/;

/** The rule as it answers a request to `path`: its message names the object type of the path. */
export function forPath(rule: FaultRule, path: string): FaultRule {
  const { body } = rule.fault;
  if (typeof body !== 'object' || body === null || !('message' in body) || typeof body.message !== 'string')
    return rule;
  const type = findObjectType(objectPath.exec(path)?.[1] ?? 'contact');
  const name = type === 'other' ? 'Object' : labelsOf(type).singular;
  const message = body.message.replace(objectName, name);
  return { ...rule, fault: { ...rule.fault, body: { ...body, message } } };
}
