/** What a 422 says about an order, as settings of `service.requests` that would answer it. */
import { defaultRequestSettings, requestAlternatives, type RequestSettings } from '../contract/request-settings.ts';
import { comparableKey } from '../shape/leaves.ts';
import type { FieldProblem } from './error.ts';

export interface ProposedSetting {
  /** From the root of prospect-sync.yaml on: `service.requests.profile_reference`. */
  readonly setting: string;
  readonly value: string;
  /** The field that the service objects to. */
  readonly because: string;
}

const rowFields = ['company_name', 'website_url', 'city', 'country'] as const;
const overrides = ['features', 'ideal_customer_profile', 'seller_offering', 'target_countries'] as const;

const isRequired = ({ text, type }: FieldProblem) =>
  /missing|requir|must (?:be (?:set|given|present)|not be (?:empty|blank|null))|blank|pflicht|can't be blank|null_not/i.test(
    `${text} ${type}`,
  );
const isUnknown = ({ text, type }: FieldProblem) =>
  /extra|unknown|unrecogni|unexpected|not (?:permitted|allowed|a known|recogni)|additional|no such field|forbidden/i.test(
    `${text} ${type}`,
  );

/** One proposal a setting, the first that fits; empty where the service's words lead to none. */
export function proposeSettings(problems: readonly FieldProblem[], requests: RequestSettings): ProposedSetting[] {
  const found = new Map<string, ProposedSetting>();
  const propose = (setting: string, value: string, because: string) => {
    const name = `service.requests.${setting}`;
    if (!found.has(name)) found.set(name, { setting: name, value, because });
  };
  const unknownFields = problems.filter(isUnknown).map(({ field }) => lastKey(field));
  for (const problem of problems) {
    const key = lastKey(problem.field);
    const inRow = /(?:^|\.)(?:companies|rows|items)\b/.test(problem.field);
    const override = overrides.find((field) => comparableKey(field) === comparableKey(key));
    if (comparableKey(key) === comparableKey('order_type')) {
      const word = wordIn(problem.text);
      if (word !== null) propose('enrichment_order_type', word, problem.field);
    } else if (inRow) {
      const field = rowFieldOf(key, requests);
      if (isUnknown(problem)) {
        const own = rowFields.find((name) => requests.company_row[name] === key);
        const wanted = problems.find(
          (other) => isRequired(other) && other !== problem && rowFieldOf(lastKey(other.field), requests) === own,
        );
        if (own !== undefined && wanted === undefined && own !== 'company_name')
          propose(`company_row.${own}`, 'null', problem.field);
      } else if (field !== null && requests.company_row[field] !== key)
        propose(`company_row.${field}`, key, problem.field);
    } else if (override !== undefined) {
      propose(override, isUnknown(problem) ? 'omit' : 'send', problem.field);
    } else if (
      !isUnknown(problem) &&
      isProfileReference(problem.field) &&
      requests.profile_reference !== problem.field
    ) {
      propose('profile_reference', problem.field, problem.field);
    }
  }
  // Only told that ours is unknown: the likeliest other name.
  const reference = `service.requests.profile_reference`;
  if (unknownFields.includes(requests.profile_reference) && !found.has(reference)) {
    const next = requestAlternatives.profile_reference.find((name) => name !== requests.profile_reference);
    propose('profile_reference', next ?? defaultRequestSettings.profile_reference, requests.profile_reference);
  }
  return [...found.values()];
}

/** `- service.requests.profile_reference: search_profile_id` */
export function describeProposals(proposals: readonly ProposedSetting[]): string {
  return proposals
    .map(({ setting, value, because }) => `set ${setting}: ${value} (the service names ${because})`)
    .join('; ');
}

function lastKey(field: string): string {
  return field.split('.').findLast((key) => !/^\d+$/.test(key)) ?? field;
}

function rowFieldOf(key: string, { company_row: names }: RequestSettings) {
  const known = rowFields.find((field) =>
    [field, names[field] ?? field, ...requestAlternatives.company_row[field]].some(
      (name) => comparableKey(name) === comparableKey(key),
    ),
  );
  if (known !== undefined) return known;
  if (/name|firm|company/i.test(key)) return 'company_name';
  if (/web|url|domain|site|homepage/i.test(key)) return 'website_url';
  if (/city|town|ort|stadt/i.test(key)) return 'city';
  return /country|land|nation/i.test(key) ? 'country' : null;
}

function isProfileReference(field: string): boolean {
  return /profile|search/i.test(field) && !/ideal|icp|offering/i.test(field) && field.split('.').length <= 2;
}

/** The word for an enrichment among those that the text allows: `Input should be 'DISCOVERY' or 'COMPANY_ENRICHMENT'`. */
function wordIn(text: string): string | null {
  const words = [...new Set(text.match(/\b[A-Za-z][A-Za-z_]{3,}\b/g))].filter((word) => !/^discovery$/i.test(word));
  const enriching = words.filter((word) => /enrich|anreicher/i.test(word));
  const shouted = words.filter((word) => word === word.toUpperCase());
  const quoted = (word: string) => new RegExp(`['"\`]${word}['"\`]`).test(text);
  return (
    enriching.find((word) => word === word.toUpperCase()) ??
    (shouted.length === 1 ? shouted[0] : undefined) ??
    enriching.find((word) => word.includes('_') || quoted(word)) ??
    null
  );
}
