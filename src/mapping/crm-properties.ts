/** Which CRM property gets which value of a result: our own properties, and those that the mapping names. */
import type { Company, Prospect, Slot } from '../contract/index.ts';
import { ownValue } from '../json/own-value.ts';
import type { CrmMapping, FieldMapping, Policy } from './crm-plan.ts';
import { identityProperties } from './default-mapping.ts';
import { companyDomain, companyKey, contactEmail, contactKey } from './identity.ts';
import { isSame, toPropertyText, toTimeText } from './property-text.ts';
import { isRawPath, valuesAt, type OrderSource } from './source-paths.ts';
import { transforms } from './transforms.ts';

/** Property name to value, as HubSpot takes it: texts only. */
export type Properties = Readonly<Record<string, string>>;

/** What is wanted on one record, by when it is written. `stamp` is written only beside another change. */
export interface PropertiesByPolicy {
  readonly always: Properties;
  readonly fillEmpty: Properties;
  readonly onlyIfOurs: Properties;
  readonly stamp: Properties;
}

/** Where a record's content comes from; stands on every record that is written. */
export interface Provenance {
  readonly orderId: string;
  /** Empty for an order that no run of ours placed. */
  readonly runName: string;
  readonly mappingVersion: string;
}

/** All that a path of the mapping may lead into. */
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

/** What a submitted record learns from a row that was not enriched: how it ended, and nothing else. */
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

/** null for a person who cannot be a contact: nothing to know them by, or neither address nor name. */
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
  const own = {
    prospect_sync_contact_key: key,
    prospect_sync_email_status: toPropertyText(prospect.email_status ?? ''),
    prospect_sync_email_delivery_quality: toPropertyText(prospect.email_delivery_quality ?? ''),
    prospect_sync_client_deliverable: String(prospect.email_client_deliverable ?? ''),
  };
  return { ...mapped, always: { ...mapped.always, ...own, ...always }, stamp };
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
  const valueOf = (property: string) => ownValue(current, property) ?? '';
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

/** A field that the result leaves empty is not written at all: it would wipe what somebody knows. */
function toMapped(
  fields: Readonly<Record<string, FieldMapping>>,
  source: Source,
  identity: Readonly<Record<string, string | null>>,
): Pick<PropertiesByPolicy, 'always' | 'fillEmpty' | 'onlyIfOurs'> {
  const values = Object.entries(fields).map(([property, field]) => {
    const value = Object.hasOwn(identity, property) ? (identity[property] ?? '') : valueOf(field, source);
    return { property, policy: field.policy, value: toPropertyText(value) };
  });
  const of = (wanted: Policy): Properties => {
    const written = values.filter(({ policy, value }) => policy === wanted && value !== '');
    return Object.fromEntries(written.map(({ property, value }) => [property, value]));
  };
  return { always: of('always'), fillEmpty: of('fill-empty'), onlyIfOurs: of('only-if-ours') };
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
