/** The values that a slot gives to CRM properties: those of prospect-sync, and those of the mapping. */
import type { Company, Prospect, Slot } from '../../service/contract/index.ts';
import { getOwnProperty } from '../../base/json/own-property.ts';
import type { CrmMapping, FieldMapping, Policy } from './crm-plan.ts';
import { identityProperties } from './default-mapping.ts';
import { companyDomain, companyKey, contactEmail, contactKey, isListingId } from '../../ledger/identity.ts';
import { transforms } from './transforms.ts';
import { isSame, toPropertyText, toTimeText } from '../../ledger/property-values.ts';
import { isRawPath, valuesAt, type OrderSource } from './source-paths.ts';
import { fillTemplate, parseTemplate, type Placeholder } from './templates.ts';

/** Values by property name, as texts, because HubSpot accepts nothing else. */
export type Properties = Readonly<Record<string, string>>;

/** The values for one record by field policy. `stamp` is written only together with another change. */
export interface PropertiesByPolicy {
  readonly always: Properties;
  readonly fillEmpty: Properties;
  readonly onlyIfOurs: Properties;
  readonly stamp: Properties;
}

/** Origin of a record's content; written to every record. */
export interface Provenance {
  readonly order: OrderSource;
  readonly mappingVersion: string;
}

/** Current values of the HubSpot record of a company, by property name. */
export type CompanyRecord = Readonly<Record<string, string | null>>;

export interface ContactSource {
  readonly slot: Slot;
  readonly prospect: Prospect;
  readonly company: Company;
  readonly companyRecord?: CompanyRecord;
}

/** The objects that a path of the mapping can read. */
export interface Source {
  readonly slot: Slot;
  readonly order: OrderSource;
  /** null: its fields are empty. */
  readonly company: Company | null;
  readonly prospect?: Prospect;
  /** For contacts; named as in paths. */
  readonly company_record?: CompanyRecord;
}

/** The slot with the text of its company's website, as `company.website_markdown`. */
export function withWebsite(slot: Slot, text: string | undefined): Slot {
  if (slot.company === null || text === undefined) return slot;
  return { ...slot, company: { ...slot.company, website_markdown: text } };
}

export function toCompanyProperties(
  slot: Slot,
  company: Company,
  provenance: Provenance,
  mapping: CrmMapping,
): PropertiesByPolicy {
  const { always, stamp } = toStatusProperties(slot, provenance);
  const identity = { [identityProperties.companies]: companyDomain(company) };
  const mapped = toMapped(mapping.companies, { slot, company, order: provenance.order }, identity);
  return {
    ...mapped,
    always: { ...mapped.always, prospect_sync_company_key: companyKey(company) ?? '', ...always },
    stamp,
  };
}

/**
 * For the submitted record of a row that was not enriched: the status of the row, and for a PARTIAL row the fields of its company that are
 * empty in the record. Its domain is not written, because records are matched by it.
 */
export function toUnenrichedProperties(slot: Slot, provenance: Provenance, mapping: CrmMapping): PropertiesByPolicy {
  const status = toStatusProperties(slot, provenance);
  if (slot.company === null || !fillsEmptyProperties(slot, mapping)) return status;
  const fields = Object.entries(mapping.companies).filter(
    ([property, field]) =>
      property !== identityProperties.companies && 'from' in field && /^(?:raw\.)?company\./.test(field.from),
  );
  const source = { slot, company: slot.company, order: provenance.order };
  const { always, fillEmpty, onlyIfOurs } = toMapped(Object.fromEntries(fields), source, {});
  return { ...status, fillEmpty: { ...always, ...fillEmpty, ...onlyIfOurs } };
}

/** With several reasons, one that says `never` decides. */
function fillsEmptyProperties({ status, reason_codes: codes }: Slot, { partialCompanies = {} }: CrmMapping): boolean {
  if (status !== 'PARTIAL') return false;
  const policies = codes.map((code) => getOwnProperty(partialCompanies, code)).filter((policy) => policy !== undefined);
  return !(policies.length === 0 ? [partialCompanies['default']] : policies).includes('never');
}

/** Properties of the slot that every record gets. */
export function toStatusProperties(slot: Slot, { order, mappingVersion }: Provenance): PropertiesByPolicy {
  const published = {
    prospect_sync_position: String(slot.input_position),
    prospect_sync_status: slot.status,
    prospect_sync_reason_codes: toPropertyText(slot.reason_codes.join(';')),
    prospect_sync_delivered_at: toTimeText(slot.delivered_at),
  };
  return {
    // What only a published slot has is left out for a legacy listing.
    always: { prospect_sync_order_id: order.id, ...(isListingId(order.id) ? {} : published) },
    fillEmpty: {},
    onlyIfOurs: {},
    stamp: { prospect_sync_run: order.run, prospect_sync_mapping_version: mappingVersion },
  };
}

/**
 * null for a person who cannot be a contact: without a key, or with neither address nor name.
 * @param companyRecord empty where the company has no record yet
 */
export function toContactProperties(
  { slot, prospect, company, companyRecord = {} }: ContactSource,
  provenance: Provenance,
  mapping: CrmMapping,
): PropertiesByPolicy | null {
  const key = contactKey(prospect, company);
  if (key === null) return null;
  const { always, stamp } = toStatusProperties(slot, provenance);
  const identity = { [identityProperties.contacts]: contactEmail(prospect) };
  const mapped = toMapped(
    mapping.contacts,
    { slot, company, prospect, order: provenance.order, company_record: companyRecord },
    identity,
  );
  // HubSpot creates no contact without one of them.
  const named = ['email', 'firstname', 'lastname'];
  if (
    !named.some((name) =>
      [mapped.always, mapped.fillEmpty, mapped.onlyIfOurs].some((part) => Object.hasOwn(part, name)),
    )
  )
    return null;
  const contactStatus = {
    prospect_sync_contact_key: key,
    prospect_sync_email_status: toPropertyText(prospect.email_status ?? ''),
    prospect_sync_email_delivery_quality: toPropertyText(prospect.email_delivery_quality ?? ''),
    prospect_sync_client_deliverable: String(prospect.email_client_deliverable ?? ''),
  };
  return { ...mapped, always: { ...mapped.always, ...contactStatus, ...always }, stamp };
}

/** True for the properties that prospect-sync creates, and that cannot be mapped. */
export function isManagedProperty(property: string): boolean {
  return property.startsWith('prospect_sync_');
}

/**
 * The properties to send to an existing record; empty when none differs.
 * @param wasWrittenByUs whether the record still has the value that prospect-sync wrote last
 */
export function toChanges(
  { always, fillEmpty, onlyIfOurs, stamp }: PropertiesByPolicy,
  current: Readonly<Record<string, string | null>>,
  wasWrittenByUs: (property: string, value: string) => boolean,
): Properties {
  const valueOf = (property: string) => getOwnProperty(current, property) ?? '';
  const isEmpty = ([property]: [string, string]) => valueOf(property).trim() === '';
  const differs = ([property, value]: [string, string]) => !isSame(value, valueOf(property).trim());
  const isReplaceable = (entry: [string, string]) => isEmpty(entry) || wasWrittenByUs(entry[0], valueOf(entry[0]));

  const changes = [
    ...Object.entries(always).filter(differs),
    ...Object.entries(fillEmpty).filter(isEmpty),
    ...Object.entries(onlyIfOurs).filter((entry) => differs(entry) && isReplaceable(entry)),
  ];
  const stamped = changes.length === 0 ? [] : Object.entries(stamp).filter(differs);
  return Object.fromEntries([...changes, ...stamped]);
}

export function omitProperties(
  { always, fillEmpty, onlyIfOurs, stamp }: PropertiesByPolicy,
  names: readonly string[],
): PropertiesByPolicy {
  const omit = (properties: Properties) =>
    Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
  return { always: omit(always), fillEmpty: omit(fillEmpty), onlyIfOurs: omit(onlyIfOurs), stamp: omit(stamp) };
}

/** A field that is empty in the result is not written, because it would delete a value in the CRM. */
function toMapped(
  fields: Readonly<Record<string, FieldMapping>>,
  source: Source,
  identity: Readonly<Record<string, string | null>>,
): Pick<PropertiesByPolicy, 'always' | 'fillEmpty' | 'onlyIfOurs'> {
  const values = Object.entries(fields).map(([property, field]) => {
    const value = Object.hasOwn(identity, property) ? (identity[property] ?? '') : valueOf(field, source);
    return { property, policy: field.policy, value: toPropertyText(value) };
  });
  const withPolicy = (fieldPolicy: Policy): Properties => {
    const written = values.filter(({ policy, value }) => policy === fieldPolicy && value !== '');
    return Object.fromEntries(written.map(({ property, value }) => [property, value]));
  };
  return {
    always: withPolicy('always'),
    fillEmpty: withPolicy('fill-empty'),
    onlyIfOurs: withPolicy('only-if-ours'),
  };
}

function valueOf(field: FieldMapping, source: Source): string {
  if ('from' in field) return fieldValue(field, source);
  if ('roundRobin' in field) return field.roundRobin[source.slot.input_position % field.roundRobin.length] ?? '';
  return fillText(field.value, source);
}

/** A constant or a template with the values of its fields. */
export function fillText(text: string, source: Source): string {
  const template = parseTemplate(text);
  // The configuration was checked; what is not a template is a text.
  return 'problem' in template ? text : fillTemplate(template.parts, (placeholder) => fieldValue(placeholder, source));
}

function fieldValue({ from, transform }: Placeholder, source: Source): string {
  const values = valuesAt(from, isRawPath(from) ? { raw: toRaw(source) } : { ...source });
  if (transform !== null) return transforms[transform].apply(values);
  const text = values.join(';');
  return isServiceTime.test(text) ? toTimeText(text) : text;
}

/** The slot as it was received; `raw.prospect` is the person of this record. */
export function toRaw({ slot, prospect }: Pick<Source, 'slot' | 'prospect'>): Readonly<Record<string, unknown>> {
  const { raw } = slot;
  const received = typeof raw === 'object' && raw !== null ? raw : {};
  return prospect === undefined ? { ...received } : { ...received, prospect: prospect['raw'] };
}

/** A date-time property takes and keeps milliseconds. */
const isServiceTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{4,}Z$/;
