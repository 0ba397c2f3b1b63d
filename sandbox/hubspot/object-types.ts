import { ApiError, notImplemented } from './api-error.ts';

/** An object type. A new one needs a row here, its default properties and its associations. */
export interface ObjectType {
  readonly typeId: string;
  readonly plural: string;
  readonly singular: string;
  /** The object whose scopes give access: notes and tasks have no scopes of their own. */
  readonly scopedAs: 'contacts' | 'companies' | 'deals';
  readonly createdProperty: 'createdate' | 'hs_createdate';
  readonly modifiedProperty: string;
  /** Returned when a read names no properties. */
  readonly defaultProperties: readonly string[];
  /** A record needs one of these to be created; empty: none of them. */
  readonly requiredAnyOf: readonly string[];
  /** A record needs each of these to be created. */
  readonly requiredAll: readonly string[];
  /** The property that HubSpot shows as the name of a record. */
  readonly primaryDisplayProperty: string;
  /** Properties that the free text `query` of a search covers. */
  readonly queriedProperties: readonly string[];
  /** `email` and every address of `hs_additional_emails` are unique. */
  readonly knownByEmail: boolean;
  /** After a merge, the value of `of` of the other record is added to the property `into`. */
  readonly additional?: { readonly of: string; readonly into: string };
}

export const contactType: ObjectType = {
  typeId: '0-1',
  plural: 'contacts',
  singular: 'contact',
  scopedAs: 'contacts',
  createdProperty: 'createdate',
  modifiedProperty: 'lastmodifieddate',
  defaultProperties: ['createdate', 'email', 'firstname', 'hs_object_id', 'lastmodifieddate', 'lastname'],
  requiredAnyOf: ['email', 'firstname', 'lastname'],
  requiredAll: [],
  primaryDisplayProperty: 'email',
  queriedProperties: ['email', 'firstname', 'lastname', 'phone', 'company', 'hs_additional_emails'],
  knownByEmail: true,
  additional: { of: 'email', into: 'hs_additional_emails' },
};

export const companyType: ObjectType = {
  typeId: '0-2',
  plural: 'companies',
  singular: 'company',
  scopedAs: 'companies',
  createdProperty: 'createdate',
  modifiedProperty: 'hs_lastmodifieddate',
  defaultProperties: ['createdate', 'domain', 'hs_lastmodifieddate', 'hs_object_id', 'name'],
  requiredAnyOf: ['name', 'domain'],
  requiredAll: [],
  primaryDisplayProperty: 'name',
  queriedProperties: ['name', 'domain', 'website', 'phone'],
  knownByEmail: false,
  additional: { of: 'domain', into: 'hs_additional_domains' },
};

export const dealType: ObjectType = {
  typeId: '0-3',
  plural: 'deals',
  singular: 'deal',
  scopedAs: 'deals',
  createdProperty: 'createdate',
  modifiedProperty: 'hs_lastmodifieddate',
  defaultProperties: [
    'amount',
    'closedate',
    'createdate',
    'dealname',
    'dealstage',
    'hs_lastmodifieddate',
    'hs_object_id',
    'pipeline',
  ],
  requiredAnyOf: [],
  requiredAll: ['dealname', 'dealstage'],
  primaryDisplayProperty: 'dealname',
  queriedProperties: ['dealname', 'description'],
  knownByEmail: false,
};

const engagement = {
  scopedAs: 'contacts',
  createdProperty: 'hs_createdate',
  modifiedProperty: 'hs_lastmodifieddate',
  defaultProperties: ['hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'],
  requiredAnyOf: [],
  requiredAll: ['hs_timestamp'],
  knownByEmail: false,
} as const;

export const noteType: ObjectType = {
  ...engagement,
  typeId: '0-46',
  plural: 'notes',
  singular: 'note',
  primaryDisplayProperty: 'hs_note_body',
  queriedProperties: ['hs_note_body'],
};

export const taskType: ObjectType = {
  ...engagement,
  typeId: '0-27',
  plural: 'tasks',
  singular: 'task',
  primaryDisplayProperty: 'hs_task_subject',
  queriedProperties: ['hs_task_subject', 'hs_task_body'],
};

export const objectTypes: readonly ObjectType[] = [contactType, companyType, dealType, noteType, taskType];

// HubSpot's list of object types: https://developers.hubspot.com/docs/guides/crm/using-object-apis
const otherTypes = [
  ['ticket', 'tickets', '0-5'],
  ['product', 'products', '0-7'],
  ['line_item', 'line_items', '0-8'],
  ['quote', 'quotes', '0-14'],
  ['communication', 'communications', '0-18'],
  ['feedback_submission', 'feedback_submissions', '0-19'],
  ['meeting', 'meetings', '0-47'],
  ['call', 'calls', '0-48'],
  ['email', 'emails', '0-49'],
  ['marketing_event', 'marketing_events', '0-54'],
  ['invoice', 'invoices', '0-53'],
  ['subscription', 'subscriptions', '0-69'],
  ['goal_target', 'goal_targets', '0-74'],
  ['discount', 'discounts', '0-84'],
  ['fee', 'fees', '0-85'],
  ['tax', 'taxes', '0-86'],
  ['payment', 'commerce_payments', '0-101'],
  ['user', 'users', '0-115'],
  ['postal_mail', 'postal_mail', '0-116'],
  ['order', 'orders', '0-123'],
  ['lead', 'leads', '0-136'],
  ['cart', 'carts', '0-142'],
  ['service', 'services', '0-162'],
  ['course', 'courses', '0-410'],
  ['listing', 'listings', '0-420'],
  ['appointment', 'appointments', '0-421'],
  ['project', 'projects', '0-970'],
];
const otherNames = new Set(otherTypes.flat());
/** `2-123456`, `p_name` and `p8123_name`: an object type that a portal defined. */
const customName = /^(?:2-\d+|p\d*_\w+)$/;

const byName = new Map(
  objectTypes.flatMap((type) => [type.typeId, type.plural, type.singular].map((name) => [name, type])),
);

/** As HubSpot's pages name it. */
export function labelsOf({ singular, plural }: ObjectType): { singular: string; plural: string } {
  return { singular: titled(singular), plural: titled(plural) };
}

/** Answers 501 for types without implementation, and 400 for names that HubSpot does not know either. */
export function objectTypeOf(name: string): ObjectType {
  const type = findObjectType(name);
  if (type === 'other') throw notImplemented(`records of type ${name}`);
  return type;
}

/** `other`: a type of which the portal has no records, because the sandbox does not implement it. */
export function findObjectType(name: string): ObjectType | 'other' {
  const wanted = name.toLowerCase();
  const type = byName.get(wanted);
  if (type) return type;
  if (otherNames.has(wanted) || customName.test(wanted)) return 'other';
  // HubSpot gives this error neither category nor context.
  throw new ApiError(400, { message: `Unable to infer object type from: ${name}` });
}

function titled(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
