/** The values that a slot gives to CRM properties: those of prospect-sync, and those of the mapping. */
import type { Company, Prospect, Slot } from '../contract/index.ts';
import { getOwnProperty } from '../json/own-property.ts';
import type { CrmMapping, FieldMapping, Policy } from './crm-plan.ts';
import { identityProperties } from './default-mapping.ts';
import { companyDomain, companyKey, contactEmail, contactKey } from './identity.ts';
import { isSame, toPropertyText, toTimeText, transforms, type TransformName } from './transforms.ts';
import { isRawPath, valuesAt, type OrderSource, sourceField } from './source-paths.ts';
import type { NamedProperty } from '../hubspot/ensure-properties.ts';
import type { ContentKind, WrittenContent } from '../hubspot/crm-property.ts';

/** Values by property name, as texts, because HubSpot accepts nothing else. */
export type Properties = Readonly<Record<string, string>>;

/** The values for one record by field policy. `stamp` is written only together with another change. */
export interface PropertiesByPolicy {
  readonly always: Properties;
  readonly fillEmpty: Properties;
  readonly onlyIfOurs: Properties;
  readonly stamp: Properties;
}

/** Where a record's content comes from; written to every record. */
export interface Provenance {
  readonly orderId: string;
  /** Empty for an order that no run placed. */
  readonly runName: string;
  readonly mappingVersion: string;
}

/** The objects that a path of the mapping can read. */
export interface Source {
  readonly slot: Slot;
  readonly order: OrderSource;
  readonly company: Company;
  readonly prospect?: Prospect;
}

export function toCompanyProperties(
  slot: Slot,
  company: Company,
  provenance: Provenance,
  mapping: CrmMapping,
): PropertiesByPolicy {
  const { always, stamp } = toStatusProperties(slot, provenance);
  const identity = { [identityProperties.companies]: companyDomain(company) };
  const mapped = toMapped(mapping.companies, { slot, company, order: toOrder(provenance) }, identity);
  return {
    ...mapped,
    always: { ...mapped.always, prospect_sync_company_key: companyKey(company) ?? '', ...always },
    stamp,
  };
}

/** For the submitted record of a row that was not enriched: only the status of the row. */
export function toStatusProperties(slot: Slot, { orderId, runName, mappingVersion }: Provenance): PropertiesByPolicy {
  return {
    always: {
      prospect_sync_order_id: orderId,
      prospect_sync_position: String(slot.input_position),
      prospect_sync_status: slot.status,
      prospect_sync_reason_codes: toPropertyText(slot.reason_codes.join(';')),
      prospect_sync_delivered_at: toTimeText(slot.delivered_at),
    },
    fillEmpty: {},
    onlyIfOurs: {},
    stamp: { prospect_sync_run: runName, prospect_sync_mapping_version: mappingVersion },
  };
}

/** null for a person who cannot be a contact: without a key, or with neither address nor name. */
export function toContactProperties(
  slot: Slot,
  prospect: Prospect,
  company: Company,
  provenance: Provenance,
  mapping: CrmMapping,
): PropertiesByPolicy | null {
  const key = contactKey(prospect, company);
  if (key === null) return null;
  const { always, stamp } = toStatusProperties(slot, provenance);
  const identity = { [identityProperties.contacts]: contactEmail(prospect) };
  const mapped = toMapped(mapping.contacts, { slot, company, prospect, order: toOrder(provenance) }, identity);
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

function toOrder({ orderId, runName }: Provenance): OrderSource {
  return { id: orderId, run: runName };
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

function valueOf({ from, transform }: FieldMapping, source: Source): string {
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

/** The kind of value that each transform returns. */
const contentKinds: Readonly<Record<TransformName, ContentKind>> = {
  lowercase: 'text',
  uppercase: 'text',
  first: 'text',
  join: 'list',
  'join-lines': 'text',
  count: 'number',
  integer: 'number',
  year: 'number',
  date: 'date',
  domain: 'text',
  'truncate-255': 'text',
};

/** Every mapped property with the content that it must be able to hold. */
export function toMappedProperties(mapping: CrmMapping): NamedProperty[] {
  return (['companies', 'contacts'] as const).flatMap((type) =>
    Object.entries(mapping[type]).map(([name, field]) => ({ type, name, holds: toWrittenContent(field) })),
  );
}

/** The content that a mapped field can have, as far as it is known before there is a result. */
export function toWrittenContent({ from, transform }: FieldMapping): WrittenContent {
  const field = sourceField(from);
  if (transform === null) {
    const kind = field?.isTime === true ? 'time' : field?.kind === 'records' ? 'list' : (field?.kind ?? 'text');
    return { kind, words: field?.words ?? null, from };
  }
  const kind = contentKinds[transform];
  const words = kind === 'text' || kind === 'list' ? (field?.words ?? null) : null;
  return { kind, words: words?.map((word) => transforms[transform].apply([word])) ?? null, from };
}
