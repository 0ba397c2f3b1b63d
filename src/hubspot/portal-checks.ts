// Evaluates what `doctor` has read from HubSpot. Pure.
import { findDifference, findIncompatibility, type NamedProperty, type Property } from './crm-property.ts';
import type { PropertyDefinition } from './managed-properties.ts';
import type { ReportedLimits } from './account-limits.ts';
import type { RateLimitSettings } from './rate-limiter.ts';
import type { ObjectType } from './hubspot-record.ts';
import { apiFamilies, toSupportEnd } from './hubspot-api-versions.ts';
import type { ApiVersions } from './hubspot-api-versions.ts';
import { dayMs } from '../base/day-milliseconds.ts';

/** `problem`: a run would fail or skip rows. */
export interface Check {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly message: string;
}

/** Days before the end of support at which a warning begins: enough time to test another version. */
const WARNING_DAYS = 180;

export interface ScopeFindings {
  readonly missing: readonly string[];
  readonly problems: readonly string[];
  /** Why some scopes could not be checked. */
  readonly unchecked: readonly string[];
}

export function checkScopes({ missing, problems, unchecked }: ScopeFindings): Check {
  const check = 'scopes';
  const message = [
    ...(missing.length === 0
      ? []
      : [
          `missing: ${missing.join(', ')}; HubSpot does not report the granted scopes. Add them to the app of the token in HubSpot`,
        ]),
    ...problems,
    ...unchecked.slice(0, 1).map((reason) => `not all could be checked: ${reason}`),
  ];
  if (message.length === 0)
    return { check, state: 'ok', message: 'the token has every scope that the configuration needs' };
  const isProblem = missing.length > 0 || problems.length > 0;
  return { check, state: isProblem ? 'problem' : 'warning', message: message.join('; ') };
}

export function checkLimits(
  { burst, daily }: ReportedLimits,
  { burstPercent, dailyReservePercent }: RateLimitSettings,
): Check[] {
  const checks: Check[] = [];
  if (burst === null) checks.push({ check: 'calls in 10 seconds', state: 'ok', message: 'HubSpot reports no limit' });
  else {
    const message = `${burst.max} allowed in ${burst.seconds} s, ${burst.remaining} left; ${burstPercent} % are used at most`;
    checks.push({ check: 'calls in 10 seconds', state: 'ok', message });
  }
  if (daily === null) checks.push({ check: 'calls of the day', state: 'ok', message: 'HubSpot reports no limit' });
  else {
    const reserve = Math.ceil((daily.max * dailyReservePercent) / 100);
    const isSpent = daily.remaining <= reserve;
    const end = isSpent
      ? `this is within the reserve of ${reserve}: bulk work waits until the next day`
      : `reserve ${reserve}`;
    const message = `${daily.max} allowed, ${daily.remaining} left; ${end}`;
    checks.push({ check: 'calls of the day', state: isSpent ? 'warning' : 'ok', message });
  }
  return checks;
}

export function checkVersions({ versions, now }: { versions: ApiVersions; now: Date }): Check[] {
  return apiFamilies.map((family): Check => {
    const version = versions[family];
    const end = toSupportEnd(family, version);
    const days = Math.ceil((Date.parse(end) - now.getTime()) / dayMs);
    const message = days > 0 ? `${version}, supported until ${end}` : `${version}, unsupported since ${end}`;
    return { check: `API of ${family}`, state: days > WARNING_DAYS ? 'ok' : 'warning', message };
  });
}

/** Dated API versions reject a new record without a required property. */
export function checkRequired(type: ObjectType, required: readonly string[], filled: readonly string[]): Check {
  const check = `${type}: required properties`;
  const missing = required.filter((name) => !filled.includes(name));
  if (missing.length === 0) return { check, state: 'ok', message: required.join(', ') || 'none' };
  const message = `HubSpot would reject new records, because the mapping does not fill ${missing.join(', ')}`;
  return { check, state: 'problem', message };
}

export function toDifference(wanted: PropertyDefinition, found: Property | undefined): Difference[] {
  const difference = found && findDifference(wanted, found);
  if (difference === undefined) return [];
  const state = difference === 'FIELD_TYPE_DIFFERS' ? 'warning' : 'problem';
  return [{ state, message: `${wanted.name} should be ${describe(wanted)} (${difference})` }];
}

type Difference = Omit<Check, 'check'>;

interface ManagedState {
  readonly missing: readonly PropertyDefinition[];
  readonly differences: readonly Difference[];
  readonly mayCreate: boolean;
}

export function checkManaged(type: ObjectType, { missing, differences, mayCreate }: ManagedState): Check {
  const names = missing.map((property) => (mayCreate ? property.name : `${property.name} (${describe(property)})`));
  const message = [
    ...differences.map((difference) => difference.message),
    ...(names.length === 0 ? [] : [`${mayCreate ? 'the first run creates' : 'missing:'} ${names.join(', ')}`]),
  ];
  const isProblem = (names.length > 0 && !mayCreate) || differences.some(({ state }) => state === 'problem');
  const state = isProblem ? 'problem' : differences.length > 0 ? 'warning' : 'ok';
  return { check: `${type}: own properties`, state, message: message.join('; ') || 'all exist' };
}

interface KnownProperties {
  readonly found: ReadonlyMap<string, Property>;
  readonly managed: readonly string[];
}

export function checkMapped(
  type: ObjectType,
  mustExist: readonly NamedProperty[],
  { found, managed }: KnownProperties,
): Check {
  const check = `${type}: mapped properties`;
  const named = mustExist.filter((property) => property.type === type);
  const absent = named.filter(({ name }) => !found.has(name) && !managed.includes(name));
  const mapped = absent.filter(({ setting }) => setting === undefined).map(({ name }) => name);
  const incompatible = named.flatMap(({ name, holds }) => {
    const property = found.get(name);
    return (property && holds && findIncompatibility(property, holds)) ?? [];
  });
  const message = [
    ...(mapped.length === 0
      ? []
      : [`not in the portal: ${mapped.join(', ')}. Create them, or remove them from the mapping`]),
    ...absent.flatMap(({ name, setting }) =>
      setting === undefined ? [] : [`not in the portal: ${name}. Create it, or change ${setting}`],
    ),
    ...incompatible.map((incompatibility) => incompatibility.message),
  ].join('; ');
  const isProblem = absent.length > 0 || incompatible.some(({ state }) => state === 'problem');
  return { check, state: isProblem ? 'problem' : message === '' ? 'ok' : 'warning', message: message || 'all exist' };
}

function describe({ type, fieldType, options, hasUniqueValue }: PropertyDefinition): string {
  const values = options === undefined ? '' : ` with ${options.map(({ value }) => value).join(' and ')}`;
  return `${type} as ${fieldType}${values}${hasUniqueValue === true ? ', unique' : ''}`;
}
