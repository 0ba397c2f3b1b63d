/** Orders by `service.requests`: builds the body of an order, and suggests settings when the service refuses it with 422. */
import { domainOf, type CompanyRow, type OrderInput } from '../contract/index.ts';
import { normalizeKey, readDottedPath } from './flatten-record.ts';
import {
  type RequestSettings,
  type Sending,
  requestAlternatives,
  requestSettingsSchema,
} from '../contract/request-settings.ts';
import type { FieldProblem } from './read-error.ts';
import { isRecord } from '../../base/json/own-property.ts';

type Body = Record<string, unknown>;

const rowFields = ['company_name', 'website_url', 'city', 'country'] as const;
type RowField = (typeof rowFields)[number];
const overrides = ['features', 'ideal_customer_profile', 'seller_offering', 'target_countries'] as const;

/** The body of an order with the names of `service.requests`. */
export function toOrderBody(input: OrderInput, requests: RequestSettings): Body {
  const { profile_id: profileId, order_type: orderType, companies, ...rest } = input;
  const body: Body = {
    order_type: orderType === 'ENRICHMENT' ? requests.enrichment_order_type : orderType,
    ...put({}, requests.profile_reference, profileId),
    ...rest,
  };
  for (const field of overrides) {
    const sending: Sending = requests[field];
    if (sending === 'omit') delete body[field];
    if (sending === 'null') body[field] = null;
  }
  return companies === undefined ? body : { ...body, companies: companies.map((row) => toRow(row, requests)) };
}

/** Sets a value at a path of keys joined by dots; other keys stay. */
function put(body: Body, path: string, value: unknown): Body {
  const [key = path, ...inner] = path.split('.');
  if (inner.length === 0) return { ...body, [key]: value };
  const nested = Object.hasOwn(body, key) ? body[key] : undefined;
  return { ...body, [key]: put(isRecord(nested) ? { ...nested } : {}, inner.join('.'), value) };
}

/** Unknown values are left out: the specification does not show whether null is accepted. */
function toRow(row: CompanyRow, { company_row: names }: RequestSettings): Body {
  const { external_id: externalId } = row;
  let body: Body = {};
  for (const field of rowFields) {
    const name = names[field];
    const value =
      field === 'website_url' && name?.toLowerCase().includes('domain') ? domainOf(row.website_url) : row[field];
    if (name !== null && value) body = put(body, name, value);
  }
  return externalId ? { ...body, external_id: externalId } : body;
}

export interface SuggestedSetting {
  /** Key in prospect-sync.yaml: `service.requests.profile_reference`. */
  readonly setting: string;
  readonly value: string;
  /** The field that the error names. */
  readonly because: string;
}

/** False for an error about the value (`is not a valid URL`, `unknown profile`). */
const refusesName = ({ text, type }: FieldProblem) =>
  expectsRecord(text) ||
  /^(?:is )?(?:unknown|unbekannt)\.?$/i.test(text) ||
  /field|feld|propert|attribut|param|\bkey|extra|input|permitted|allowed|recogni|additional|unexpected/i.test(
    `${text} ${type}`,
  );
const expectsRecord = (text: string) => /object|dict|mapping|struct|record|objekt/i.test(text);

/**
 * Compares the fields of the error with the sent fields, whatever the language of the service: a field that was not sent is
 * required; a field that was sent has a wrong name or form. At most one suggestion for each setting. `body`: the sent body.
 */
export function suggestSettings(
  problems: readonly FieldProblem[],
  requests: RequestSettings,
  body: Readonly<Record<string, unknown>>,
): SuggestedSetting[] {
  const found = new Map<string, SuggestedSetting>();
  const suggest = (setting: string, value: string | null, because: string) => {
    const name = `service.requests.${setting}`;
    if (!found.has(name)) found.set(name, { setting: name, value: String(value), because });
  };
  // Required fields come first: they decide the same settings.
  const required = problems.filter(({ field }) => isAbsent(body, field));
  const refused = problems.filter(
    (problem) => !isAbsent(body, problem.field) && (problem.field === 'order_type' || refusesName(problem)),
  );
  for (const { field } of required) {
    const inRow = rowPath(field);
    const override = overrides.find((name) => normalizeKey(name) === normalizeKey(field));
    if (inRow !== null) {
      const rowField = rowFieldOf(inRow, requests);
      if (rowField !== null && requests.company_row[rowField] !== inRow)
        suggest(`company_row.${rowField}`, inRow, field);
    } else if (override !== undefined) {
      // When it is already set to `send`, the profile of the run has no value.
      if (requests[override] !== 'send') suggest(override, 'send', field);
    } else if (isProfileReference(field)) suggest('profile_reference', field, field);
  }
  for (const { field, text } of refused) {
    const inRow = rowPath(field);
    const override = overrides.find((name) => name === field);
    if (field === 'order_type') {
      if (body['order_type'] !== 'DISCOVERY')
        suggest('enrichment_order_type', wordIn(text) ?? nextWord(requests), field);
    } else if (override !== undefined) suggest(override, 'omit', field);
    else if (inRow !== null) {
      const rowField = rowFields.find(
        (name) => requests.company_row[name] === inRow || requests.company_row[name]?.startsWith(`${inRow}.`) === true,
      );
      if (rowField !== undefined)
        suggest(
          `company_row.${rowField}`,
          expectsRecord(text) ? `${inRow}.name` : nextRowName(rowField, requests, problems),
          field,
        );
    } else if (requests.profile_reference === field || requests.profile_reference.startsWith(`${field}.`)) {
      suggest('profile_reference', expectsRecord(text) ? `${field}.id` : nextReference(requests), field);
    }
  }
  return [...found.values()];
}

/** The settings with one of them changed; `null` removes a field of a row. */
export function withRequestSetting(requests: RequestSettings, setting: string, value: string): RequestSettings {
  const [outer = '', inner] = setting.replace('service.requests.', '').split('.');
  const changed =
    inner === undefined
      ? { ...requests, [outer]: value }
      : { ...requests, company_row: { ...requests.company_row, [inner]: value === 'null' ? null : value } };
  return requestSettingsSchema.parse(changed);
}

/** `set service.requests.profile_reference: search_profile_id (the service names search_profile_id)` */
export function describeSuggestions(suggestions: readonly SuggestedSetting[]): string {
  return suggestions
    .map(({ setting, value, because }) => `set ${setting}: ${value} (the service names ${because})`)
    .join('; ');
}

function isAbsent(body: Readonly<Record<string, unknown>>, field: string): boolean {
  const row = /^companies\.(\d+)\.(.+)$/.exec(field);
  if (row === null) return readDottedPath(body, field) === undefined;
  const rows = Array.isArray(body['companies']) ? body['companies'] : [];
  const [, index = '0', path = ''] = row;
  const sentRow: unknown = rows[Number(index)] ?? rows[0];
  return !isRecord(sentRow) || readDottedPath(sentRow, path) === undefined;
}

/** The path of a field inside a submitted row; null for fields of the order itself. */
function rowPath(field: string): string | null {
  const path = /^companies\.(?:\d+\.)?(.+)$/.exec(field)?.[1] ?? null;
  // A list inside a row has no setting.
  return path !== null && /(?:^|\.)\d+(?:\.|$)/.test(path) ? null : path;
}

function rowFieldOf(path: string, { company_row: names }: RequestSettings): RowField | null {
  const last = path.split('.').at(-1) ?? path;
  const known = rowFields.find((field) =>
    [field, names[field] ?? field, ...requestAlternatives.company_row[field]].some(
      (name) => normalizeKey(name) === normalizeKey(path) || normalizeKey(name) === normalizeKey(last),
    ),
  );
  if (known !== undefined) return known;
  const words = last
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-zäöü]+/);
  const has = (...known: string[]) => words.some((word) => known.includes(word));
  if (has('contact', 'person', 'first', 'last', 'prospect')) return null;
  if (has('web', 'website', 'url', 'domain', 'site', 'homepage', 'webseite')) return 'website_url';
  if (has('city', 'town', 'locality', 'ort', 'stadt')) return 'city';
  if (has('country', 'land', 'nation')) return 'country';
  const isName = has('name', 'firm', 'firma', 'company', 'organisation', 'organization', 'unternehmen', 'account');
  return isName ? 'company_name' : null;
}

function isProfileReference(field: string): boolean {
  return /prof|search|such/i.test(field) && !/ideal|icp|offering/i.test(field) && field.split('.').length <= 2;
}

function nextReference({ profile_reference: current }: RequestSettings): string {
  const { profile_reference: names } = requestAlternatives;
  return names[names.findIndex((name) => name === current) + 1] ?? 'profile_id';
}

function nextWord({ enrichment_order_type: current }: RequestSettings): string {
  const { enrichment_order_type: words } = requestAlternatives;
  return words[words.findIndex((word) => word === current) + 1] ?? 'ENRICHMENT';
}

/** The next likely name, in the casing of the service; null when all were tried. */
function nextRowName(
  field: RowField,
  { company_row: current }: RequestSettings,
  problems: readonly FieldProblem[],
): string | null {
  const isCamel = [...problems.map((problem) => problem.field), current.company_name].some((name) =>
    /[a-z][A-Z]/.test(name),
  );
  const cased = (name: string) =>
    isCamel ? name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) : name;
  const plain = requestAlternatives.company_row[field].map(cased);
  // When the company name is nested, its website probably is as well.
  const [parent, nested] = current.company_name.split('.');
  const isBeside = field === 'website_url' && nested !== undefined;
  const names = isBeside ? plain.map((name) => `${parent}.${name}`) : plain;
  const at = names.findIndex((name) => name === current[field]);
  const isDefault = current[field] === field;
  const next = isDefault || isBeside || at >= 0 ? names[at + 1] : undefined;
  return next ?? (field === 'company_name' ? 'name' : null);
}

/** The value for an enrichment order among the values in the text: `Input should be 'DISCOVERY' or 'COMPANY_ENRICHMENT'`. */
function wordIn(text: string): string | null {
  const words = [...new Set(text.match(/\b[A-Za-z][A-Za-z_]{3,}\b/g))].filter((word) => !/^discovery$/i.test(word));
  const enriching = words.filter((word) => /enrich|anreicher/i.test(word));
  const capitals = words.filter((word) => word === word.toUpperCase());
  const quoted = new Set(Array.from(text.matchAll(/['"`]([A-Za-z_]+)(?=['"`])/g), ([, word]) => word));
  return (
    enriching.find((word) => word === word.toUpperCase()) ??
    (capitals.length === 1 ? capitals[0] : undefined) ??
    enriching.find((word) => word.includes('_') || quoted.has(word)) ??
    null
  );
}
