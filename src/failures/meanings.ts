/** Every type of failure that can end or delay a workflow, with its way out: closed, so that filters and docs can name them all. */
import { hubspotFailures } from './hubspot.ts';
import type { Meaning } from './meaning.ts';
import { ownFailures } from './own.ts';
import { serviceCodes, serviceFailures } from './service.ts';
import { surroundingFailures } from './surroundings.ts';

export const failureMeanings = {
  ...ownFailures,
  ...serviceCodes,
  ...serviceFailures,
  ...hubspotFailures,
  ...surroundingFailures,
} as const satisfies Record<string, Meaning>;
export type FailureType = keyof typeof failureMeanings;

export function isFailureType(type: string): type is FailureType {
  return Object.hasOwn(failureMeanings, type);
}
