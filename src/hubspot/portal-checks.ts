// What the findings of `doctor` mean. Pure.
import type { RateLimitSettings, ReportedLimits } from './rate-limits.ts';
import type { ObjectType } from './hubspot-record.ts';
import { apiFamilies, toSupportEnd } from './api-versions.ts';
import type { ApiVersions } from './api-versions.ts';

/** `problem`: a run would fail, or lose rows. */
export interface Check {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly says: string;
}

/** Time enough to try another version out. */
const WARNING_DAYS = 180;
const DAY_MS = 86_400_000;

export interface ScopeFindings {
  readonly missing: readonly string[];
  readonly problems: readonly string[];
  /** Why some could not be looked at now. */
  readonly unseen: readonly string[];
}

export function checkScopes({ missing, problems, unseen }: ScopeFindings): Check {
  const check = 'scopes';
  const says = [
    ...(missing.length === 0 ? [] : [`missing: ${missing.join(', ')}; HubSpot does not tell which are held`]),
    ...problems,
    ...unseen.slice(0, 1).map((reason) => `not all could be looked at: ${reason}`),
  ];
  if (says.length === 0)
    return { check, state: 'ok', says: 'what is read may be read, what is written may be written' };
  const isProblem = missing.length > 0 || problems.length > 0;
  return { check, state: isProblem ? 'problem' : 'warning', says: says.join('; ') };
}

export function checkLimits(
  { burst, daily }: ReportedLimits,
  { burstPercent, dailyReservePercent }: RateLimitSettings,
): Check[] {
  const checks: Check[] = [];
  if (burst === null) checks.push({ check: 'calls in 10 seconds', state: 'ok', says: 'HubSpot tells no limit' });
  else {
    const says = `${burst.max} allowed in ${burst.seconds} s, ${burst.remaining} left; ${burstPercent} % is used at most`;
    checks.push({ check: 'calls in 10 seconds', state: 'ok', says });
  }
  if (daily === null) checks.push({ check: 'calls of the day', state: 'ok', says: 'HubSpot tells no limit' });
  else {
    const reserve = Math.ceil((daily.max * dailyReservePercent) / 100);
    const isSpent = daily.remaining <= reserve;
    const end = isSpent
      ? `no more than the reserve of ${reserve}: bulk work waits for the next day`
      : `reserve ${reserve}`;
    const says = `${daily.max} allowed, ${daily.remaining} left; ${end}`;
    checks.push({ check: 'calls of the day', state: isSpent ? 'warning' : 'ok', says });
  }
  return checks;
}

export function checkVersions({ versions, now }: { versions: ApiVersions; now: Date }): Check[] {
  return apiFamilies.map((family): Check => {
    const version = versions[family];
    const end = toSupportEnd(family, version);
    const days = Math.ceil((Date.parse(end) - now.getTime()) / DAY_MS);
    const says = days > 0 ? `${version}, supported until ${end}` : `${version}, unsupported since ${end}`;
    return { check: `API of ${family}`, state: days > WARNING_DAYS ? 'ok' : 'warning', says };
  });
}

/** Dated paths refuse a new record that lacks one of these. */
export function checkRequired(type: ObjectType, required: readonly string[], filled: readonly string[]): Check {
  const check = `${type}: required properties`;
  const lacking = required.filter((name) => !filled.includes(name));
  if (lacking.length === 0) return { check, state: 'ok', says: required.join(', ') || 'none' };
  const says = `new records would be refused, since the mapping does not fill ${lacking.join(', ')}`;
  return { check, state: 'problem', says };
}
