/** All failure types that can end or delay a workflow. Filters and the documentation name each of them. */
import { exclusionFailures } from './exclusion-failures.ts';
import { hubspotFailures } from './hubspot-failures.ts';
import type { FailureDescription } from './failure-description.ts';
import { ownFailures } from './own-failures.ts';
import { serviceCodes, serviceFailures } from './service-failures.ts';
import { infrastructureFailures } from './infrastructure-failures.ts';

export const failureDescriptions = {
  ...ownFailures,
  ...exclusionFailures,
  ...serviceCodes,
  ...serviceFailures,
  ...hubspotFailures,
  ...infrastructureFailures,
} as const satisfies Record<string, FailureDescription>;
export type FailureType = keyof typeof failureDescriptions;

export function isFailureType(type: string): type is FailureType {
  return Object.hasOwn(failureDescriptions, type);
}
