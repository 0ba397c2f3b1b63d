/** What of a result goes into the CRM, as plain data: it travels in the input of a workflow. */
import { digest } from '../json/canonical-json.ts';
import type { ContactPolicy } from './contact-policy.ts';
import type { TransformName } from './transforms.ts';

/**
 * When a property is written. `always`: whenever it differs. `fill-empty`: only where the record holds nothing.
 * `only-if-ours`: where it holds nothing, or what we wrote last.
 */
export const policies = ['always', 'fill-empty', 'only-if-ours'] as const;
export type Policy = (typeof policies)[number];

export interface FieldMapping {
  /** Path of the field in the result, for example `company.name`. */
  readonly from: string;
  readonly transform: TransformName | null;
  readonly policy: Policy;
}

/** HubSpot's internal property name to what it is filled from; what is not named is never written. */
export interface CrmMapping {
  readonly companies: Readonly<Record<string, FieldMapping>>;
  readonly contacts: Readonly<Record<string, FieldMapping>>;
}

export interface CrmPlan {
  readonly mapping: CrmMapping;
  /** Twelve hexadecimal digits: the same mapping has the same version wherever it is written down. */
  readonly mappingVersion: string;
  readonly contacts: ContactPolicy;
}

export function toCrmPlan(mapping: CrmMapping, contacts: ContactPolicy): CrmPlan {
  return { mapping, mappingVersion: digest(mapping).slice(0, 12), contacts };
}
