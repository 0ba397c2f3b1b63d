/** Meaning and remedy of each finding. A run with findings is complete, but a check failed. */
import { deliveryFindings } from './delivery-findings.ts';
import { resultFindings } from './result-findings.ts';

export const findingDescriptions = { ...resultFindings, ...deliveryFindings } as const;

/** A code may have a detail after a colon, such as `reason_count_differs:NO_EMAIL_FOUND`. */
export function findRemedy(code: string): string | null {
  const name = code.replace(/:.*$/s, '');
  return isKnown(name) ? findingDescriptions[name].remedy : null;
}

function isKnown(name: string): name is keyof typeof findingDescriptions {
  return Object.hasOwn(findingDescriptions, name);
}
