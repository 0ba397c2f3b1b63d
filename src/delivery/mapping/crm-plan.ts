/** Plan for the CRM: the mapping of fields, and the choice of contacts. Plain data, because workflow inputs contain it. */
import { digest } from '../../base/json/canonical-json.ts';
import type { TransformName } from './transforms.ts';
import type { ContactPolicy } from './contact-policy.ts';

/**
 * When a property is written. `always`: whenever it differs. `fill-empty`: only when it is empty in the record. `only-if-ours`: when it
 * is empty, or has the value that prospect-sync wrote last.
 */
export const policies = ['always', 'fill-empty', 'only-if-ours'] as const;
export type Policy = (typeof policies)[number];

/** A property that gets one field of the result, a text (a constant or a template, templates.ts), or one of several texts by turns. */
export type FieldMapping = PathMapping | TextMapping | RoundRobinMapping;

export interface PathMapping {
  /** Path of the field in the result, for example `company.name`. */
  readonly from: string;
  readonly transform: TransformName | null;
  readonly policy: Policy;
}

export interface TextMapping {
  readonly value: string;
  readonly policy: Policy;
}

/** The text at the position of the slot, modulo their number: a company and its contacts have the same one, in every pass. */
export interface RoundRobinMapping {
  readonly roundRobin: readonly string[];
  readonly policy: Policy;
}

/** Whether the company of a PARTIAL row fills empty properties of the submitted record. */
export const partialPolicies = ['fill-empty', 'never'] as const;
export type PartialPolicy = (typeof partialPolicies)[number];

/** By reason code; `default` for the other codes. */
export type PartialPolicies = Readonly<Record<string, PartialPolicy>>;

/** Texts with fields of the company, the row and the order, by reason code. */
export type CompanyTexts = Readonly<Record<string, string>>;

/** Fields by internal property name of HubSpot. Other properties are never written. */
export interface CrmMapping {
  readonly companies: Readonly<Record<string, FieldMapping>>;
  readonly contacts: Readonly<Record<string, FieldMapping>>;
  /** Absent: `fill-empty` for every reason. */
  readonly partialCompanies?: PartialPolicies;
  /** Templates by reason code of the row. Absent: none. */
  readonly companyNotes?: CompanyTexts;
  readonly companyTasks?: CompanyTexts;
}

export interface CrmPlan {
  readonly mapping: CrmMapping;
  /** Twelve hexadecimal digits, derived from the mapping: equal mappings have equal versions. */
  readonly mappingVersion: string;
  readonly contacts: ContactPolicy;
}

export function toCrmPlan(mapping: CrmMapping, contacts: ContactPolicy): CrmPlan {
  return { mapping, mappingVersion: digest(mapping).slice(0, 12), contacts };
}
